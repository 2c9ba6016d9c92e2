// The limits on the size of a matrix.

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "generators.hpp"
#include "gridloom/error.hpp"

namespace gridloom::sparse {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{64} << 30U;

std::uint64_t machine_bytes() {
  long const pages = sysconf(_SC_PHYS_PAGES);
  long const page_bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return most_bytes;
  return times(static_cast<std::uint64_t>(pages), static_cast<std::uint64_t>(page_bytes));
}

std::string gibibytes(std::uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GiB", static_cast<double>(bytes) * 0x1p-30);
  return text;
}

}  // namespace

void require_fits(std::string_view generator, std::uint64_t rows, std::uint64_t bytes) {
  std::string const place{generator};
  if (rows > most_rows) {
    throw usage_error(place + ": expected at most " + std::to_string(most_rows) + " rows, got " +
                      (rows == saturated ? "more than 2^64" : std::to_string(rows)));
  }
  static std::uint64_t const limit = std::min(most_bytes, machine_bytes());
  if (bytes > limit) {
    throw usage_error(place + ": expected to need at most " + gibibytes(limit) +
                      " of memory, got " + gibibytes(bytes));
  }
}

csr_matrix<double> allocated(extent const& size) {
  csr_matrix<double> matrix;
  matrix.num_rows = matrix.num_cols = static_cast<std::uint32_t>(size.rows);
  matrix.row_offsets.resize(size.rows + 1);
  matrix.columns.resize(size.entries);
  matrix.values.resize(size.entries);
  return matrix;
}

}  // namespace gridloom::sparse
