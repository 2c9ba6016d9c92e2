#pragma once
// Texts of files, which may hold any bytes, on their way into JSON.

#include <string>
#include <string_view>

namespace gridloom::datasets {

/// A JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD, one each.
[[nodiscard]] std::string json_text(std::string_view text);

}  // namespace gridloom::datasets
