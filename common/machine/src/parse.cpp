#include "gridloom/parse.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "gridloom/error.hpp"
#include "gridloom/number.hpp"
#include "gridloom/printable.hpp"

namespace gridloom {
namespace {

[[noreturn]] void refuse(std::string_view option, std::string const& expected,
                         std::string_view text) {
  throw usage_error(std::string{option} + ": expected " + expected + ", got " + in_quotes(text));
}

template <typename Number>
std::string range_text(Number min, Number max, std::string (*show)(Number)) {
  using limits = std::numeric_limits<Number>;
  if (min == limits::lowest() && max == limits::max()) return "";
  if (max == limits::max()) return " >= " + show(min);
  if (min == limits::lowest()) return " <= " + show(max);
  return " from " + show(min) + " to " + show(max);
}

std::string show_int(std::int64_t number) { return std::to_string(number); }

}  // namespace

std::vector<std::string_view> split_at_commas(std::string_view text) {
  std::vector<std::string_view> items;
  for (std::size_t start = 0;;) {
    std::size_t const comma = text.find(',', start);
    items.push_back(text.substr(start, comma - start));
    if (comma == std::string_view::npos) return items;
    start = comma + 1;
  }
}

std::string shown(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", number);
  return text;
}

std::string timeout_text(double seconds) {
  return "timeout after " + shown(seconds) + " s (--timeout-s)";
}

std::string joined(std::span<std::string const> words, std::string_view separator) {
  std::string text;
  for (std::string const& word : words) {
    if (!text.empty()) text += separator;
    text += word;
  }
  return text;
}

std::string shortened(std::string_view text) {
  constexpr std::size_t longest = 80;
  std::string_view shown = text.substr(0, longest);
  // Cuts between two characters, not inside one.
  while (shown.size() < text.size() &&
         (static_cast<unsigned char>(text[shown.size()]) & 0xc0U) == 0x80U &&
         shown.size() + 4 > longest) {
    shown.remove_suffix(1);
  }
  return printable(shown) + (shown.size() < text.size() ? "..." : "");
}

std::string in_quotes(std::string_view text) { return "\"" + shortened(text) + "\""; }

std::int64_t parse_int(std::string_view option, std::string_view text, std::int64_t min,
                       std::int64_t max) {
  std::int64_t number = 0;
  if (!read_number(text, number) || number < min || number > max) {
    refuse(option, "a whole number" + range_text(min, max, show_int), text);
  }
  return number;
}

std::uint64_t parse_unsigned(std::string_view option, std::string_view text) {
  std::uint64_t number = 0;
  if (!read_number(text, number)) refuse(option, "a whole number from 0 to 2^64 - 1", text);
  return number;
}

double parse_real(std::string_view option, std::string_view text, double min, double max) {
  double number = 0.0;
  if (!read_number(text, number) || !std::isfinite(number) || number < min || number > max) {
    refuse(option, "a number" + range_text(min, max, shown), text);
  }
  return number;
}

std::string parse_choice(std::string_view option, std::string_view text,
                         std::span<std::string const> choices) {
  if (std::find(choices.begin(), choices.end(), text) == choices.end()) {
    refuse(option, "one of " + joined(choices), text);
  }
  return std::string{text};
}

std::vector<std::int64_t> parse_int_list(std::string_view option, std::string_view text,
                                         std::int64_t min, std::int64_t max) {
  std::vector<std::int64_t> numbers;
  for (std::string_view const item : split_at_commas(text)) {
    std::int64_t number = 0;
    if (!read_number(item, number) || number < min || number > max) {
      refuse(option, "whole numbers" + range_text(min, max, show_int) + " separated by commas",
             text);
    }
    numbers.push_back(number);
  }
  return numbers;
}

std::vector<std::string> parse_choice_list(std::string_view option, std::string_view text,
                                           std::span<std::string const> choices) {
  std::vector<std::string> chosen;
  for (std::string_view const item : split_at_commas(text)) {
    if (std::find(choices.begin(), choices.end(), item) == choices.end()) {
      refuse(option, "some of " + joined(choices) + " separated by commas", item);
    }
    if (std::find(chosen.begin(), chosen.end(), item) != chosen.end()) {
      refuse(option, "each choice once", text);
    }
    chosen.emplace_back(item);
  }
  return chosen;
}

}  // namespace gridloom
