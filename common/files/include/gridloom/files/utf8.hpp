#pragma once
// Names of files and of what is in them, for files that hold UTF-8 alone: readers refuse a whole file
// of results, or a picture, for one byte that is none.

#include <string>
#include <string_view>

namespace gridloom {

/// The text with each byte that is no UTF-8 written out as \xff. Control characters stay.
[[nodiscard]] std::string as_utf8(std::string_view text);

}  // namespace gridloom
