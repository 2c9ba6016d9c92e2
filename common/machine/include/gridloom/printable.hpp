#pragma once
// Texts of strangers on a terminal: names of files and what is in files may hold control characters,
// which a terminal obeys. Every message and table goes through here.

#include <cstddef>
#include <string>
#include <string_view>

namespace gridloom {

/// Bytes of the UTF-8 sequence (RFC 3629) that the text begins with, 0 if there is none. The text
/// is not empty.
[[nodiscard]] std::size_t utf8_length(std::string_view text);

/// The text in one line: control characters, and bytes that are no UTF-8, are written out as \n,
/// \t and \x1b.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace gridloom
