#pragma once
// Matrix Market files (Boisvert, Pozo, Remington, NISTIR 5935): coordinate matrices with real,
// integer or pattern entries and arrays with real or integer ones, general, symmetric or
// skew-symmetric, plain or compressed by gzip (told apart by content, not by name). Symmetric
// storage is expanded.
//
// An array has one value per line, column after column: all of a column, or from the diagonal down in
// symmetric storage, or below the diagonal in skew-symmetric. It becomes a sparse matrix of the
// values that are not 0: a dense file does not tell which of its zeros are entries.
//
// Nothing is allocated on the word of a header: memory follows the text that is really there.

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
  /// Entries as the file stores them, before symmetric storage is expanded; an array's zeros count.
  std::uint64_t stored_entries = 0;
};

/// What to do with a position that occurs twice.
enum class duplicates { refuse, sum };

struct market_options {
  duplicates on_duplicate = duplicates::refuse;
  /// NaN and infinities are refused otherwise.
  bool allow_non_finite = false;
};

/// Reads the first lines only.
[[nodiscard]] market_header read_market_header(std::filesystem::path const& path);

/// Reads a matrix, as no_value or double. Pattern files give ones where values are asked for; values
/// are checked and dropped where none are. Zeros of an array are no entries, zeros of a coordinate file
/// are. Comments and blank lines may stand anywhere behind the banner. Throws usage_error
/// "file:line: expected ..., got ..." on anything that is not a matrix of this library: complex
/// entries, an array of a pattern, indices out of range, an entry above the diagonal of symmetric
/// storage, a wrong number of entries, duplicates when refused, integers that double cannot hold
/// exactly, a damaged gzip stream. Summed duplicates are added in the order of the file. Peak memory:
/// about 3 times the result, 2.4 times for double. One thread.
template <matrix_value Value>
[[nodiscard]] csr_matrix<Value> read_matrix_market(std::filesystem::path const& path,
                                                   market_options const& options = {});

/// How a matrix is written.
struct market_style {
  /// Other than general: lower triangle only.
  market_symmetry symmetry = market_symmetry::general;
  /// Write "integer" entries.
  bool integer = false;
  /// Gzip.
  bool compress = false;
  /// May have several lines.
  std::string comment = {};
};

/// Writes a matrix so that reading gives it back bit for bit (the payload of a NaN apart). The file
/// is there whole or not at all. Throws std::invalid_argument when the matrix does not have the
/// symmetry or the integers that the style says, run_error when writing fails.
template <matrix_value Value>
void write_matrix_market(std::filesystem::path const& path, csr_matrix<Value> const& matrix,
                         market_style const& style = {});

}  // namespace gridloom::sparse
