#include "market_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <concepts>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

#include "gridloom/error.hpp"
#include "gridloom/parse.hpp"

namespace gridloom::sparse {
namespace {

// Lines of a block, with their numbers.
class lines {
 public:
  explicit lines(text_block const& block)
      : text_{block.text.data(), block.text.data() + block.text.size()},
        number_{block.first_line - 1} {}

  [[nodiscard]] bool next(cursor& line) {
    if (text_.done()) return false;
    line = take_line(text_);
    ++number_;
    return true;
  }
  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] std::string_view rest() const { return text_.rest(); }

 private:
  cursor text_;
  std::uint64_t number_;
};

// Lines of the whole file, for what is not worth the threads.
class all_lines {
 public:
  explicit all_lines(text_source& source) : source_{source} {}

  [[nodiscard]] bool next(cursor& line) {
    while (!lines_.next(line)) {
      if (!source_.next(block_, market_block_bytes)) return false;
      lines_ = lines{block_};
    }
    return true;
  }
  [[nodiscard]] std::uint64_t number() const { return lines_.number(); }

  // What was not read of the block.
  void hand_over(text_block& rest) const {
    rest.text.assign(lines_.rest().begin(), lines_.rest().end());
    rest.first_line = number() + 1;
    rest.line_ends = block_.first_line + block_.line_ends - rest.first_line;
  }

 private:
  text_source& source_;
  text_block block_;
  lines lines_{block_};
};

std::string lower_case(std::string_view word) {
  std::string lower{word};
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

bool is_empty(cursor line) {
  skip_blanks(line);
  return line.done();
}

// The next word of the banner, as one of the choices.
template <typename Choice, std::size_t N>
Choice take_choice(text_source const& source, cursor& line,
                   std::array<std::pair<std::string_view, Choice>, N> const& choices) {
  std::string_view const word = take_word(line);
  std::string const lower = lower_case(word);
  std::string expected;
  for (auto const& [name, choice] : choices) {
    if (lower == name) return choice;
    expected += (expected.empty() ? "" : ", ") + std::string{name};
  }
  refuse_line(source.path(), 1, "expected one of " + expected + ", got " + in_quotes(word));
}

void take_banner(text_source const& source, cursor line, market_header& header) {
  using choice = std::pair<std::string_view, int>;
  if (take_word(line) != "%%MatrixMarket") {
    refuse_line(source.path(), 1, "expected the banner \"%%MatrixMarket matrix coordinate ...\"");
  }
  static_cast<void>(take_choice(source, line, std::array{choice{"matrix", 0}}));
  static_cast<void>(take_choice(source, line, std::array{choice{"coordinate", 0}}));
  header.field =
      take_choice(source, line,
                  std::array<std::pair<std::string_view, market_field>, 4>{
                      {{"real", market_field::real},
                       {"double", market_field::real},  // written by some programs for real
                       {"integer", market_field::integer},
                       {"pattern", market_field::pattern}}});
  header.symmetry = take_choice(source, line,
                                std::array<std::pair<std::string_view, market_symmetry>, 3>{
                                    {{"general", market_symmetry::general},
                                     {"symmetric", market_symmetry::symmetric},
                                     {"skew-symmetric", market_symmetry::skew}}});
  if (!is_empty(line)) {
    refuse_line(source.path(), 1, "expected the end of the line, got " + in_quotes(line.rest()));
  }
  if (header.field == market_field::pattern && header.symmetry == market_symmetry::skew) {
    refuse_line(source.path(), 1, "expected general or symmetric: a pattern has no sign");
  }
}

void take_sizes(text_source const& source, std::uint64_t number, cursor line,
                market_header& header) {
  cursor const whole = line;
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;
  if (!take_unsigned(line, rows) || !take_unsigned(line, cols) ||
      !take_unsigned(line, header.stored_entries) || !is_empty(line)) {
    refuse_line(
        source.path(), number,
        "expected the numbers of rows, columns and entries, got " + in_quotes(whole.rest()));
  }
  if (rows > most_rows || cols > most_rows) {
    refuse_line(source.path(), number,
                "expected at most " + std::to_string(most_rows) + " rows and columns, got " +
                    std::to_string(std::max(rows, cols)));
  }
  header.size_line = number;
  header.num_rows = static_cast<std::uint32_t>(rows);
  header.num_cols = static_cast<std::uint32_t>(cols);
  if (header.symmetry != market_symmetry::general && rows != cols) {
    refuse_line(source.path(), number,
                "expected as many rows as columns for symmetric storage, got " +
                    std::to_string(rows) + " and " + std::to_string(cols));
  }
}

[[noreturn]] void refuse_entry(std::filesystem::path const& path, std::uint64_t number, cursor line,
                               std::string const& expected) {
  refuse_line(path, number, "expected " + expected + ", got " + in_quotes(line.rest()));
}

// The value of an entry; when false, `expected` says what should stand there.
template <matrix_value Value>
bool take_value(cursor& line, market_header const& header, bool allow_non_finite, Value& value,
                char const*& expected) {
  if (header.field == market_field::pattern) {
    if constexpr (has_values<Value>) value = 1;
    return true;
  }
  // What is dropped is still read.
  std::conditional_t<has_values<Value>, Value, double> number = 0;
  if (header.field == market_field::integer) {
    expected = "row, column and a whole number";
    skip_blanks(line);
    bool const negative = !line.done() && *line.at == '-';
    if (!line.done() && (*line.at == '-' || *line.at == '+')) ++line.at;
    std::uint64_t magnitude = 0;
    if (line.done() || is_blank(*line.at) || !take_unsigned(line, magnitude)) return false;
    if constexpr (has_values<Value>) {
      expected = "a whole number that the value type holds exactly";
      if (magnitude > (std::uint64_t{1} << std::numeric_limits<Value>::digits)) return false;
    }
    number = static_cast<decltype(number)>(magnitude);
    if (negative) number = -number;
  } else {
    expected = "row, column and a number in the range of the value type";
    if (!take_real(line, number)) return false;
    expected = "a finite value";
    if (!allow_non_finite && !std::isfinite(number)) return false;
  }
  if constexpr (has_values<Value>) value = number;
  return true;
}

}  // namespace

market_header take_market_header(text_source& source, text_block& rest) {
  market_header header;
  all_lines reader{source};
  cursor line{nullptr, nullptr};
  if (!reader.next(line)) {
    refuse_line(source.path(), 1, "expected the banner \"%%MatrixMarket ...\", got an empty file");
  }
  take_banner(source, line, header);
  while (reader.next(line)) {
    if (is_empty(line) || *line.at == '%') continue;
    take_sizes(source, reader.number(), line, header);
    reader.hand_over(rest);
    return header;
  }
  refuse_line(source.path(), reader.number() + 1,
              "expected the numbers of rows, columns and entries, got the end of the file");
}

template <matrix_value Value>
void take_market_lines(std::filesystem::path const& path, text_block const& block,
                       market_header const& header, bool allow_non_finite,
                       market_lines<Value>& entries) {
  entries.rows.clear();
  entries.columns.clear();
  entries.values.clear();
  lines reader{block};
  for (cursor line{nullptr, nullptr}; reader.next(line);) {
    cursor const whole = line;
    std::uint64_t row = 0;
    std::uint64_t column = 0;
    Value value{};
    if (!take_unsigned(line, row) || !take_unsigned(line, column)) {
      if (is_empty(whole)) continue;
      refuse_entry(path, reader.number(), whole, "row and column");
    }
    if (row - 1 >= header.num_rows || column - 1 >= header.num_cols) {
      refuse_entry(path, reader.number(), whole,
                   "row and column from 1 to " + std::to_string(header.num_rows) + " and " +
                       std::to_string(header.num_cols));
    }
    char const* expected = "";
    if (!take_value(line, header, allow_non_finite, value, expected)) {
      refuse_entry(path, reader.number(), whole, expected);
    }
    if (!is_empty(line)) {
      refuse_entry(path, reader.number(), whole, "nothing behind the entry");
    }
    if (header.symmetry == market_symmetry::symmetric && row < column) {
      refuse_entry(path, reader.number(), whole, "the lower triangle only in symmetric storage");
    }
    if (header.symmetry == market_symmetry::skew && row <= column) {
      refuse_entry(path, reader.number(), whole,
                   "the strict lower triangle only in skew-symmetric storage");
    }
    entries.rows.push_back(static_cast<std::uint32_t>(row - 1));
    entries.columns.push_back(static_cast<std::uint32_t>(column - 1));
    if constexpr (has_values<Value>) entries.values.push_back(value);
  }
}

template <matrix_value Value>
market_entries<Value> in_buckets(market_lines<Value> const& lines, std::uint32_t num_rows) {
  constexpr unsigned low_bits = market_entries<Value>::low_bits;
  std::size_t const count = lines.rows.size();
  market_entries<Value> entries;
  // A counting sort, which keeps the order of equal rows.
  std::vector<std::uint32_t>& ends = entries.bucket_ends;
  ends.assign((std::size_t{num_rows} >> low_bits) + 1, 0);
  for (std::uint32_t const row : lines.rows) ++ends[row >> low_bits];
  std::exclusive_scan(ends.begin(), ends.end(), ends.begin(), 0U);
  entries.low_rows.resize(count);
  entries.columns.resize(count);
  if constexpr (has_values<Value>) entries.values.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t const row = lines.rows[i];
    std::uint32_t const at = ends[row >> low_bits]++;  // ends up as the end
    entries.low_rows[at] = static_cast<std::uint16_t>(row);
    entries.columns[at] = lines.columns[i];
    if constexpr (has_values<Value>) entries.values[at] = lines.values[i];
  }
  return entries;
}

