#pragma once
// Converts texts from files, which may hold any bytes, to JSON.

#include <string>
#include <string_view>

namespace gridloom::datasets {

/// A JSON string with its quotes. Each byte that is not UTF-8 becomes U+FFFD.
[[nodiscard]] std::string json_text(std::string_view text);

}  // namespace gridloom::datasets
