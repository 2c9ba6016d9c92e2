#pragma once
// The data that a block has in shared memory while it works on a column panel. These are its rows
// of the panel, its rows of the applied reflectors, and small square matrices.
//
// The blocks of a team take row blocks of `panel_width` rows in turn. So the unfinished rows of all
// blocks shrink evenly as the factorisation moves down.

#include <cstddef>
#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom::tiled_qr::panels {

/// Number of columns of a panel, and of rows of a row block. A power of two; the products require
/// 32.
inline constexpr int panel_width = 32;

/// Entries of a small square matrix without gaps.
inline constexpr int square_size = panel_width * panel_width;

/// The number of panels or row blocks for `n` columns or rows.
GRIDLOOM_FN constexpr std::int64_t in_panels(std::int64_t n) {
  return (n + panel_width - 1) / panel_width;
}

/// Distance of two rows of a small square matrix in shared memory. It is four more than the width,
/// so that the 4 × 8 pieces that a matrix unit loads lie in 32 different banks.
inline constexpr int square_stride = panel_width + 4;

/// The type in which panels are computed, even for matrices of float. On the matrix units, products
/// of doubles are as fast as products of floats elsewhere.
using work_real = double;

/// Largest number of rows in one partial sum; longer sums are added up from partial sums. If all
/// terms are equal, as in a constant column, all roundings go in one direction. With 120,000 rows
/// in one sum, Q's error exceeded its bound.
inline constexpr std::int64_t most_rows_of_sum = 8192;

/// Returns the number of partial sums when `blocks` blocks sum over `rows` rows.
constexpr std::int64_t sums_of(std::int64_t rows, std::int64_t blocks) {
  std::int64_t const least = (rows + most_rows_of_sum - 1) / most_rows_of_sum;
  return blocks > least ? blocks : least;
}

/// A small square matrix, row-major.
template <class Real>
struct square {
  alignas(16) Real entries[panel_width * square_stride];
  GRIDLOOM_FN Real& operator()(int row, int col) { return entries[row * square_stride + col]; }
  GRIDLOOM_FN Real operator()(int row, int col) const { return entries[row * square_stride + col]; }
};

/// Up to `Rows` rows of a panel, column-major. `Rows` is a multiple of 32.
template <class Real, int Rows>
struct panel_tile {
  static_assert(Rows % panel_width == 0);
  /// Distance of two columns: four more than a multiple of 16, to avoid bank conflicts as in
  /// square_stride.
  static constexpr int stride = Rows + 4;
  alignas(16) Real entries[panel_width * stride];
  GRIDLOOM_FN Real& operator()(int row, int col) { return entries[col * stride + row]; }
  GRIDLOOM_FN Real operator()(int row, int col) const { return entries[col * stride + row]; }
};

/// A view of a matrix in device memory, column-major, as in LAPACK: entry (i, j) is data[i +
/// j · leading].
template <class Real>
struct matrix_ref {
  Real* data;
  std::int64_t rows;
  std::int64_t cols;
  /// Leading dimension, at least `rows`.
  std::int64_t leading;
  GRIDLOOM_FN Real* at(std::int64_t row, std::int64_t col) const {
    return data + row + col * leading;
  }
  GRIDLOOM_FN bool has(std::int64_t row, std::int64_t col) const {
    return row < rows && col < cols;
  }
};

/// The row blocks that one block of a team holds: `member`, `member + members`, and so on.
struct row_share {
  int member;
  int members;

  /// Returns how many of the matrix's first `count` row blocks this block holds. The next row block
  /// that it holds has this index among its own.
  GRIDLOOM_FN int held_of(int count) const {
    return count <= member ? 0 : (count - member + members - 1) / members;
  }
  GRIDLOOM_FN bool holds(int row_block) const { return row_block % members == member; }
  /// Returns the matrix's row that belongs to row `own_row` of this block.
  GRIDLOOM_FN std::int64_t in_matrix(int own_row) const {
    std::int64_t const block = own_row / panel_width;
    return (block * members + member) * panel_width + own_row % panel_width;
  }
};

