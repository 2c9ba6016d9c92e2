#pragma once
// Computes A W in one pass over the rows, for a small upper triangular W. For reflectors V it
// computes V W, plus the identity in the first rows.
//
// A chunk of rows is in shared memory. A warp computes some halves of the result's 32 × 32 squares
// in registers and writes them to the matrix. Each warp reads W from the cache, some steps ahead of
// its products. This read-ahead continues into the next product and the next chunk.
//
// MK.R1. One block reads and writes a chunk's rows, and it loads all of them before it writes any.
//     So the result may take A's place.
// MK.R2. The previous launch may have used the memory of the result, if that is not A. So the
//     kernel writes there only after the end of that launch.

#include "gridloom/group.hpp"
#include "ours/tall/row_stages.hpp"

namespace gridloom::tiled_qr {

/// Copies W to the layout that the kernel reads. The 32 × 32 squares of W's upper triangle follow
/// each other in the order of block_pair. Each is row-major, with zeros below W's diagonal and
/// beyond its edges.
template <class Real>
struct spread_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;

  Real const* from;
  std::int64_t n;
  int pairs;
  work_real* to;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& /*shared*/) const {
    for (int number = block.index(); number < pairs; number += block.count()) {
      block_pair const pair = block_pair::of(number);
      for (int e = block.thread_rank(); e < square_size; e += block.num_threads()) {
        std::int64_t const row = panel_width * pair.i + e % panel_width;
        std::int64_t const col = panel_width * pair.j + e / panel_width;
        to[std::size_t(number) * square_size + e % panel_width * panel_width + e / panel_width] =
            row <= col && col < n ? static_cast<work_real>(from[row + col * n]) : work_real{0};
      }
    }
  }
};

/// A lane's share of half a 32 × 32 square of A W. The half has 2 × 2 tiles of 16 × 8, and a lane
/// has four entries of each.
using half_of_block = work_real[2][2][4];

namespace detail {

/// A step of a product takes 8 rows of W.
inline constexpr int product_step = 8;
inline constexpr int square_steps = panel_width / product_step;
/// How many steps ahead W is loaded. The chunks leave little of the first-level cache, so W comes
/// from the second level. More steps would take registers that a pass with sums needs.
inline constexpr int steps_ahead = 2;
static_assert(square_steps % steps_ahead == 0);

/// A lane's share of W in a step: two numbers of a column in each of two groups of 8 columns.
using lane_factors = work_real[2][2];

GRIDLOOM_FN inline void load_factors(work_real const* w, int step, lane_factors& to) {
  GRIDLOOM_UNROLL
  for (int e = 0; e < 4; ++e)
    to[e / 2][e % 2] = w[(product_step * step + e % 2 * 4) * panel_width + e / 2 * 8];
}

}  // namespace detail

/// The half square that a warp computes in one of two turns per chunk.
struct half_place {
  bool is_there;
  int j;
  int part;
  int first_col;

  GRIDLOOM_FN static half_place of(int warp, int turn, tall_shape const& shape) {
    constexpr int warps = tall_threads / 32;
    // The longest halves come first. Warps take them forwards and then backwards, so that all warps
    // have about the same work.
    int const a_panel = 2 * shape.parts;
    int const item = turn * warps + (turn == 0 ? warp : warps - 1 - warp);
    return {item < a_panel * shape.panels, shape.panels - 1 - item / a_panel, item % a_panel / 2,
            item % 2 * 16};
  }
  /// Where a lane's share of W begins.
  GRIDLOOM_FN work_real const* factors(int lane, work_real const* right) const {
    return right + std::size_t(block_pair{0, j}.number()) * square_size + lane % 4 * panel_width +
           first_col + lane / 4;
  }
};

/// Prefetches the first elements of W that a lane needs for its next product. Used only if the
/// block has eight warps.
struct coming_factors {
  /// All threads of the block construct it together.
  template <class Block>
  GRIDLOOM_FN coming_factors(Block const& block, tall_shape const& shape, work_real const* right) {
    if (!has_eight_warps(block)) return;
    int const rank = block.thread_rank();
    work_real const* const w = half_place::of(rank / 32, 0, shape).factors(rank % 32, right);
    GRIDLOOM_UNROLL
    for (int step = 0; step < detail::steps_ahead; ++step) detail::load_factors(w, step, of[step]);
  }
  /// The lane's elements of W for the next steps. A step's index is its number modulo steps_ahead.
  detail::lane_factors of[detail::steps_ahead];
};

/// Adds half a square of panel j: the product of the tiles' 32 rows and W, by one warp. `w` is
/// where the lane's share of W begins in the panel. `coming` holds the prefetched part of `w`, and
/// on return that of `following`.
GRIDLOOM_FN inline void add_half_product(int lane, row_tile const* tiles, work_real const* w, int j,
                                         work_real const* following, coming_factors& coming,
                                         half_of_block& c) {
  int const deep = lane % 4;
  int const across = lane / 4;
  GRIDLOOM_NO_UNROLL
  for (int i = 0; i <= j; ++i, w += square_size) {
    work_real const* const after = i < j ? w + square_size : following;
    row_tile const& left = tiles[i];
    GRIDLOOM_UNROLL
    for (int step = 0; step < detail::square_steps; ++step) {
      detail::lane_factors& slot = coming.of[step % detail::steps_ahead];
      detail::lane_factors const b = {{slot[0][0], slot[0][1]}, {slot[1][0], slot[1][1]}};
      int const later = step + detail::steps_ahead;
      detail::load_factors(later < detail::square_steps ? w : after, later % detail::square_steps,
                           slot);
      int const k = detail::product_step * step + deep;
      GRIDLOOM_UNROLL
      for (int strip = 0; strip < 2; ++strip) {
        int const row = 16 * strip + across;
        work_real const a[4] = {left(row, k), left(row + 8, k), left(row, k + 4),
                                left(row + 8, k + 4)};
        GRIDLOOM_UNROLL
        for (int eight = 0; eight < 2; ++eight) multiply_add(c[strip][eight], a, b[eight]);
      }
    }
  }
}

