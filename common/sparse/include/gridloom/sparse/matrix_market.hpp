#pragma once
// Matrix Market files (Boisvert, Pozo, Remington, NISTIR 5935). Supported are coordinate matrices
// with real, integer or pattern entries, and arrays with real or integer values. They may be
// general, symmetric or skew-symmetric, and plain or compressed by gzip (recognised by content).
// Symmetric storage is expanded.
//
// An array has one value per line, column after column. Symmetric storage has the values from the
// diagonal down, skew-symmetric storage those below the diagonal. An array becomes a sparse matrix
// of its nonzero values.
//
// Memory grows with the text that is read, so a wrong size in a header does no harm.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "gridloom/sparse/csr.hpp"

namespace gridloom::sparse {

enum class market_format { coordinate, array };
enum class market_field { real, integer, pattern };
enum class market_symmetry { general, symmetric, skew };

struct market_header {
  market_format format = market_format::coordinate;
  market_field field = market_field::real;
  market_symmetry symmetry = market_symmetry::general;
  std::uint32_t num_rows = 0;
  std::uint32_t num_cols = 0;
  /// Number of entries in the file, before symmetric storage is expanded. Zeros of an array count.
  std::uint64_t stored_entries = 0;
};

/// Reads only the first lines.
[[nodiscard]] market_header read_market_header(std::filesystem::path const& path);

/// Reads a matrix with Value no_value or double. For double, entries of a pattern are 1. For
/// no_value, values are checked and dropped. Zeros of an array are not entries; zeros of a
/// coordinate file are. Comments and blank lines may stand anywhere after the banner.
///
/// Throws usage_error "file:line: expected ..., got ..." for
/// - complex entries, an array of a pattern, and a damaged gzip stream;
/// - indices out of range, an entry above the diagonal of symmetric storage, a position that
///   occurs twice;
/// - a wrong number of entries, and values that double cannot represent, NaN and infinities.
///
/// Peak memory: about 3 times the result; for double, 2.4 times. Uses one thread.
template <matrix_value Value>
[[nodiscard]] csr_matrix<Value> read_matrix_market(std::filesystem::path const& path);

}  // namespace gridloom::sparse
