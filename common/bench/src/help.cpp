#include "help.hpp"

#include <ostream>
#include <sstream>

#include "gridloom/parse.hpp"

namespace gridloom {
namespace {

namespace po = boost::program_options;

constexpr std::size_t help_columns = 80;
constexpr std::size_t text_column = 24;

// Boost has no function that returns the caption of a group, but prints it first.
std::string caption_of(po::options_description const& group) {
  std::ostringstream printed;
  printed << group;
  return printed.str().substr(0, printed.str().find('\n'));
}

// The option and its value, such as "--rows N"; with a short form, as Boost writes "-h [ --help ]".
std::string spelling(po::option_description const& option) {
  auto const& value = *option.semantic();
  std::string text = option.format_name();
  auto const* known = dynamic_cast<option_value const*>(&value);
  // Boost appends the default to the name of a value. about() shows the default, so it is removed.
  if (known != nullptr) return text + " " + value.name().substr(0, value.name().find(" (="));
  if (value.max_tokens() > 0) text += " " + value.name();
  return text;
}

std::string about(po::option_description const& option) {
  std::string text = option.description();
  auto const* known = dynamic_cast<option_value const*>(option.semantic().get());
  if (known == nullptr) return text;
  if (!known->choices().empty()) {
    text += (text.empty() ? "" : "; ") + ("one of " + joined(known->choices()));
  }
  if (!known->shown_default().empty()) {
    std::string shown;
    for (char const letter : known->shown_default()) {
      shown += letter;
      if (letter == ',') shown += ' ';
    }
    text += " (default " + shown + ")";
  }
  return text;
}

}  // namespace

void print_wrapped(std::ostream& out, std::size_t indent, std::string const& text) {
  std::istringstream words(text);
  std::string line;
  auto const flush = [&] {
    if (!line.empty()) out << std::string(indent, ' ') << line << '\n';
    line.clear();
  };
  for (std::string word; words >> word;) {
    if (!line.empty() && indent + line.size() + 1 + word.size() > help_columns) flush();
    line += (line.empty() ? "" : " ") + word;
  }
  flush();
}

void print_options(std::ostream& out, po::options_description const& group,
                   std::map<std::string, std::string> const& left_out) {
  out << caption_of(group) << '\n';
  for (auto const& option : group.options()) {
    if (left_out.contains(option->long_name())) continue;
    std::string const name = "  " + spelling(*option);
    std::ostringstream text;
    print_wrapped(text, text_column, about(*option));
    std::string const lines = text.str();
    // The text begins on the line of the option's name, or below it if the name is long.
    if (name.size() < text_column && lines.size() > text_column) {
      out << name << lines.substr(name.size());
    } else {
      out << name << '\n' << lines;
    }
  }
  out << '\n';
}

}  // namespace gridloom
