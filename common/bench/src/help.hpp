#pragma once
// The text of --help in 80 columns, which Boost's own printing does not keep to.

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/value_semantic.hpp>
#include <iosfwd>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gridloom {

/// A value that --help can say more of than Boost keeps: its default and what it may be.
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

/// Words in lines of at most 80 columns, each behind `indent` blanks; a longer word stands alone.
void print_wrapped(std::ostream& out, std::size_t indent, std::string const& text);

/// All options of a group but the left-out ones: the option on a line, below it what it does, its
/// choices and its default.
void print_options(std::ostream& out, boost::program_options::options_description const& group,
                   std::map<std::string, std::string> const& left_out);

}  // namespace gridloom