/// Calls f(row, col, value) for the lane's values, within the 32 × 32 square.
template <class Function>
GRIDLOOM_FN void for_half_block(int lane, int first_col, half_of_block const& c,
                                Function const& f) {
  GRIDLOOM_UNROLL
  for (int e = 0; e < 16; ++e) {
    int const strip = e / 8;
    int const eight = e / 4 % 2;
    f(16 * strip + lane / 4 + e / 2 % 2 * 8, first_col + 2 * (lane % 4) + 8 * eight + e % 2,
      c[strip][eight][e % 4]);
  }
}

/// Calls f(part, j, row, col, value) for every entry of a chunk's product with W, which is `right`.
/// The entry is (row, col) in the 32 rows number `part` and in column panel j. A thread always gets
/// the same entries. `coming` holds the prefetched part of W. On return it holds that of `after`,
/// the W of the next product.
template <class Block, class Function>
GRIDLOOM_FN void for_products(Block const& block, tall_shape const& shape, row_tile const* tiles,
                              work_real const* right, coming_factors& coming,
                              work_real const* after, Function const& f) {
  if (has_eight_warps(block)) {
    int const lane = block.thread_rank() % 32;
    int const warp = block.thread_rank() / 32;
    half_place const begin = half_place::of(warp, 0, shape);
    half_place at = begin;
    for (int turn = 0; turn < 2 && at.is_there; ++turn) {
      half_place const next = turn == 0 ? half_place::of(warp, 1, shape) : half_place{};
      work_real const* const following =
          next.is_there ? next.factors(lane, right) : begin.factors(lane, after);
      half_of_block c = {};
      add_half_product(lane, tiles + at.part * shape.panels, at.factors(lane, right), at.j,
                       following, coming, c);
      for_half_block(lane, at.first_col, c,
                     [&](int row, int col, work_real value) { f(at.part, at.j, row, col, value); });
      at = next;
    }
    return;
  }
  int const part_columns = shape.panels * panel_width;
  for (int e = block.thread_rank(); e < shape.parts * part_columns; e += block.num_threads()) {
    int const part = e / part_columns;
    int const j = e % part_columns / panel_width;
    int const col = e % panel_width;
    work_real sums[panel_width] = {};
    for (int i = 0; i <= j; ++i) {
      work_real const* const w = right + std::size_t(block_pair{i, j}.number()) * square_size + col;
      row_tile const& left = tiles[part * shape.panels + i];
      for (int k = 0; k < panel_width; ++k)
        for (int row = 0; row < panel_width; ++row) sums[row] += left(row, k) * w[k * panel_width];
    }
    for (int row = 0; row < panel_width; ++row) f(part, j, row, col, sums[row]);
  }
}

template <class Real, tall_kind Kind = tall_kind::as_they_stand>
struct multiply_kernel {
  static constexpr bool persistent = false;
  static constexpr bool overlaps_previous = Kind == tall_kind::reflectors;
  static constexpr int max_threads = tall_threads;

  struct scratch {
    row_stages ring;
  };

  matrix_ref<Real> matrix;
  tall_shape shape;
  /// W in the layout of spread_kernel.
  work_real const* right;
  /// The result, which has the matrix's size.
  matrix_ref<Real> to;
  /// Number of the first row that is written.
  std::int64_t first_written = 0;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    if constexpr (overlaps_previous) block.wait_for_previous_launch();  // MK.R2
    coming_factors coming(block, shape, right);
    for_chunks<Kind>(block, matrix, shape, block.index(), block.count(), shared.ring,
                     [&](std::int64_t first_row, row_tile const* tiles) {
                       bool const is_inside = is_written(first_row);
                       for_products(block, shape, tiles, right, coming, right,
                                    [&](int part, int j, int row, int col, work_real value) {
                                      put(is_inside, first_row + part * panel_width + row,
                                          std::int64_t{j} * panel_width + col, value);
                                    });
                     });
  }

 private:
  /// Whether a whole chunk is written as it is, so that its entries need no checks. It must lie
  /// inside the matrix and below rows that are skipped or get ones.
  GRIDLOOM_FN bool is_written(std::int64_t first_row) const {
    bool const is_below = Kind != tall_kind::reflectors || first_row >= to.cols;
    return is_below && first_row >= first_written && has_chunk(to, shape, first_row);
  }
  GRIDLOOM_FN void put(bool is_inside, std::int64_t row, std::int64_t col, work_real value) const {
    if (!is_inside) {
      if (row < first_written || !to.has(row, col)) return;
      if constexpr (Kind == tall_kind::reflectors) value += work_real(row == col);
    }
    *to.at(row, col) = static_cast<Real>(value);
  }
};

}  // namespace gridloom::tiled_qr
