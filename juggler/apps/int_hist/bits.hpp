#pragma once
// The pixels of a tile, or of a part of one, as bits in the shared memory of a block. There is one bit per bin and pixel,
// in words for each bin and row. A row's count up to a column is the number of bits up to that
// column. So each thread walks down its columns and writes four counts per access, without waiting
// for other threads.

#include <cstdint>

#include "gridloom/async_copy.hpp"
#include "gridloom/atomic.hpp"
#include "gridloom/group.hpp"

namespace gridloom::juggler::int_hist {

/// Columns per word of bits.
inline constexpr int word_columns = 32;
/// Words per row of a bin.
[[nodiscard]] GRIDLOOM_FN constexpr int words_of_row(int tile) {
  return (tile + word_columns - 1) / word_columns;
}

/// The elements of one access: a part of a row or of a column.
template <int Width>
struct alignas(4 * Width) piece {
  std::uint32_t of[Width];
};
/// The piece at an address, which must be aligned to the piece's size.
template <int Width>
[[nodiscard]] GRIDLOOM_FN piece<Width>& piece_at(std::uint32_t* first) {
  return *reinterpret_cast<piece<Width>*>(first);
}
template <int Width>
[[nodiscard]] GRIDLOOM_FN piece<Width> const& piece_at(std::uint32_t const* first) {
  return *reinterpret_cast<piece<Width> const*>(first);
}

/// View of the bits of consecutive bins. A `Width` above 1 must divide the tile's number of rows.
struct tile_bits {
  /// Word `word` of a bin and row is at ((bin - first_bin) × words of a row + word) × tile + row.
  std::uint32_t* words;
  int tile;
  int first_bin;
  int bins;
  /// Distance of the rows of pixels and counts: more than `tile` for a part of a tile.
  int stride;

  /// Reads the tile's pixels. The pixel values are divided among `all_bins` bins. Called by all
  /// threads of a block, which synchronises in between and at the end. Calls beside(), whose copies
  /// by copy_async are complete at the end, too.
  template <int Width, thread_group Block, class Beside>
  GRIDLOOM_FN void read(Block const& block, std::uint8_t const* pixels, int all_bins,
                        Beside const& beside) const {
    struct alignas(Width) some_pixels {
      std::uint8_t of[Width];
    };
    // Number of overlapping accesses per thread.
    constexpr int batch = 4;
    int const rank = block.thread_rank();
    int const threads = block.num_threads();
    int const row_pieces = tile / Width;
    direct_memory memory;
    for (int k = rank; k < bins * words_of_row(tile) * tile; k += threads) words[k] = 0;
    for (int begin = 0; begin < tile * row_pieces; begin += batch * threads) {
      some_pixels found[batch] = {};
      GRIDLOOM_UNROLL
      for (int n = 0; n < batch; ++n) {
        int const k = begin + rank + n * threads;
        int const place =
            stride == tile ? k * Width : k / row_pieces * stride + k % row_pieces * Width;
        if (k < tile * row_pieces) found[n] = *reinterpret_cast<some_pixels const*>(pixels + place);
      }
      if (begin == 0) {
        beside();
        // Waits until all words are 0.
        block.sync();
      }
      GRIDLOOM_UNROLL
      for (int n = 0; n < batch; ++n) {
        int const k = begin + rank + n * threads;
        if (k >= tile * row_pieces) break;
        int const row = k / row_pieces;
        int const col = (k - row * row_pieces) * Width;
        GRIDLOOM_UNROLL
        for (int x = 0; x < Width; ++x) {
          int const bin = (found[n].of[x] * all_bins >> 8) - first_bin;
          if (bin < 0 || bin >= bins) continue;
          // Additions are safe, because each bit is set only once.
          memory.fetch_add_relaxed(words_of(bin, (col + x) / word_columns) + row,
                                   1U << (col + x) % word_columns);
        }
      }
    }
    wait_for_copies<0>();
    block.sync();
  }

  /// The number of pixels of a bin in a row.
  [[nodiscard]] GRIDLOOM_FN std::uint32_t in_row(int bin, int row) const {
    std::uint32_t sum = 0;
    GRIDLOOM_NO_UNROLL
    for (int word = 0; word < words_of_row(tile); ++word)
      sum += static_cast<std::uint32_t>(count_lanes(words_of(bin, word)[row]));
    return sum;
  }

  /// Calls visit(bin, column) once for each bin and each piece of a row; the threads share the
  /// calls. Here bins count from 0, whatever first_bin is.
  template <int Width, thread_group Block, class Visit>
  GRIDLOOM_FN void for_each_piece(Block const& block, Visit const& visit) const {
    int const row_pieces = tile / Width;
    for (int k = block.thread_rank(); k < bins * row_pieces; k += block.num_threads()) {
      int const bin = k / row_pieces;
      visit(bin, (k - bin * row_pieces) * Width);
    }
  }

  /// Walks down the rows of `Width` columns. In each row, adds two numbers to each column's count:
  /// the row's bits up to that column, and an element of more(row). more(row) returns the elements
  /// of `Width` rows. Then calls then(count).
  template <int Width, class More, class Then>
  GRIDLOOM_FN void go_down(int bin, int col, piece<Width>& count, More const& more,
                           Then const& then) const {
    int const own_word = col / word_columns;
    int const first_col = col % word_columns;
    for (int row = 0; row < tile; row += Width) {
      piece<Width> const here = piece_at<Width>(words_of(bin, own_word) + row);
      piece<Width> up_to = more(row);
      GRIDLOOM_NO_UNROLL
      for (int word = 0; word < own_word; ++word) {
        piece<Width> const left = piece_at<Width>(words_of(bin, word) + row);
        GRIDLOOM_UNROLL
        for (int k = 0; k < Width; ++k)
          up_to.of[k] += static_cast<std::uint32_t>(count_lanes(left.of[k]));
      }
      GRIDLOOM_UNROLL
      for (int k = 0; k < Width; ++k) {
        std::uint32_t sum = up_to.of[k] + static_cast<std::uint32_t>(
                                              count_lanes(here.of[k] & lanes_below(first_col)));
        std::uint32_t const own = here.of[k] >> first_col;
        GRIDLOOM_UNROLL
        for (int x = 0; x < Width; ++x) {
          sum += own >> x & 1U;
          count.of[x] += sum;
        }
        then(count);
      }
    }
  }

  /// Writes the tile's counts, bin after bin. For each bin, `left` has each row's pixels to the
  /// left of the tile, and `above` the counts of the row above the tile.
  template <int Width, thread_group Block>
  GRIDLOOM_FN void write(Block const& block, std::uint32_t const* left, std::uint32_t const* above,
                         std::uint32_t* counts) const {
    std::int64_t const cells = std::int64_t{stride} * stride;
    for_each_piece<Width>(block, [&](int bin, int col) {
      std::uint32_t* to = counts + bin * cells + col;
      piece<Width> count = piece_at<Width>(above + bin * tile + col);
      go_down(
          bin, col, count, [&](int row) { return piece_at<Width>(left + bin * tile + row); },
          [&](piece<Width> const& now) {
            piece_at<Width>(to) = now;
            to += stride;
          });
    });
  }

 private:
  [[nodiscard]] GRIDLOOM_FN std::uint32_t* words_of(int bin, int word) const {
    return words + (bin * words_of_row(tile) + word) * tile;
  }
};

}  // namespace gridloom::juggler::int_hist
