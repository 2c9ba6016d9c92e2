#include "words.hpp"

#include <algorithm>
#include <cstddef>

namespace gridloom::datasets {
namespace {

bool is_control(unsigned char c) { return c < 32 || c == 127; }

// Length of the UTF-8 sequence (RFC 3629) that the text begins with, 0 if there is none.
std::size_t sequence_length(std::string_view text) {
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
  // Overlong forms, surrogates, and what lies beyond the last code point.
  if (length > 2) {
    unsigned const second = byte(1);
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
        (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90)) {
      return 0;
    }
  }
  return length;
}

}  // namespace

std::string json_text(std::string_view text) {
  constexpr char const* digits = "0123456789abcdef";
  std::string json = "\"";
  while (!text.empty()) {
    auto const c = static_cast<unsigned char>(text.front());
    std::size_t const length = sequence_length(text);
    if (length == 0) {
      json += "\\ufffd";
    } else if (is_control(c)) {
      json += std::string{"\\u00"} + digits[c / 16] + digits[c % 16];
    } else {
      if (c == '"' || c == '\\') json += '\\';
      json += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return json + "\"";
}

std::string without_controls(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return is_control(c); }, '?');
  return text;
}

}  // namespace gridloom::datasets
