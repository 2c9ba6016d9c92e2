#pragma once
// Copies whole rows of a tall matrix to a block's shared memory, for all kernels that go over the
// rows. Chunks of rows go through a ring of stages: while one chunk is used, the next two are
// copied.
//
// A stage is cut into tiles of 32 × 32. With fewer columns a chunk has more rows, so that the
// copies under way always have about the same size.

#include <cstdint>
#include <type_traits>

#include "ours/panel/products.hpp"
#include "ours/stream/memory.hpp"
#include "ours/stream/rows.hpp"

namespace gridloom::tiled_qr {

using panels::matrix_ref;
using panels::panel_width;
using panels::square_size;
using panels::work_real;

inline constexpr int most_panels = 8;
/// Largest number of columns of a matrix.
inline constexpr int most_tall_cols = most_panels * panel_width;

/// Number of tiles of a stage. Three stages of 72 KiB each fit into a block of compute capability
/// 9.0. Not tuned by measurement yet.
inline constexpr int stage_tiles = most_panels;
inline constexpr int stages = 3;
inline constexpr int tall_threads = 256;

/// What the entries of a tall matrix mean.
enum class tall_kind {
  as_they_stand,
  /// Reflectors as LAPACK leaves them, with R in place of their ones and zeros.
  reflectors
};

using row_tile = panels::panel_tile<work_real, panel_width>;

struct row_stages {
  row_tile tiles[stages][stage_tiles];
};

/// How rows are cut into chunks, and chunks into tiles. Tile (part, j) has rows 32 · part to 32 ·
/// part + 31 of the chunk, in column panel j. Its number in the stage is part · panels + j.
struct tall_shape {
  int panels;
  /// A chunk has `parts` × 32 rows.
  int parts;
  std::int64_t chunks;

