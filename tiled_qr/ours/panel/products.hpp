#pragma once
// Products of panels by all threads of a block. They use the matrix units where a GPU has them for
// double, and plain loops elsewhere.
//
// The matrix unit multiplies 16 × 8 by 8 × 8 per warp (shape m16n8k8 of double; m8n8k4 has half the
// rate on compute capability 9.0). Lane l holds these entries, with r = l / 4 and c = l % 4:
//   left factor   (r, c), (r + 8, c), (r, c + 4), (r + 8, c + 4)
//   right factor  (c, r), (c + 4, r)
//   result        (r, 2c), (r, 2c + 1), (r + 8, 2c), (r + 8, 2c + 1)
//
// Plain loops add up 32 rows, and then add the result to the sum. Otherwise a host worker that has
// all rows would make one long sum. If the terms are equal, as in a column of ones, such a sum
// loses half a rounding per row.

#include "gridloom/group.hpp"
#include "gridloom/matrix_unit.hpp"
#include "ours/panel/tile.hpp"

namespace gridloom::tiled_qr::panels {

namespace detail {

/// Whether the block's warps use matrix units.
template <class Block>
GRIDLOOM_FN bool has_matrix_units(Block const& block) {
  return has_matrix_unit && block.num_threads() % 32 == 0;
}

/// Adds a quarter of leftᵀ · right, 16 × 16, over the rows [begin, end) to `c`. `c` holds the
/// quarter's two halves of 8 columns.
template <class Tile>
GRIDLOOM_FN void cross_quarter(int lane, int quarter, Tile const& left, Tile const& right,
                               int begin, int end, double (&c)[2][4]) {
  int const row0 = (quarter & 1) * 16 + lane / 4;
  int const col0 = (quarter >> 1) * 16;
  int const deep = lane % 4;
#if defined(__CUDA_ARCH__)
#pragma unroll 4
#endif
  for (int k = begin; k < end; k += 8) {
    double const a[4] = {left(k + deep, row0), left(k + deep, row0 + 8), left(k + deep + 4, row0),
                         left(k + deep + 4, row0 + 8)};
    GRIDLOOM_UNROLL
    for (int half = 0; half < 2; ++half) {
      int const col = col0 + 8 * half + lane / 4;
      double const b[2] = {right(k + deep, col), right(k + deep + 4, col)};
      multiply_add(c[half], a, b);
    }
  }
}

/// Computes target -= left · right with one warp, for 16 rows and `Parts` times 8 columns from
/// `first_col` on.
template <int Parts, class Tile, class Square>
GRIDLOOM_FN void subtract_strip(int lane, int first_row, int first_col, Tile const& left,
                                Square const& right, Tile& target) {
  int const deep = lane % 4;
  int const row = first_row + lane / 4;
  double c[Parts][4];
  GRIDLOOM_UNROLL
  for (int part = 0; part < Parts; ++part) {
    int const col = first_col + 8 * part + 2 * deep;
    c[part][0] = target(row, col);
    c[part][1] = target(row, col + 1);
    c[part][2] = target(row + 8, col);
    c[part][3] = target(row + 8, col + 1);
  }
  GRIDLOOM_UNROLL
  for (int k = deep; k < panel_width; k += 8) {
    double const a[4] = {-left(row, k), -left(row + 8, k), -left(row, k + 4),
                         -left(row + 8, k + 4)};
    GRIDLOOM_UNROLL
    for (int part = 0; part < Parts; ++part) {
      int const col = first_col + 8 * part + lane / 4;
      double const b[2] = {right(k, col), right(k + 4, col)};
      multiply_add(c[part], a, b);
    }
  }
  GRIDLOOM_UNROLL
  for (int part = 0; part < Parts; ++part) {
    int const col = first_col + 8 * part + 2 * deep;
    target(row, col) = c[part][0];
    target(row, col + 1) = c[part][1];
    target(row + 8, col) = c[part][2];
    target(row + 8, col + 1) = c[part][3];
  }
}

/// Calls f(row, col, first, second) for the entries of a quarter that a lane holds. `second` is the
/// right neighbour of `first`.
template <class Function>
GRIDLOOM_FN void for_quarter(int lane, int quarter, double (&c)[2][4], Function const& f) {
  int const row0 = (quarter & 1) * 16 + lane / 4;
  GRIDLOOM_UNROLL
  for (int half = 0; half < 2; ++half) {
    int const col = (quarter >> 1) * 16 + 8 * half + lane % 4 * 2;
    f(row0, col, c[half][0], c[half][1]);
    f(row0 + 8, col, c[half][2], c[half][3]);
  }
}

/// Returns entry (row, col) of leftᵀ · right over 32 rows from `first` on, by a plain loop.
template <class Left, class Right>
GRIDLOOM_FN work_real product_of_rows(Left const& left, Right const& right, int first, int row,
                                      int col) {
  work_real sum = left(first, row) * right(first, col);
  GRIDLOOM_NO_UNROLL
  for (int k = first + 1; k < first + panel_width; ++k) sum += left(k, row) * right(k, col);
  return sum;
}

}  // namespace detail

/// Number of parts in which `cross_products` leaves its sum.
inline constexpr int cross_parts = 2;

/// Computes leftᵀ · right over the tiles' rows [begin, end), multiples of 32. The result is the sum
/// of `cross_parts` small matrices. Ends without a barrier. The order of additions depends on the
/// machine, not on the run.
template <class Block, int Rows>
GRIDLOOM_FN void cross_products(Block const& block, panel_tile<work_real, Rows> const& left,
                                panel_tile<work_real, Rows> const& right, int begin, int end,
                                square<work_real> (&parts)[cross_parts]) {
  if (detail::has_matrix_units(block)) {
    int const middle = begin + (end - begin) / 16 * 8;
    int const warps = block.num_threads() / 32;
    for (int item = block.thread_rank() / 32; item < 4 * cross_parts; item += warps) {
      int const part = item / 4;
      int const lane = block.thread_rank() % 32;
      double c[2][4] = {};
      detail::cross_quarter(lane, item % 4, left, right, part == 0 ? begin : middle,
                            part == 0 ? middle : end, c);
      detail::for_quarter(lane, item % 4, c, [&](int row, int col, double first, double second) {
        parts[part](row, col) = first;
        parts[part](row, col + 1) = second;
      });
    }
    return;
  }
  int const all = cross_parts * panel_width * panel_width;
  for (int e = block.thread_rank(); e < all; e += block.num_threads()) {
    int const part = e / (panel_width * panel_width);
    int const row = e / panel_width % panel_width;
    int const col = e % panel_width;
    work_real sum = 0;
    for (int k = begin + part * panel_width; k < end; k += cross_parts * panel_width)
      sum += detail::product_of_rows(left, right, k, row, col);
    parts[part](row, col) = sum;
  }
}

/// out = leftᵀ · right of small matrices. Ends without a barrier.
template <class Block>
GRIDLOOM_FN void transposed_product(Block const& block, square<work_real> const& left,
                                    square<work_real> const& right, square<work_real>& out) {
  if (detail::has_matrix_units(block)) {
    int const lane = block.thread_rank() % 32;
    int const deep = lane % 4;
    for (int item = block.thread_rank() / 32; item < 8; item += block.num_threads() / 32) {
      int const row = (item & 1) * 16 + lane / 4;
      int const col = (item >> 1) * 8;
      double c[4] = {};
      GRIDLOOM_UNROLL
      for (int k = deep; k < panel_width; k += 8) {
        double const a[4] = {left(k, row), left(k, row + 8), left(k + 4, row),
                             left(k + 4, row + 8)};
        double const b[2] = {right(k, col + lane / 4), right(k + 4, col + lane / 4)};
        multiply_add(c, a, b);
      }
      out(row, col + 2 * deep) = c[0];
      out(row, col + 2 * deep + 1) = c[1];
      out(row + 8, col + 2 * deep) = c[2];
      out(row + 8, col + 2 * deep + 1) = c[3];
    }
    return;
  }
  for (int e = block.thread_rank(); e < panel_width * panel_width; e += block.num_threads()) {
    int const row = e / panel_width;
    int const col = e % panel_width;
    work_real sum = 0;
    for (int k = 0; k < panel_width; ++k) sum += left(k, row) * right(k, col);
    out(row, col) = sum;
  }
}

/// target -= left · right over the tiles' rows [begin, end), multiples of 32. Ends without a
/// barrier.
template <class Block, int Rows>
GRIDLOOM_FN void subtract_product(Block const& block, panel_tile<work_real, Rows> const& left,
                                  square<work_real> const& right, int begin, int end,
                                  panel_tile<work_real, Rows>& target) {
  if (detail::has_matrix_units(block)) {
    int const warps = block.num_threads() / 32;
    int const warp = block.thread_rank() / 32;
    if ((end - begin) / 16 >= warps) {
      for (int r = begin + warp * 16; r < end; r += warps * 16)
        detail::subtract_strip<4>(block.thread_rank() % 32, r, 0, left, right, target);
    } else {
      for (int item = warp; item < (end - begin) / 8; item += warps)
        detail::subtract_strip<2>(block.thread_rank() % 32, begin + item / 2 * 16, item % 2 * 16,
                                  left, right, target);
    }
    return;
  }
  int const rows = end - begin;
  for (int e = block.thread_rank(); e < rows * panel_width; e += block.num_threads()) {
    int const row = begin + e % rows;
    int const col = e / rows;
    work_real sum = target(row, col);
    for (int k = 0; k < panel_width; ++k) sum -= left(row, k) * right(k, col);
    target(row, col) = sum;
  }
}

/// target = target · right, all rows. Ends without a barrier.
template <class Block, int Rows>
GRIDLOOM_FN void multiply_rows(Block const& block, square<work_real> const& right,
                               panel_tile<work_real, Rows>& target) {
  // Each warp has one piece of 16 × 16. All pieces are read before any is written.
  if (detail::has_matrix_units(block) && block.num_threads() == Rows * 4) {
    int const lane = block.thread_rank() % 32;
    int const deep = lane % 4;
    int const row = block.thread_rank() / 64 * 16 + lane / 4;
    int const first_col = block.thread_rank() / 32 % 2 * 16;
    double c[2][4] = {};
    GRIDLOOM_UNROLL
    for (int k = deep; k < panel_width; k += 8) {
      double const a[4] = {target(row, k), target(row + 8, k), target(row, k + 4),
                           target(row + 8, k + 4)};
      GRIDLOOM_UNROLL
      for (int half = 0; half < 2; ++half) {
        int const col = first_col + 8 * half + lane / 4;
        double const b[2] = {right(k, col), right(k + 4, col)};
        multiply_add(c[half], a, b);
      }
    }
    block.sync();
    GRIDLOOM_UNROLL
    for (int half = 0; half < 2; ++half) {
      int const col = first_col + 8 * half + 2 * deep;
      target(row, col) = c[half][0];
      target(row, col + 1) = c[half][1];
      target(row + 8, col) = c[half][2];
      target(row + 8, col + 1) = c[half][3];
    }
    return;
  }
  for (int row = block.thread_rank(); row < Rows; row += block.num_threads()) {
    work_real entries[panel_width];
    GRIDLOOM_UNROLL
    for (int k = 0; k < panel_width; ++k) entries[k] = target(row, k);
    for (int col = 0; col < panel_width; ++col) {
      work_real sum = 0;
      GRIDLOOM_UNROLL
      for (int k = 0; k < panel_width; ++k) sum += entries[k] * right(k, col);
      target(row, col) = sum;
    }
  }
}

}  // namespace gridloom::tiled_qr::panels
