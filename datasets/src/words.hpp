#pragma once
// Texts of files, which may hold any bytes, on their way to a terminal or into JSON.

#include <string>
#include <string_view>

namespace gridloom::datasets {

/// A JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD, one each.
[[nodiscard]] std::string json_text(std::string_view text);

/// Control characters, which could command a terminal, become '?'.
[[nodiscard]] std::string without_controls(std::string text);

}  // namespace gridloom::datasets