  static tall_shape of(std::int64_t rows, std::int64_t cols) {
    int const panels = static_cast<int>((cols + panel_width - 1) / panel_width);
    int parts = 1;
    while (2 * parts * panels <= stage_tiles) parts *= 2;
    std::int64_t const chunk_rows = std::int64_t{parts} * panel_width;
    return {panels, parts, (rows + chunk_rows - 1) / chunk_rows};
  }
  GRIDLOOM_FN std::int64_t chunk_rows() const { return std::int64_t{parts} * panel_width; }
  /// Number of 32 × 32 squares of an upper triangle.
  GRIDLOOM_FN int pairs() const { return panels * (panels + 1) / 2; }
};

/// Square (i, j) of an upper triangle of squares, i <= j, has number j (j + 1) / 2 + i.
struct block_pair {
  int i;
  int j;
  GRIDLOOM_FN int number() const { return j * (j + 1) / 2 + i; }
  GRIDLOOM_FN static block_pair of(int number) {
    int j = 0;
    while ((j + 1) * (j + 2) / 2 <= number) ++j;
    return {number - j * (j + 1) / 2, j};
  }
};

/// Replaces R by ones and zeros in a chunk's tiles. A barrier must separate the call from the
/// loading. Ends with a barrier.
template <class Block>
GRIDLOOM_NOINLINE GRIDLOOM_FN void put_unit_triangle(Block const& block, tall_shape const& shape,
                                                     std::int64_t first_row, std::int64_t cols,
                                                     row_tile* tiles) {
  for (int number = 0; number < shape.parts * shape.panels; ++number) {
    std::int64_t const row0 = first_row + number / shape.panels * panel_width;
    std::int64_t const col0 = std::int64_t{number % shape.panels} * panel_width;
    if (row0 > col0) continue;
    for (int e = block.thread_rank(); e < square_size; e += block.num_threads()) {
      std::int64_t const row = row0 + e % panel_width;
      std::int64_t const col = col0 + e / panel_width;
      if (row <= col && col < cols)
        tiles[number](e % panel_width, e / panel_width) = work_real(row == col);
    }
  }
  block.sync();
}

/// Whether the block uses matrix units. The kernels need eight warps for them.
template <class Block>
GRIDLOOM_FN bool has_eight_warps(Block const& block) {
  return panels::detail::has_matrix_units(block) && block.num_threads() == tall_threads;
}

/// Starts to copy a tile whose rows cannot be copied in pairs. The caller ends the group of copies.
template <class Block, class Real>
GRIDLOOM_NOINLINE GRIDLOOM_FN void load_single_rows(Block const& block, matrix_ref<Real> from,
                                                    panels::chunk_place at, row_tile& to) {
#if defined(__CUDA_ARCH__)
#pragma unroll 4
#endif
  for (int e = block.thread_rank(); e < square_size; e += block.num_threads()) {
    int const row = e % panel_width;
    int const col = e / panel_width;
    Real const* const source = from.at(at.begin + row, at.first_col + col);
    if constexpr (std::is_same_v<Real, work_real>)
      copy_async(&to(row, col), source);
    else
      to(row, col) = static_cast<work_real>(*source);
  }
}

/// Starts to copy a tile, with zeros beyond the matrix's edges.
template <class Block, class Real>
GRIDLOOM_FN void load_row_tile(Block const& block, matrix_ref<Real> from, panels::chunk_place at,
                               row_tile& to) {
  bool const is_whole =
      at.begin + panel_width <= from.rows && at.first_col + panel_width <= from.cols;
  if (is_whole && !panels::detail::has_pairs(from))
    load_single_rows(block, from, at, to);
  else
    panels::load_chunk(block, from, at, to);
}

/// Whether all rows and columns of a chunk lie inside the matrix.
template <class Real>
GRIDLOOM_FN bool has_chunk(matrix_ref<Real> matrix, tall_shape const& shape,
                           std::int64_t first_row) {
  return first_row + shape.chunk_rows() <= matrix.rows &&
         std::int64_t{shape.panels} * panel_width == matrix.cols;
}

/// Whether chunks inside the matrix are copied by load_whole_chunk.
template <class Block, class Real>
GRIDLOOM_FN bool has_whole_chunks(Block const& block, matrix_ref<Real> from,
                                  tall_shape const& shape) {
  return std::is_same_v<Real, work_real> && has_eight_warps(block) &&
         from.cols == std::int64_t{shape.panels} * panel_width && panels::detail::has_pairs(from);
}

/// Starts to copy a chunk that lies inside the matrix. load_row_tile could copy it, too, but checks
/// the place of each pair of rows. With eight warps these checks took nearly as long as a chunk's
/// products.
template <class Real>
GRIDLOOM_FN void load_whole_chunk(int thread, matrix_ref<Real> from, tall_shape const& shape,
                                  std::int64_t first_row, row_tile* tiles) {
  using pair = panels::detail::pair_of<Real>;
  constexpr int pairs = panel_width / 2;
  constexpr int cols = tall_threads / pairs;
  int const row = thread % pairs * 2;
  int const col = thread / pairs;
  Real const* source = from.at(first_row + row, col);
  for (int j = 0; j < shape.panels; ++j) {
    GRIDLOOM_UNROLL
    for (int turn = 0; turn < panel_width / cols; ++turn) {
      GRIDLOOM_NO_UNROLL
      for (int part = 0; part < shape.parts; ++part)
        copy_async(reinterpret_cast<pair*>(&tiles[part * shape.panels + j](row, col + turn * cols)),
                   reinterpret_cast<pair const*>(source + part * panel_width));
      source += cols * from.leading;
    }
  }
}

/// Calls f(first row, tiles) for the chunks `member`, `member` + `members` and so on. All threads
/// of the block call it; f may write the chunk's rows of the matrix. Ends with a barrier. If the
/// ring has only two stages, f may use the memory of the third.
template <tall_kind Kind, int Ring = stages, class Block, class Real, class Function>
GRIDLOOM_FN void for_chunks(Block const& block, matrix_ref<Real> from, tall_shape const& shape,
                            int member, int members, row_stages& ring, Function const& f) {
  static_assert(Ring == 2 || Ring == 3);
  bool const has_whole = has_whole_chunks(block, from, shape);
  auto const start = [&](std::int64_t chunk, int stage) {
    bool is_whole = false;
    if constexpr (std::is_same_v<Real, work_real>) {
      is_whole = has_whole && (chunk + 1) * shape.chunk_rows() <= from.rows;
      if (is_whole)
        load_whole_chunk(block.thread_rank(), from, shape, chunk * shape.chunk_rows(),
                         ring.tiles[stage]);
    }
    if (!is_whole && chunk < shape.chunks) {
      for (int part = 0; part < shape.parts; ++part)
        for (int j = 0; j < shape.panels; ++j)
          load_row_tile(
              block, from,
              {std::int64_t{j} * panel_width, chunk * shape.chunk_rows() + part * panel_width, 0},
              ring.tiles[stage][part * shape.panels + j]);
    }
    end_copy_group();
  };
  start(member, 0);
  if constexpr (Ring > 2) start(member + members, 1);
  int stage = 0;
  for (std::int64_t chunk = member; chunk < shape.chunks; chunk += members) {
    wait_for_copies<Ring - 2>();
    // The chunk has arrived, and all threads are done with the previous one.
    block.sync();
    start(chunk + (Ring - 1) * std::int64_t{members}, stage == 0 ? Ring - 1 : stage - 1);
    std::int64_t const first_row = chunk * shape.chunk_rows();
    if constexpr (Kind == tall_kind::reflectors) {
      if (first_row < from.cols)
        put_unit_triangle(block, shape, first_row, from.cols, ring.tiles[stage]);
    }
    f(first_row, ring.tiles[stage]);
    stage = stage + 1 == Ring ? 0 : stage + 1;
  }
  wait_for_copies<0>();
  block.sync();
}

}  // namespace gridloom::tiled_qr
