#pragma once
// Products of panels, by all threads of a block: on the matrix units where a GPU has some for the
// type (double), by plain loops elsewhere. A leaf: which machine runs it is asked here and nowhere
// above.
//
// The matrix unit multiplies 16 × 8 by 8 × 8 a warp. Lane l holds of the left factor the entries
// (l / 4, l % 4), 8 rows lower, 4 columns to the right, and both; of the right factor (l % 4, l / 4)
// and 4 rows lower; of the result (l / 4, 2 (l % 4)), its right neighbour, and both 8 rows lower.
// (Shape m16n8k8 of double; m8n8k4 has half the rate on compute capability 9.0.)

#include "gridloom/group.hpp"
#include "tiled_qr/panel/tile.hpp"

namespace gridloom::tiled_qr::panels {

namespace detail {

#if defined(__CUDA_ARCH__)
inline constexpr bool on_device = true;

__device__ inline void multiply_add(double (&c)[4], double const (&a)[4], double const (&b)[2]) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 "
      "{%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#else
  for (int half = 0; half < 2; ++half)
    for (int step = 0; step < 2; ++step)
      asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%3},{%0,%1};"
                   : "+d"(c[2 * half]), "+d"(c[2 * half + 1])
                   : "d"(a[2 * step + half]), "d"(b[step]));
#endif
}
#else
inline constexpr bool on_device = false;
template <class Real>
void multiply_add(Real (&)[4], Real const (&)[4], Real const (&)[2]) {}
#endif

/// Whether the block's warps are to use matrix units.
template <class Real, class Block>
GRIDLOOM_FN bool has_matrix_units(Block const& block) {
  return on_device && sizeof(Real) == sizeof(double) && block.num_threads() % 32 == 0;
}

/// One 16 × 16 quarter of leftᵀ · right over the rows [begin, end): adds it to `c`, which holds the
/// two halves of 8 columns.
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

/// Calls f(row, col, first, second) for the entries of a quarter that a lane has: two in a row.
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

}  // namespace detail

/// Parts that `cross_products` leaves its sum in.
inline constexpr int cross_parts = 2;

/// leftᵀ · right over the tiles' rows [begin, end), multiples of 32, as a sum of `cross_parts` small
/// matrices. Ends without a barrier. The order of additions depends on the machine, not on the run.
template <class Block, class Real, int Rows>
GRIDLOOM_FN void cross_products(Block const& block, panel_tile<Real, Rows> const& left,
                                panel_tile<Real, Rows> const& right, int begin, int end,
                                square<Real> (&parts)[cross_parts]) {
  int const middle = begin + (end - begin) / 16 * 8;
  if constexpr (sizeof(Real) == sizeof(double)) {
    if (detail::has_matrix_units<Real>(block)) {
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
  }
  int const all = cross_parts * panel_width * panel_width;
  for (int e = block.thread_rank(); e < all; e += block.num_threads()) {
    int const part = e / (panel_width * panel_width);
    int const row = e / panel_width % panel_width;
    int const col = e % panel_width;
    Real sum = 0;
    for (int k = part == 0 ? begin : middle; k < (part == 0 ? middle : end); ++k)
      sum += left(k, row) * right(k, col);
    parts[part](row, col) = sum;
  }
}

/// Adds leftᵀ · right over all rows of the tiles to a small matrix in device memory, row after row,
/// of which nothing is read if `is_first`. Each entry is one thread's. Ends without a barrier.
template <class Block, class Real, int Rows>
GRIDLOOM_FN void add_cross_products(Block const& block, panel_tile<Real, Rows> const& left,
                                    panel_tile<Real, Rows> const& right, bool is_first, Real* sum) {
  if constexpr (sizeof(Real) == sizeof(double)) {
    if (detail::has_matrix_units<Real>(block)) {
      int const warps = block.num_threads() / 32;
      for (int quarter = block.thread_rank() / 32; quarter < 4; quarter += warps) {
        int const lane = block.thread_rank() % 32;
        double c[2][4] = {};
        double before[2][4] = {};
        if (!is_first)
          detail::for_quarter(lane, quarter, before,
                              [&](int row, int col, double& first, double& second) {
                                auto const two = *reinterpret_cast<detail::pair_of<double> const*>(
                                    sum + row * panel_width + col);
                                first = two.first;
                                second = two.second;
                              });
        detail::cross_quarter(lane, quarter, left, right, 0, Rows, c);
        GRIDLOOM_UNROLL
        for (int half = 0; half < 2; ++half) GRIDLOOM_UNROLL
        for (int q = 0; q < 4; ++q) c[half][q] += before[half][q];
        detail::for_quarter(lane, quarter, c, [&](int row, int col, double first, double second) {
          *reinterpret_cast<detail::pair_of<double>*>(sum + row * panel_width + col) = {first,
                                                                                        second};
        });
      }
      return;
    }
  }
  for (int e = block.thread_rank(); e < panel_width * panel_width; e += block.num_threads()) {
    Real value = is_first ? Real{0} : sum[e];
    for (int k = 0; k < Rows; ++k) value += left(k, e / panel_width) * right(k, e % panel_width);
    sum[e] = value;
  }
}

/// out = leftᵀ · right of small matrices. Ends without a barrier.
template <class Block, class Real>
GRIDLOOM_FN void transposed_product(Block const& block, square<Real> const& left,
                                    square<Real> const& right, square<Real>& out) {
  if constexpr (sizeof(Real) == sizeof(double)) {
    if (detail::has_matrix_units<Real>(block)) {
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
          detail::multiply_add(c, a, b);
        }
        out(row, col + 2 * deep) = c[0];
        out(row, col + 2 * deep + 1) = c[1];
        out(row + 8, col + 2 * deep) = c[2];
        out(row + 8, col + 2 * deep + 1) = c[3];
      }
      return;
    }
  }
  for (int e = block.thread_rank(); e < panel_width * panel_width; e += block.num_threads()) {
    int const row = e / panel_width;
    int const col = e % panel_width;
    Real sum = 0;
    for (int k = 0; k < panel_width; ++k) sum += left(k, row) * right(k, col);
    out(row, col) = sum;
  }
}

