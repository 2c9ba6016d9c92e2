#pragma once
// Small text files for the readers of text formats, plain and gzip.

#include <algorithm>
#include <string>
#include <string_view>

#include "gridloom/error.hpp"
#include "gzip.hpp"
#include "test_support.hpp"

namespace gridloom::test {

/// The message of `read(path)` for a file with this name and text, without the folder.
template <typename Read>
std::string refusal_of(std::string const& name, std::string_view text, Read&& read) {
  scratch_folder const folder;
  auto const path = write_text(folder / name, text);
  std::string const message = message_of<usage_error>([&] { static_cast<void>(read(path)); });
  BOOST_TEST(message.starts_with(path.string()));
  BOOST_TEST(message.find('\n') == std::string::npos);
  return message.substr(std::min(message.size(), folder.path().string().size() + 1));
}

}  // namespace gridloom::test
