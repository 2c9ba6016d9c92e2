#include <charconv>
#include <utility>

#include "gridloom/bench/options.hpp"
#include "gridloom/parse.hpp"
#include "help.hpp"

namespace gridloom {
namespace {

namespace po = boost::program_options;

// Boost passes the text, even that of the default. The reader converts it and sets the target.
template <typename Reader>
po::value_semantic* read_by(std::string const& shown_default, char const* value_name, Reader reader,
                            std::vector<std::string> choices = {}) {
  auto* value = new option_value(shown_default, std::move(choices));
  value->value_name(value_name)->notifier(std::move(reader));
  if (!shown_default.empty()) value->default_value(shown_default);
  return value;
}

// The shortest text that reads as the same number.
std::string real_text(double number) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof(text), number).ptr};
}

}  // namespace

po::value_semantic* int_option(std::string name, int& target, int min, int max) {
  return read_by(std::to_string(target), "N",
                 [option = "--" + std::move(name), &target, min, max](std::string const& text) {
                   target = static_cast<int>(parse_int(option, text, min, max));
                 });
}

po::value_semantic* int_option(std::string name, std::int64_t& target, std::int64_t min,
                               std::int64_t max) {
  return read_by(std::to_string(target), "N",
                 [option = "--" + std::move(name), &target, min, max](std::string const& text) {
                   target = parse_int(option, text, min, max);
                 });
}

po::value_semantic* unsigned_option(std::string name, std::uint64_t& target) {
  return read_by(std::to_string(target), "N",
                 [option = "--" + std::move(name), &target](std::string const& text) {
                   target = parse_unsigned(option, text);
                 });
}

po::value_semantic* real_option(std::string name, double& target, double min, double max) {
  return read_by(real_text(target), "X",
                 [option = "--" + std::move(name), &target, min, max](std::string const& text) {
                   target = parse_real(option, text, min, max);
                 });
}

po::value_semantic* text_option(std::string& target, std::string value_name) {
  return read_by(target, value_name.c_str(), [&target](std::string const& text) { target = text; });
}

po::value_semantic* choice_option(std::string name, std::string& target,
                                  std::vector<std::string> choices) {
  return read_by(
      target, "NAME",
      [option = "--" + std::move(name), &target, choices](std::string const& text) {
        target = parse_choice(option, text, choices);
      },
      choices);
}

po::value_semantic* int_list_option(std::string name, std::vector<std::int64_t>& target,
                                    std::int64_t min, std::int64_t max) {
  std::vector<std::string> shown;
  for (std::int64_t const number : target) shown.push_back(std::to_string(number));
  return read_by(joined(shown, ","), "N,...",
                 [option = "--" + std::move(name), &target, min, max](std::string const& text) {
                   target = parse_int_list(option, text, min, max);
                 });
}

po::value_semantic* choice_list_option(std::string name, std::vector<std::string>& target,
                                       std::vector<std::string> choices) {
  return read_by(
      joined(target, ","), "NAME,...",
      [option = "--" + std::move(name), &target, choices](std::string const& text) {
        target = parse_choice_list(option, text, choices);
      },
      choices);
}

}  // namespace gridloom
