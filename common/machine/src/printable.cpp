#include "gridloom/printable.hpp"

#include <algorithm>
#include <cstdio>

namespace gridloom {
namespace {

// Whether this is one of U+0000 to U+001F and U+007F to U+009F.
bool is_control(std::string_view sequence) {
  auto const first = static_cast<unsigned char>(sequence[0]);
  if (sequence.size() == 1) return first < 0x20 || first == 0x7f;
  return first == 0xc2 && static_cast<unsigned char>(sequence[1]) < 0xa0;
}

std::string hexadecimal(char byte) {
  char code[8];
  std::snprintf(code, sizeof code, "\\x%02x", static_cast<unsigned char>(byte));
  return code;
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  auto const byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  unsigned const first = byte(0);
  std::size_t const length = first < 0x80   ? 1
                             : first < 0xc2 ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                             : first < 0xf5 ? 4
                                            : 0;
  if (length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xc0U) != 0x80U) return 0;
  }
  // Overlong forms, surrogates, and values beyond the last code point are not UTF-8.
  if (length > 2) {
    unsigned const second = byte(1);
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
        (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90)) {
      return 0;
    }
  }
  return length;
}

std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    std::size_t const length = utf8_length(text);
    std::string_view const character = text.substr(0, std::max<std::size_t>(length, 1));
    if (length > 0 && !is_control(character)) {
      shown += character;
    } else if (character == "\n" || character == "\t") {
      shown += character == "\n" ? "\\n" : "\\t";
    } else {
      for (char const each : character) shown += hexadecimal(each);
    }
    text.remove_prefix(character.size());
  }
  return shown;
}

std::string as_utf8(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    std::size_t const length = utf8_length(text);
    result += length > 0 ? std::string{text.substr(0, length)} : hexadecimal(text[0]);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

}  // namespace gridloom
