#pragma once
// Small text files for the readers of text formats, plain and gzip.

#include <string>
#include <string_view>

#include "gzip.hpp"
#include "test_support.hpp"

namespace gridloom::test {

/// The message of `read(path)` for a file with this name and text, without the folder.
template <typename Read>
std::string refusal_of(std::string const& name, std::string_view text, Read const& read) {
  scratch_folder const folder;
  return name + refusal_of(write_text(folder / name, text), read);
}

}  // namespace gridloom::test
