#pragma once
// The lines of a Matrix Market file: the header, and the entries of one block. Private to the
// reader.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gridloom/sparse/matrix_market.hpp"
#include "text_scan.hpp"
#include "text_source.hpp"

namespace gridloom::sparse {

inline constexpr std::size_t market_block_bytes = std::size_t{1} << 20U;

/// The entries of a block as they are read, rows and columns from 0, not yet expanded.
template <matrix_value Value>
struct market_lines {
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> columns;
  std::vector<Value> values;  // empty for a pattern
  /// Entries of the block as the file has them, zeros of an array included.
  std::uint64_t stored = 0;
};

/// The entries of a block as they are kept until all are read: in buckets of 2^16 rows, so that an
/// entry of a pattern takes 6 bytes and not 8, which is what keeps the reader's memory below 3
/// times the result. Within a bucket in the order of the file.
template <matrix_value Value>
struct market_entries {
  static constexpr unsigned low_bits = 16;

  std::vector<std::uint32_t> bucket_ends;  // one a bucket
  std::vector<std::uint16_t> low_rows;     // one an entry
  std::vector<std::uint32_t> columns;
  std::vector<Value> values;
  std::uint64_t stored = 0;  // as in market_lines

  [[nodiscard]] std::size_t bucket_begin(std::size_t bucket) const {
    return bucket == 0 ? 0 : bucket_ends[bucket - 1];
  }
};

/// Reads banner, comments and sizes. The rest of the last block read, where the entries begin, is
/// left in `rest` with the number of its first line.
[[nodiscard]] market_header take_market_header(text_source& source, text_block& rest);

/// Lines of a block that are not blank, which is how many values it has of an array.
[[nodiscard]] std::uint64_t filled_lines(text_block const& block);

/// Reads all entries of a block into `entries`, whose memory is used again. `before` is how many
/// values of an array stand in the blocks before; a coordinate file does without. Throws usage_error
/// with file and line.
template <matrix_value Value>
void take_market_lines(std::filesystem::path const& path, text_block const& block,
                       market_header const& header, bool allow_non_finite, std::uint64_t before,
                       market_lines<Value>& entries);

/// The same entries in buckets.
template <matrix_value Value>
[[nodiscard]] market_entries<Value> in_buckets(market_lines<Value> const& lines,
                                               std::uint32_t num_rows);

/// Error paths, for coordinate files: the line of the entry with this number (from 0), and of the
/// n-th entry (from 0) at a position as stored. They read the file once more. 0 if there is none.
[[nodiscard]] std::uint64_t line_of_entry(std::filesystem::path const& path, std::uint64_t number);
[[nodiscard]] std::uint64_t line_of_position(std::filesystem::path const& path, std::uint32_t row,
                                             std::uint32_t column, std::uint64_t occurrence);

}  // namespace gridloom::sparse