#define GRIDLOOM_INSTANTIATE(Value)                                                  \
  template void take_market_lines(std::filesystem::path const&, text_block const&,   \
                                  market_header const&, bool, market_lines<Value>&); \
  template market_entries<Value> in_buckets(market_lines<Value> const&, std::uint32_t);
GRIDLOOM_INSTANTIATE(no_value)
GRIDLOOM_INSTANTIATE(float)
GRIDLOOM_INSTANTIATE(double)
#undef GRIDLOOM_INSTANTIATE

namespace {

// Line of the n-th entry that the predicate wants; 0 if there is none.
template <typename Wanted>
std::uint64_t find_line(std::filesystem::path const& path, std::uint64_t n, Wanted&& wanted) {
  text_source source{path};
  text_block block;
  static_cast<void>(take_market_header(source, block));
  do {
    lines reader{block};
    for (cursor line{nullptr, nullptr}; reader.next(line);) {
      std::uint64_t row = 0;
      std::uint64_t column = 0;
      if (!take_unsigned(line, row) || !take_unsigned(line, column)) continue;
      if (wanted(row - 1, column - 1) && n-- == 0) return reader.number();
    }
  } while (source.next(block, market_block_bytes));
  return 0;
}

}  // namespace

std::uint64_t line_of_entry(std::filesystem::path const& path, std::uint64_t number) {
  return find_line(path, number, [](std::uint64_t, std::uint64_t) { return true; });
}

std::uint64_t line_of_position(std::filesystem::path const& path, std::uint32_t row,
                               std::uint32_t column, std::uint64_t occurrence) {
  return find_line(path, occurrence,
                   [=](std::uint64_t r, std::uint64_t c) { return r == row && c == column; });
}

}  // namespace gridloom::sparse
