// Reads a Matrix Market file line by line into a list of entries, then sorts these into rows.

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <new>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "gridloom/error.hpp"
#include "gridloom/files/text_lines.hpp"
#include "gridloom/number.hpp"
#include "gridloom/parse.hpp"
#include "gridloom/sparse/matrix_market.hpp"

namespace gridloom::sparse {
namespace {

// Takes the next word of the banner, in upper or lower case, as one of the choices.
template <typename Choice, std::size_t count>
Choice take_choice(text_lines const& lines, std::string_view& line,
                   std::array<std::pair<std::string_view, Choice>, count> const& choices) {
  std::string_view const word = take_word(line);
  std::string lower{word};
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  std::string expected;
  for (auto const& [name, choice] : choices) {
    if (lower == name) return choice;
    expected += (expected.empty() ? "" : ", ") + std::string{name};
  }
  lines.refuse("one of " + expected, word);
}

void take_banner(text_lines const& lines, std::string_view line, market_header& header) {
  static constexpr std::array<std::pair<std::string_view, int>, 1> objects{{{"matrix", 0}}};
  static constexpr std::array<std::pair<std::string_view, market_format>, 2> formats{
      {{"coordinate", market_format::coordinate}, {"array", market_format::array}}};
  static constexpr std::array<std::pair<std::string_view, market_field>, 4> fields{
      {{"real", market_field::real},
       // Some programs write "double" instead of "real".
       {"double", market_field::real},
       {"integer", market_field::integer},
       {"pattern", market_field::pattern}}};
  static constexpr std::array<std::pair<std::string_view, market_symmetry>, 3> symmetries{
      {{"general", market_symmetry::general},
       {"symmetric", market_symmetry::symmetric},
       {"skew-symmetric", market_symmetry::skew}}};
  if (take_word(line) != "%%MatrixMarket") {
    lines.refuse_line(
        "expected the banner \"%%MatrixMarket matrix coordinate ...\" or \"... array ...\"");
  }
  static_cast<void>(take_choice(lines, line, objects));
  header.format = take_choice(lines, line, formats);
  header.field = take_choice(lines, line, fields);
  header.symmetry = take_choice(lines, line, symmetries);
  if (std::string_view const more = take_word(line); !more.empty()) {
    lines.refuse("the end of the line", more);
  }
  if (header.field != market_field::pattern) return;
  if (header.format == market_format::array)
    lines.refuse_line("expected an array with values, got a pattern");
  if (header.symmetry == market_symmetry::skew) {
    lines.refuse_line("expected general or symmetric, because a pattern has no sign");
  }
}

char const* size_words(market_header const& header) {
  return header.format == market_format::array ? "the numbers of rows and columns"
                                               : "the numbers of rows, columns and entries";
}

std::uint64_t values_of_array(market_symmetry symmetry, std::uint64_t rows, std::uint64_t cols) {
  if (symmetry == market_symmetry::general) return rows * cols;
  std::uint64_t const longest = symmetry == market_symmetry::skew && rows > 0 ? rows - 1 : rows;
  return longest * (longest + 1) / 2;
}

void take_sizes(text_lines const& lines, std::string_view line, market_header& header) {
  std::string_view rest = line;
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;
  bool const is_array = header.format == market_format::array;
  if (!read_number(take_word(rest), rows) || !read_number(take_word(rest), cols) ||
      (!is_array && !read_number(take_word(rest), header.stored_entries)) ||
      !take_word(rest).empty()) {
    lines.refuse(size_words(header), line);
  }
  if (rows > most_rows || cols > most_rows) {
    lines.refuse_line("expected at most " + std::to_string(most_rows) + " rows and columns, got " +
                      std::to_string(std::max(rows, cols)));
  }
  if (header.symmetry != market_symmetry::general && rows != cols) {
    lines.refuse_line("expected as many rows as columns for symmetric storage, got " +
                      std::to_string(rows) + " and " + std::to_string(cols));
  }
  header.num_rows = static_cast<std::uint32_t>(rows);
  header.num_cols = static_cast<std::uint32_t>(cols);
  if (is_array) header.stored_entries = values_of_array(header.symmetry, rows, cols);
}

// Whether the line is blank or a comment, which may stand anywhere after the banner.
bool is_skipped(std::string_view line) {
  std::string_view const first = take_word(line);
  return first.empty() || first.front() == '%';
}

market_header take_header(text_lines& lines) {
  market_header header;
  std::string_view line;
  if (!lines.next(line)) {
    lines.refuse_line("expected the banner \"%%MatrixMarket ...\", got an empty file");
  }
  take_banner(lines, line, header);
  while (lines.next(line)) {
    if (is_skipped(line)) continue;
    take_sizes(lines, line, header);
    return header;
  }
  lines.refuse_line(std::string("expected ") + size_words(header) + ", got the end of the file");
}

// Reads a word of the line as the value of an entry.
double take_value(text_lines const& lines, std::string_view line, std::string_view word,
                  market_header const& header) {
  std::string const before = header.format == market_format::array ? "" : "row, column and ";
  if (header.field == market_field::integer) {
    constexpr std::int64_t most = std::int64_t{1} << std::numeric_limits<double>::digits;
    std::int64_t whole = 0;
    if (!read_number(word, whole)) lines.refuse(before + "a whole number", line);
    if (whole > most || whole < -most) lines.refuse(before + "a whole number up to 2^53", line);
    return static_cast<double>(whole);
  }
  double value = 0;
  if (!read_number(word, value)) lines.refuse(before + "a number in the range of double", line);
  if (!std::isfinite(value)) lines.refuse("a finite value", line);
  return value;
}

// Calls visit(row, column, value) for each stored entry, with numbers from 0.
template <typename Visit>
void for_each_entry(text_lines& lines, market_header const& header, Visit visit) {
  bool const is_array = header.format == market_format::array;
  auto const symmetry = header.symmetry;
  std::string const expected = "expected " + std::to_string(header.stored_entries) + " entries";
  std::uint64_t found = 0;
  std::uint32_t next_row = symmetry == market_symmetry::skew ? 1 : 0;
  std::uint32_t next_column = 0;
  for (std::string_view line; lines.next(line);) {
    if (is_skipped(line)) continue;
    if (found++ == header.stored_entries) lines.refuse_line(expected + ", got more");
    std::string_view rest = line;
    std::uint32_t row = next_row;
    std::uint32_t column = next_column;
    double value = 1;
    if (is_array) {
      if (++next_row == header.num_rows) {
        ++next_column;
        next_row = symmetry == market_symmetry::general     ? 0
                   : symmetry == market_symmetry::symmetric ? next_column
                                                            : next_column + 1;
      }
    } else {
      std::uint64_t row_from_one = 0;
      std::uint64_t column_from_one = 0;
      if (!read_number(take_word(rest), row_from_one) ||
          !read_number(take_word(rest), column_from_one)) {
        lines.refuse("row and column", line);
      }
      if (row_from_one - 1 >= header.num_rows || column_from_one - 1 >= header.num_cols) {
        lines.refuse("row and column from 1 to " + std::to_string(header.num_rows) + " and " +
                         std::to_string(header.num_cols),
                     line);
      }
      row = static_cast<std::uint32_t>(row_from_one - 1);
      column = static_cast<std::uint32_t>(column_from_one - 1);
    }
    if (header.field != market_field::pattern) {
      value = take_value(lines, line, take_word(rest), header);
    }
    if (!take_word(rest).empty()) {
      lines.refuse(is_array ? "nothing after the value" : "nothing after the entry", line);
    }
    if (symmetry == market_symmetry::symmetric && row < column) {
      lines.refuse("the lower triangle only in symmetric storage", line);
    }
    if (symmetry == market_symmetry::skew && row <= column) {
      lines.refuse("the strict lower triangle only in skew-symmetric storage", line);
    }
    visit(row, column, value);
  }
  if (found < header.stored_entries) {
    lines.refuse_line(expected + ", got the end of the file after " + std::to_string(found));
  }
}

// The stored entries of a file.
template <matrix_value Value>
struct entry_list {
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> columns;
  // Empty for a pattern.
  std::vector<Value> values;

