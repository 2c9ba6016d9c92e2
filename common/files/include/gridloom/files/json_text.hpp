#pragma once
// Converts texts, which may hold any bytes, to JSON.

#include <string>
#include <string_view>

namespace gridloom {

/// A JSON string with its quotes. Each byte that is not UTF-8 becomes U+FFFD.
[[nodiscard]] std::string json_text(std::string_view text);

}  // namespace gridloom
