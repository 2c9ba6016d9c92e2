#pragma once
// What a block holds in its shared memory while it works on a column panel: its rows of the panel,
// of the reflectors that are being applied to it, and the small square matrices between them.
//
// Rows are dealt to the blocks of a team in row blocks of `panel_width` rows, one after the other,
// so that all of them lose rows alike as the factorisation moves down.

#include <cstddef>
#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom::tiled_qr {

/// Columns of a panel, and rows of a row block. A power of two; the products count on 32.
inline constexpr int panel_width = 32;

/// Distance of two rows of a small square matrix in shared memory. Four more than the width, so that
/// the 4 × 8 pieces that a matrix unit loads lie in 32 different banks.
inline constexpr int square_stride = panel_width + 4;

/// A small square matrix, row after row.
template <class Real>
struct square {
  Real entries[panel_width * square_stride];
  GRIDLOOM_FN Real& operator()(int row, int col) { return entries[row * square_stride + col]; }
  GRIDLOOM_FN Real operator()(int row, int col) const {
    return entries[row * square_stride + col];
  }
};

/// Up to `Rows` rows of a panel, column after column. `Rows` is a multiple of 32.
template <class Real, int Rows>
struct panel_tile {
  static_assert(Rows % panel_width == 0);
  /// Four more than a multiple of 16, for the banks, as above.
  static constexpr int stride = Rows + 4;
  alignas(16) Real entries[panel_width * stride];
  GRIDLOOM_FN Real& operator()(int row, int col) { return entries[col * stride + row]; }
  GRIDLOOM_FN Real operator()(int row, int col) const { return entries[col * stride + row]; }
};

/// A matrix in device memory, column after column, as LAPACK has it: entry (i, j) stands at
/// data[i + j · leading]. A view: copied by value, owns nothing.
template <class Real>
struct matrix_ref {
  Real* data;
  std::int64_t rows;
  std::int64_t cols;
  /// At least `rows`.
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

  /// Blocks that it holds of the first `count` row blocks of a matrix; the first of it that is not
  /// above row block `count`, counted in its own.
  GRIDLOOM_FN int held_of(int count) const {
    return count <= member ? 0 : (count - member + members - 1) / members;
  }
  GRIDLOOM_FN bool holds(int row_block) const { return row_block % members == member; }
  /// The row in the matrix of a row of its own.
  GRIDLOOM_FN std::int64_t in_matrix(int own_row) const {
    std::int64_t const block = own_row / panel_width;
    return (block * members + member) * panel_width + own_row % panel_width;
  }
};

/// The tile's rows [begin, end) from a panel of the matrix; zero beyond the matrix's edges. Whole
/// pairs of entries travel together where addresses allow.
template <class Block, class Real, int Rows>
GRIDLOOM_FN void load_tile(Block const& block, matrix_ref<Real> from, int panel, row_share share,
                           int begin, int end, panel_tile<Real, Rows>& to) {
  std::int64_t const first_col = std::int64_t{panel} * panel_width;
  bool const pairs = from.leading % 2 == 0 &&
                     reinterpret_cast<std::uintptr_t>(from.data) % (2 * sizeof(Real)) == 0 &&
                     first_col + panel_width <= from.cols && end > begin &&
                     share.in_matrix(end - 1) < from.rows;
  if (pairs) {
    struct alignas(2 * sizeof(Real)) pair {
      Real first;
      Real second;
    };
    int const a_col = (end - begin) / 2;
    int const all = a_col * panel_width;
#if defined(__CUDA_ARCH__)
#pragma unroll 8
#endif
    for (int e = block.thread_rank(); e < all; e += block.num_threads()) {
      int const col = e / a_col;
      int const row = begin + e % a_col * 2;
      *reinterpret_cast<pair*>(&to(row, col)) =
          *reinterpret_cast<pair const*>(from.at(share.in_matrix(row), first_col + col));
    }
    return;
  }
  int const all = (end - begin) * panel_width;
  for (int e = block.thread_rank(); e < all; e += block.num_threads()) {
    int const col = e / (end - begin);
    int const row = begin + e % (end - begin);
    std::int64_t const at_row = share.in_matrix(row);
    to(row, col) =
        from.has(at_row, first_col + col) ? *from.at(at_row, first_col + col) : Real{0};
  }
}

/// The other way; what lies beyond the matrix's edges is left out.
template <class Block, class Real, int Rows>
GRIDLOOM_FN void store_tile(Block const& block, panel_tile<Real, Rows> const& from, int panel,
                            row_share share, int begin, int end, matrix_ref<Real> to) {
  std::int64_t const first_col = std::int64_t{panel} * panel_width;
  int const all = (end - begin) * panel_width;
#if defined(__CUDA_ARCH__)
#pragma unroll 8
#endif
  for (int e = block.thread_rank(); e < all; e += block.num_threads()) {
    int const col = e / (end - begin);
    int const row = begin + e % (end - begin);
    std::int64_t const at_row = share.in_matrix(row);
    if (to.has(at_row, first_col + col)) *to.at(at_row, first_col + col) = from(row, col);
  }
}

}  // namespace gridloom::tiled_qr