  void reserve(std::size_t count) {
    rows.reserve(count);
    columns.reserve(count);
    if constexpr (has_values<Value>) values.reserve(count);
  }
  void add(std::uint32_t row, std::uint32_t column, [[maybe_unused]] double value) {
    rows.push_back(row);
    columns.push_back(column);
    if constexpr (has_values<Value>) values.push_back(value);
  }
};

// Sorts the entries of one row by column.
template <matrix_value Value>
void sort_row(csr_matrix<Value>& matrix, std::uint32_t row,
              std::vector<std::pair<std::uint32_t, Value>>& scratch) {
  auto const begin = static_cast<std::ptrdiff_t>(matrix.row_offsets[row]);
  auto const end = static_cast<std::ptrdiff_t>(matrix.row_offsets[row + 1]);
  auto const first = matrix.columns.begin() + begin;
  auto const last = matrix.columns.begin() + end;
  if (std::is_sorted(first, last)) return;
  if constexpr (has_values<Value>) {
    scratch.clear();
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      scratch.emplace_back(matrix.columns[i], matrix.values[i]);
    }
    std::ranges::sort(scratch, {}, &std::pair<std::uint32_t, Value>::first);
    for (std::size_t i = 0; i < scratch.size(); ++i) {
      matrix.columns[static_cast<std::size_t>(begin) + i] = scratch[i].first;
      matrix.values[static_cast<std::size_t>(begin) + i] = scratch[i].second;
    }
  } else {
    std::sort(first, last);
  }
}

// A counting sort by rows.
template <matrix_value Value>
csr_matrix<Value> in_rows(entry_list<Value> const& list, market_header const& header) {
  bool const is_half = header.symmetry != market_symmetry::general;
  csr_matrix<Value> matrix;
  matrix.num_rows = header.num_rows;
  matrix.num_cols = header.num_cols;
  std::vector<std::uint64_t>& offsets = matrix.row_offsets;
  offsets.assign(std::size_t{header.num_rows} + 1, 0);
  for (std::size_t i = 0; i < list.rows.size(); ++i) {
    ++offsets[list.rows[i]];
    if (is_half && list.rows[i] != list.columns[i]) ++offsets[list.columns[i]];
  }
  // While entries are placed, offsets[r] is where the next entry of row r goes.
  std::exclusive_scan(offsets.begin(), offsets.end(), offsets.begin(), std::uint64_t{0});
  matrix.columns.resize(offsets.back());
  if constexpr (has_values<Value>) matrix.values.resize(offsets.back());
  for (std::size_t i = 0; i < list.rows.size(); ++i) {
    std::uint32_t const row = list.rows[i];
    std::uint32_t const column = list.columns[i];
    auto const place = [&](std::uint32_t r, std::uint32_t c, [[maybe_unused]] bool negate) {
      std::uint64_t const at = offsets[r]++;
      matrix.columns[at] = c;
      if constexpr (has_values<Value>)
        matrix.values[at] = negate ? -list.values[i] : list.values[i];
    };
    place(row, column, false);
    if (is_half && row != column) place(column, row, header.symmetry == market_symmetry::skew);
  }
  std::copy_backward(offsets.begin(), offsets.end() - 1, offsets.end());
  offsets.front() = 0;
  std::vector<std::pair<std::uint32_t, Value>> scratch;
  for (std::uint32_t row = 0; row < matrix.num_rows; ++row) sort_row(matrix, row, scratch);
  return matrix;
}

// Reads the file again to name the line that repeats a position.
void refuse_duplicate(std::filesystem::path const& path, std::uint32_t row, std::uint32_t column) {
  text_lines lines{path};
  market_header const header = take_header(lines);
  // The file stores the lower triangle only.
  if (header.symmetry != market_symmetry::general && row < column) std::swap(row, column);
  bool is_second = false;
  for_each_entry(lines, header, [&](std::uint32_t r, std::uint32_t c, double) {
    if (r != row || c != column) return;
    if (!std::exchange(is_second, true)) return;
    lines.refuse_line("expected each position once, got row " + std::to_string(row + 1) +
                      ", column " + std::to_string(column + 1) + " again");
  });
}

template <matrix_value Value>
void require_distinct(std::filesystem::path const& path, csr_matrix<Value> const& matrix) {
  for (std::uint32_t row = 0; row < matrix.num_rows; ++row) {
    auto const columns = matrix.row(row);
    auto const twice = std::adjacent_find(columns.begin(), columns.end());
    if (twice != columns.end()) refuse_duplicate(path, row, *twice);
  }
}

// CSR needs a word per row, so a wrong number of rows in a tiny file could take 16 GB. Up to 2^24
// rows are always accepted. More rows need at least one entry per 64 rows; matrices from
// applications have more.
void require_plausible(text_lines const& lines, market_header const& header) {
  constexpr std::uint64_t always_plausible = std::uint64_t{1} << 24U;
  constexpr std::uint64_t rows_per_entry = 64;
  std::uint64_t const rows = std::max(header.num_rows, header.num_cols);
  if (rows <= always_plausible || rows / rows_per_entry <= header.stored_entries) return;
  lines.refuse_line("expected at least one entry per 64 rows and columns, got " +
                    std::to_string(rows) + " of them and " + std::to_string(header.stored_entries) +
                    " entries");
}

// If there are more entries than positions, some must repeat.
void refuse_repeats(text_lines const& lines, market_header const& header) {
  std::uint64_t const positions = std::uint64_t{header.num_rows} * header.num_cols;
  if (header.stored_entries > positions) {
    lines.refuse_line("expected at most rows x columns = " + std::to_string(positions) +
                      " entries, got " + std::to_string(header.stored_entries));
  }
}

}  // namespace

market_header read_market_header(std::filesystem::path const& path) {
  text_lines lines{path};
  return take_header(lines);
}

template <matrix_value Value>
csr_matrix<Value> read_matrix_market(std::filesystem::path const& path) {
  try {
    text_lines lines{path};
    market_header const header = take_header(lines);
    refuse_repeats(lines, header);
    require_plausible(lines, header);
    entry_list<Value> list;
    // A file, even a compressed one, hardly has more entries than bytes.
    list.reserve(std::min(header.stored_entries, lines.file_bytes()));
    bool const skip_zeros = header.format == market_format::array;
    for_each_entry(lines, header, [&](std::uint32_t row, std::uint32_t column, double value) {
      if (!skip_zeros || value != 0) list.add(row, column, value);
    });
    csr_matrix<Value> matrix = in_rows(list, header);
    require_distinct(path, matrix);
    return matrix;
  } catch (std::bad_alloc const&) {
    throw usage_error(path.string() + ": does not fit into memory");
  }
}

template csr_matrix<no_value> read_matrix_market(std::filesystem::path const&);
template csr_matrix<double> read_matrix_market(std::filesystem::path const&);

}  // namespace gridloom::sparse