/// target -= left · right over the tiles' rows [begin, end), multiples of 32. Ends without a barrier.
template <class Block, class Real, int Rows>
GRIDLOOM_FN void subtract_product(Block const& block, panel_tile<Real, Rows> const& left,
                                  square<Real> const& right, int begin, int end,
                                  panel_tile<Real, Rows>& target) {
  if constexpr (sizeof(Real) == sizeof(double)) {
    if (detail::has_matrix_units<Real>(block)) {
      int const lane = block.thread_rank() % 32;
      int const deep = lane % 4;
      int const step = block.num_threads() / 32 * 16;
      for (int r = begin + block.thread_rank() / 32 * 16; r < end; r += step) {
        int const row = r + lane / 4;
        double c[4][4];
        GRIDLOOM_UNROLL
        for (int part = 0; part < 4; ++part) {
          int const col = 8 * part + 2 * deep;
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
          for (int part = 0; part < 4; ++part) {
            int const col = 8 * part + lane / 4;
            double const b[2] = {right(k, col), right(k + 4, col)};
            detail::multiply_add(c[part], a, b);
          }
        }
        GRIDLOOM_UNROLL
        for (int part = 0; part < 4; ++part) {
          int const col = 8 * part + 2 * deep;
          target(row, col) = c[part][0];
          target(row, col + 1) = c[part][1];
          target(row + 8, col) = c[part][2];
          target(row + 8, col + 1) = c[part][3];
        }
      }
      return;
    }
  }
  int const rows = end - begin;
  for (int e = block.thread_rank(); e < rows * panel_width; e += block.num_threads()) {
    int const row = begin + e % rows;
    int const col = e / rows;
    Real sum = target(row, col);
    for (int k = 0; k < panel_width; ++k) sum -= left(row, k) * right(k, col);
    target(row, col) = sum;
  }
}

/// target = target · right, all rows. Ends without a barrier.
template <class Block, class Real, int Rows>
GRIDLOOM_FN void multiply_rows(Block const& block, square<Real> const& right,
                               panel_tile<Real, Rows>& target) {
  if constexpr (sizeof(Real) == sizeof(double)) {
    if (detail::has_matrix_units<Real>(block)) {
      int const lane = block.thread_rank() % 32;
      int const deep = lane % 4;
      for (int r = block.thread_rank() / 32 * 16; r < Rows; r += block.num_threads() / 32 * 16) {
        int const row = r + lane / 4;
        // All of the warp's rows are in registers before a matrix unit is done with the first of them,
        // which takes all lanes; so nothing is overwritten that a lane still needs.
        double a[panel_width / 8][4];
        GRIDLOOM_UNROLL
        for (int k = 0; k < panel_width / 8; ++k) {
          a[k][0] = target(row, 8 * k + deep);
          a[k][1] = target(row + 8, 8 * k + deep);
          a[k][2] = target(row, 8 * k + deep + 4);
          a[k][3] = target(row + 8, 8 * k + deep + 4);
        }
        double c[4][4] = {};
        GRIDLOOM_UNROLL
        for (int part = 0; part < 4; ++part) {
          int const col = 8 * part + lane / 4;
          GRIDLOOM_UNROLL
          for (int k = 0; k < panel_width / 8; ++k) {
            double const b[2] = {right(8 * k + deep, col), right(8 * k + deep + 4, col)};
            detail::multiply_add(c[part], a[k], b);
          }
        }
        GRIDLOOM_UNROLL
        for (int part = 0; part < 4; ++part) {
          int const col = 8 * part + 2 * deep;
          target(row, col) = c[part][0];
          target(row, col + 1) = c[part][1];
          target(row + 8, col) = c[part][2];
          target(row + 8, col + 1) = c[part][3];
        }
      }
      return;
    }
  }
  for (int row = block.thread_rank(); row < Rows; row += block.num_threads()) {
    Real entries[panel_width];
    for (int k = 0; k < panel_width; ++k) entries[k] = target(row, k);
    for (int col = 0; col < panel_width; ++col) {
      Real sum = 0;
      for (int k = 0; k < panel_width; ++k) sum += entries[k] * right(k, col);
      target(row, col) = sum;
    }
  }
}

}  // namespace gridloom::tiled_qr::panels
