#include "market_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <concepts>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>
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
template <typename Choice>
Choice take_choice(text_source const& source, cursor& line,
                   std::span<std::pair<std::string_view, Choice> const> choices) {
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
  static constexpr std::array<std::pair<std::string_view, int>, 1> objects{{{"matrix", 0}}};
  static constexpr std::array<std::pair<std::string_view, market_format>, 2> formats{
      {{"coordinate", market_format::coordinate}, {"array", market_format::array}}};
  static constexpr std::array<std::pair<std::string_view, market_field>, 4> fields{
      {{"real", market_field::real},
       {"double", market_field::real},  // written by some programs for real
       {"integer", market_field::integer},
       {"pattern", market_field::pattern}}};
  static constexpr std::array<std::pair<std::string_view, market_symmetry>, 3> symmetries{
      {{"general", market_symmetry::general},
       {"symmetric", market_symmetry::symmetric},
       {"skew-symmetric", market_symmetry::skew}}};
  if (take_word(line) != "%%MatrixMarket") {
    refuse_line(
        source.path(), 1,
        "expected the banner \"%%MatrixMarket matrix coordinate ...\" or \"... array ...\"");
  }
  static_cast<void>(take_choice<int>(source, line, objects));
  header.format = take_choice<market_format>(source, line, formats);
  // An array of a pattern would say nothing.
  std::size_t const allowed = fields.size() - (header.format == market_format::array ? 1 : 0);
  header.field = take_choice<market_field>(source, line, std::span{fields}.first(allowed));
  header.symmetry = take_choice<market_symmetry>(source, line, symmetries);
  if (!is_empty(line)) {
    refuse_line(source.path(), 1, "expected the end of the line, got " + in_quotes(line.rest()));
  }
  if (header.field == market_field::pattern && header.symmetry == market_symmetry::skew) {
    refuse_line(source.path(), 1, "expected general or symmetric: a pattern has no sign");
  }
}

char const* sizes_of(market_header const& header) {
  return header.format == market_format::array ? "the numbers of rows and columns"
                                               : "the numbers of rows, columns and entries";
}

// Values of an array before this column. At most 2^62, since there are at most most_rows columns.
std::uint64_t values_before(market_header const& header, std::uint64_t column) {
  std::uint64_t const rows = header.num_rows;
  if (column == 0 || header.symmetry == market_symmetry::general) return column * rows;
  std::uint64_t const first = header.symmetry == market_symmetry::skew ? rows - 1 : rows;
  return column * first - column * (column - 1) / 2;
}

void take_sizes(text_source const& source, std::uint64_t number, cursor line,
                market_header& header) {
  cursor const whole = line;
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;
  bool const is_array = header.format == market_format::array;
  if (!take_unsigned(line, rows) || !take_unsigned(line, cols) ||
      (!is_array && !take_unsigned(line, header.stored_entries)) || !is_empty(line)) {
    refuse_line(source.path(), number,
                std::string("expected ") + sizes_of(header) + ", got " + in_quotes(whole.rest()));
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
  if (is_array) header.stored_entries = values_before(header, cols);
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
  bool const alone = header.format == market_format::array;
  if (header.field == market_field::integer) {
    expected = alone ? "a whole number" : "row, column and a whole number";
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
    expected = alone ? "a number in the range of the value type"
                     : "row, column and a number in the range of the value type";
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
              std::string("expected ") + sizes_of(header) + ", got the end of the file");
}

std::uint64_t filled_lines(text_block const& block) {
  std::uint64_t filled = 0;
  lines reader{block};
  for (cursor line{nullptr, nullptr}; reader.next(line);) filled += is_empty(line) ? 0 : 1;
  return filled;
}

namespace {

// Where a value of an array stands.
class array_place {
 public:
  // Of a value with this number, which the array has.
  array_place(market_header const& header, std::uint64_t number) : header_{header} {
    // The last column that begins no later.
    std::uint64_t column = 0;
    for (std::uint64_t end = header.num_cols; column + 1 < end;) {
      std::uint64_t const middle = column + (end - column) / 2;
      (values_before(header, middle) <= number ? column : end) = middle;
    }
    column_ = static_cast<std::uint32_t>(column);
    row_ = first_row() + static_cast<std::uint32_t>(number - values_before(header, column));
  }

  [[nodiscard]] std::uint32_t row() const { return row_; }
  [[nodiscard]] std::uint32_t column() const { return column_; }
  void advance() {
    if (++row_ < header_.num_rows) return;
    ++column_;
    row_ = first_row();
  }

 private:
  [[nodiscard]] std::uint32_t first_row() const {
    if (header_.symmetry == market_symmetry::general) return 0;
    return header_.symmetry == market_symmetry::skew ? column_ + 1 : column_;
  }

  market_header const& header_;
  std::uint32_t row_ = 0;
  std::uint32_t column_ = 0;
};

template <matrix_value Value>
void take_array_lines(std::filesystem::path const& path, text_block const& block,
                      market_header const& header, bool allow_non_finite, std::uint64_t before,
                      market_lines<Value>& entries) {
  // A pattern is asked for: the value still says whether there is an entry.
  using number = std::conditional_t<has_values<Value>, Value, double>;
  array_place place{header, std::min(before, header.stored_entries)};
  lines reader{block};
  for (cursor line{nullptr, nullptr}; reader.next(line);) {
    if (is_empty(line)) continue;
    cursor const whole = line;
    if (before + entries.stored >= header.stored_entries) {
      refuse_line(path, reader.number(),
                  "expected " + std::to_string(header.stored_entries) + " entries, got more");
    }
    number value{};
    char const* expected = "";
    if (!take_value(line, header, allow_non_finite, value, expected)) {
      refuse_entry(path, reader.number(), whole, expected);
    }
    if (!is_empty(line)) {
      refuse_entry(path, reader.number(), whole, "nothing behind the value");
    }
    ++entries.stored;
    if (value != 0) {
      entries.rows.push_back(place.row());
      entries.columns.push_back(place.column());
      if constexpr (has_values<Value>) entries.values.push_back(value);
    }
    place.advance();
  }
}

}  // namespace

template <matrix_value Value>
void take_market_lines(std::filesystem::path const& path, text_block const& block,
                       market_header const& header, bool allow_non_finite, std::uint64_t before,
                       market_lines<Value>& entries) {
  entries.rows.clear();
  entries.columns.clear();
  entries.values.clear();
  entries.stored = 0;
  if (header.format == market_format::array) {
    return take_array_lines(path, block, header, allow_non_finite, before, entries);
  }
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
  entries.stored = entries.rows.size();
}

template <matrix_value Value>
market_entries<Value> in_buckets(market_lines<Value> const& lines, std::uint32_t num_rows) {
  constexpr unsigned low_bits = market_entries<Value>::low_bits;
  std::size_t const count = lines.rows.size();
  market_entries<Value> entries;
  entries.stored = lines.stored;
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

#define GRIDLOOM_INSTANTIATE(Value)                                                \
  template void take_market_lines(std::filesystem::path const&, text_block const&, \
                                  market_header const&, bool, std::uint64_t,       \
                                  market_lines<Value>&);                           \
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
