#include "gridloom/files/json_text.hpp"

#include <algorithm>
#include <cstddef>

#include "gridloom/printable.hpp"

namespace gridloom {
namespace {

bool is_control(unsigned char c) { return c < 32 || c == 127; }

}  // namespace

std::string json_text(std::string_view text) {
  constexpr char const* digits = "0123456789abcdef";
  std::string json = "\"";
  while (!text.empty()) {
    auto const c = static_cast<unsigned char>(text.front());
    std::size_t const length = utf8_length(text);
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

}  // namespace gridloom
