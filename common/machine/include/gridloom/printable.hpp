#pragma once
// Text from outside, made safe for a terminal. File names and file contents may hold control
// characters, which a terminal would obey. Every message and table uses these functions.

#include <cstddef>
#include <string>
#include <string_view>

namespace gridloom {

/// Number of bytes of the UTF-8 sequence (RFC 3629) at the beginning of the text; 0 if there is
/// none. The text must not be empty.
[[nodiscard]] std::size_t utf8_length(std::string_view text);

/// The text in one line. Control characters, and bytes that are not UTF-8, are written as escapes
/// such as \n, \t or \x1b.
[[nodiscard]] std::string printable(std::string_view text);

/// The text with bytes that are not UTF-8 written as \xff, for files that must be UTF-8. Control
/// characters stay.
[[nodiscard]] std::string as_utf8(std::string_view text);

}  // namespace gridloom