namespace detail {

/// Two entries of a column, loaded and stored together.
template <class Real>
struct alignas(2 * sizeof(Real)) pair_of {
  Real first;
  Real second;
};

/// Whether in every column an even row and the next one form an aligned pair.
template <class Real>
GRIDLOOM_FN bool has_pairs(matrix_ref<Real> matrix) {
  return matrix.leading % 2 == 0 &&
         reinterpret_cast<std::uintptr_t>(matrix.data) % sizeof(pair_of<Real>) == 0;
}

/// Whether 32 columns from `first_col` on are loaded in pairs of rows, up to row `end` of the
/// matrix.
template <class Real>
GRIDLOOM_FN bool in_pairs(matrix_ref<Real> matrix, std::int64_t first_col, std::int64_t end) {
  return has_pairs(matrix) && first_col + panel_width <= matrix.cols && end <= matrix.rows;
}

/// Calls f(row, col) for all rows, or all pairs of rows, in [begin, end); both ends are multiples
/// of 32. Consecutive threads get consecutive rows of a column. All divisors are constant powers of
/// two, so the device only shifts.
template <int Together, class Block, class Function>
GRIDLOOM_FN void for_tile(Block const& block, int begin, int end, Function const& f) {
  constexpr int a_col = panel_width / Together;
  int const all = (end - begin) * a_col;
#if defined(__CUDA_ARCH__)
#pragma unroll 8
#endif
  for (int e = block.thread_rank(); e < all; e += block.num_threads())
    f(begin + e / (a_col * panel_width) * panel_width + e % a_col * Together,
      e / a_col % panel_width);
}

}  // namespace detail

/// Loads the tile's rows [begin, end) from a panel of the matrix; zeros beyond the matrix's edges.
template <class Block, class Real, class Work, int Rows>
GRIDLOOM_FN void load_tile(Block const& block, matrix_ref<Real> from, int panel, row_share share,
                           int begin, int end, panel_tile<Work, Rows>& to) {
  using pair = detail::pair_of<Real>;
  using work_pair = detail::pair_of<Work>;
  if (end <= begin) return;
  std::int64_t const first_col = std::int64_t{panel} * panel_width;
  if (detail::in_pairs(from, first_col, share.in_matrix(end - 1) + 1)) {
    detail::for_tile<2>(block, begin, end, [&](int row, int col) {
      pair const two =
          *reinterpret_cast<pair const*>(from.at(share.in_matrix(row), first_col + col));
      *reinterpret_cast<work_pair*>(&to(row, col)) =
          work_pair{static_cast<Work>(two.first), static_cast<Work>(two.second)};
    });
  } else {
    detail::for_tile<1>(block, begin, end, [&](int row, int col) {
      std::int64_t const at_row = share.in_matrix(row);
      bool const there = from.has(at_row, first_col + col);
      to(row, col) = there ? static_cast<Work>(*from.at(at_row, first_col + col)) : Work{0};
    });
  }
}

/// Stores the tile's rows [begin, end), except beyond the matrix's edges.
template <class Block, class Real, class Work, int Rows>
GRIDLOOM_FN void store_tile(Block const& block, panel_tile<Work, Rows> const& from, int panel,
                            row_share share, int begin, int end, matrix_ref<Real> to) {
  using pair = detail::pair_of<Real>;
  if (end <= begin) return;
  std::int64_t const first_col = std::int64_t{panel} * panel_width;
  if (detail::in_pairs(to, first_col, share.in_matrix(end - 1) + 1)) {
    detail::for_tile<2>(block, begin, end, [&](int row, int col) {
      *reinterpret_cast<pair*>(to.at(share.in_matrix(row), first_col + col)) =
          pair{static_cast<Real>(from(row, col)), static_cast<Real>(from(row + 1, col))};
    });
  } else {
    detail::for_tile<1>(block, begin, end, [&](int row, int col) {
      std::int64_t const at_row = share.in_matrix(row);
      if (to.has(at_row, first_col + col))
        *to.at(at_row, first_col + col) = static_cast<Real>(from(row, col));
    });
  }
}

}  // namespace gridloom::tiled_qr::panels
