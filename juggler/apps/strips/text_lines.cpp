#include "apps/strips/text_lines.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "gridloom/error.hpp"
#include "gridloom/files/input_file.hpp"
#include "gridloom/parse.hpp"

namespace gridloom::juggler {

text_lines::text_lines(std::filesystem::path path) : name_(path.string()) {
  std::vector<std::byte> const bytes = read_file(path);
  text_.assign(reinterpret_cast<char const*>(bytes.data()), bytes.size());
}

bool text_lines::next(std::string_view& line) {
  if (at_ >= text_.size()) return false;
  std::size_t const end = std::min(text_.find('\n', at_), text_.size());
  line = std::string_view(text_).substr(at_, end - at_);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  at_ = end + 1;
  ++number_;
  return true;
}

void text_lines::refuse(std::string const& expected, std::string_view got) const {
  throw usage_error(name_ + ":" + std::to_string(number_) + ": expected " + expected + ", got " +
                    in_quotes(got));
}

void text_lines::refuse_file(std::string const& message) const {
  throw usage_error(name_ + ": " + message);
}

}  // namespace gridloom::juggler
