#pragma once
// Converts texts, which may hold any bytes, to JSON.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "gridloom/printable.hpp"

namespace gridloom {

namespace detail {

inline bool is_control(unsigned char c) { return c < 32 || c == 127; }

}  // namespace detail

/// A JSON string with its quotes. Each byte that is not UTF-8 becomes U+FFFD.
[[nodiscard]] inline std::string json_text(std::string_view text) {
  constexpr char const* digits = "0123456789abcdef";
  std::string json = "\"";
  while (!text.empty()) {
    auto const c = static_cast<unsigned char>(text.front());
    std::size_t const length = utf8_length(text);
    if (length == 0) {
      json += "\\ufffd";
    } else if (detail::is_control(c)) {
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
