#include "check.hpp"

#include <string>

#include "gridloom/error.hpp"

namespace gridloom::sparse {
namespace {

[[noreturn]] void refuse(std::string_view place, std::string const& message) {
  throw usage_error(std::string{place} + ": " + message);
}

void check_count(char const* what, std::uint64_t expected, std::uint64_t got,
                 std::string_view place) {
  if (got == expected) return;
  refuse(place, std::string{what} + ": expected " + std::to_string(expected) + " entries, got " +
                    std::to_string(got));
}

void check_dimension(char const* what, std::uint32_t size, std::string_view place) {
  if (size <= most_rows) return;
  refuse(place, std::string{"expected at most "} + std::to_string(most_rows) + " " + what +
                    ", got " + std::to_string(size));
}

void check_offsets(std::vector<std::uint64_t> const& offsets, std::uint64_t entries,
                   std::string_view place) {
  if (offsets.front() != 0) {
    refuse(place, "row 0: expected to begin at entry 0, got " + std::to_string(offsets.front()));
  }
  for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
    if (offsets[row + 1] >= offsets[row] && offsets[row + 1] <= entries) continue;
    refuse(place, "row " + std::to_string(row) + ": expected to end between entries " +
                      std::to_string(offsets[row]) + " and " + std::to_string(entries) + ", got " +
                      std::to_string(offsets[row + 1]));
  }
  if (offsets.back() != entries) {
    refuse(place, "row_offsets: expected the last to be the number of entries " +
                      std::to_string(entries) + ", got " + std::to_string(offsets.back()));
  }
}

// Throws for the first violation in a row that has one.
[[noreturn]] void refuse_row(std::uint32_t row, std::span<std::uint32_t const> columns,
                             std::uint32_t num_cols, std::string_view place) {
  std::string const here = "row " + std::to_string(row) + ": expected ";
  for (std::size_t k = 0;; ++k) {
    if (columns[k] >= num_cols) {
      refuse(place, here + "columns below " + std::to_string(num_cols) + ", got " +
                        std::to_string(columns[k]));
    }
    if (k > 0 && columns[k] == columns[k - 1]) {
      refuse(place, here + "distinct columns, got " + std::to_string(columns[k]) + " twice");
    }
    if (k > 0 && columns[k] < columns[k - 1]) {
      refuse(place, here + "ascending columns, got " + std::to_string(columns[k]) + " after " +
                        std::to_string(columns[k - 1]));
    }
  }
}

}  // namespace

template <matrix_value Value>
void check(csr_matrix<Value> const& matrix, std::string_view place) {
  check_dimension("rows", matrix.num_rows, place);
  check_dimension("columns", matrix.num_cols, place);
  check_count("row_offsets", std::uint64_t{matrix.num_rows} + 1, matrix.row_offsets.size(), place);
  check_count("values", has_values<Value> ? matrix.num_entries() : 0, matrix.values.size(), place);
  check_offsets(matrix.row_offsets, matrix.num_entries(), place);
  for (std::uint32_t row = 0; row < matrix.num_rows; ++row) {
    // The smallest value allowed for the next column.
    std::uint64_t least = 0;
    bool sound = true;
    for (std::uint32_t const column : matrix.row(row)) {
      sound = sound && column >= least && column < matrix.num_cols;
      least = std::uint64_t{column} + 1;
    }
    if (!sound) refuse_row(row, matrix.row(row), matrix.num_cols, place);
  }
}

template void check(csr_matrix<no_value> const&, std::string_view);
template void check(csr_matrix<float> const&, std::string_view);
template void check(csr_matrix<double> const&, std::string_view);

}  // namespace gridloom::sparse
