#pragma once
// The text of --help in 80 columns. Boost's own output is wider.

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/value_semantic.hpp>
#include <iosfwd>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gridloom {

/// A value with its default and choices, which Boost does not keep.
class option_value : public boost::program_options::typed_value<std::string> {
 public:
  option_value(std::string shown_default, std::vector<std::string> choices)
      : typed_value(nullptr), default_(std::move(shown_default)), choices_(std::move(choices)) {}

  [[nodiscard]] std::string const& shown_default() const { return default_; }
  [[nodiscard]] std::vector<std::string> const& choices() const { return choices_; }

 private:
  std::string default_;
  std::vector<std::string> choices_;
};

/// Prints the words in lines of at most 80 columns, indented by `indent`. A longer word gets its
/// own line.
void print_wrapped(std::ostream& out, std::size_t indent, std::string const& text);

/// Prints each option of a group, except those left out, with its text, choices and default.
void print_options(std::ostream& out, boost::program_options::options_description const& group,
                   std::map<std::string, std::string> const& left_out);

}  // namespace gridloom
