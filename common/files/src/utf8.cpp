#include "gridloom/files/utf8.hpp"

#include <cstdio>

#include "gridloom/printable.hpp"

namespace gridloom {

std::string as_utf8(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    std::size_t const length = utf8_length(text);
    if (length != 0) {
      result += text.substr(0, length);
      text.remove_prefix(length);
      continue;
    }
    char code[8];
    std::snprintf(code, sizeof code, "\\x%02x", static_cast<unsigned char>(text[0]));
    result += code;
    text.remove_prefix(1);
  }
  return result;
}

}  // namespace gridloom
