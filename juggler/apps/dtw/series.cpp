#include "apps/dtw/series.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "apps/dtw/input.hpp"
#include "gridloom/error.hpp"
#include "gridloom/files/text_lines.hpp"
#include "gridloom/number.hpp"
#include "gridloom/random.hpp"

namespace gridloom::juggler::dtw {

namespace {

constexpr std::string_view blanks = " \t";
constexpr std::string_view separators = ", \t";

void skip_blanks(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
}

/// All numbers of a line except the first, which is the class.
std::vector<double> numbers_of(text_lines const& lines, std::string_view const whole) {
  std::vector<double> numbers;
  std::string_view line = whole;
  skip_blanks(line);
  for (bool more = true; more;) {
    std::string_view const word =
        line.substr(0, std::min(line.find_first_of(separators), line.size()));
    if (word.empty()) lines.refuse("a number in each field", whole);
    line.remove_prefix(word.size());
    double value = 0;
    if (!read_number(word, value) || std::isinf(value)) lines.refuse("numbers", word);
    numbers.push_back(value);
    skip_blanks(line);
    more = !line.empty();
    if (more && line.front() == ',') {
      line.remove_prefix(1);
      skip_blanks(line);
    }
  }
  while (!numbers.empty() && std::isnan(numbers.back())) numbers.pop_back();
  if (numbers.size() < 2) lines.refuse("a class and at least one number", whole);
  numbers.erase(numbers.begin());
  if (std::any_of(numbers.begin(), numbers.end(), [](double value) { return std::isnan(value); }))
    lines.refuse("numbers", "NaN");
  return numbers;
}

}  // namespace

std::vector<double> make_series(std::int64_t length, std::uint64_t seed) {
  random_source random(seed);
  std::vector<double> values;
  double at = 0;
  for (std::int64_t k = 0; k < length; ++k) values.push_back(at += random.unit() - 0.5);
  return values;
}

std::vector<double> read_series(std::string const& file, std::int64_t number) {
  text_lines lines(file);
  std::int64_t seen = 0;
  for (std::string_view line; lines.next(line);) {
    if (line.find_first_not_of(blanks) == line.npos) continue;
    if (++seen == number) return numbers_of(lines, line);
  }
  lines.refuse_file("expected at least " + std::to_string(number) + " series, got " +
                    std::to_string(seen));
}

/// No cost exceeds the largest difference times the length of the longest path.
void require_fit(input const& given, std::string const& name) {
  double largest = 0;
  for (double const value : given.x) largest = std::max(largest, std::fabs(value));
  for (double const value : given.y) largest = std::max(largest, std::fabs(value));
  double const costs = 2 * largest * static_cast<double>(given.x.size() + given.y.size());
  double const most =
      given.single ? double{std::numeric_limits<float>::max()} : std::numeric_limits<double>::max();
  if (costs < most) return;
  std::ostringstream text;
  text << name << ": values up to " << largest << " have costs beyond what "
       << (given.single ? "float" : "double") << " holds";
  throw usage_error(text.str());
}

}  // namespace gridloom::juggler::dtw
