#pragma once
// A chunk of a panel's rows between the matrix and a block's shared memory.

#include "tiled_qr/panel/tile.hpp"
#include "tiled_qr/stream/async_copy.hpp"

namespace gridloom::tiled_qr::panels {

namespace detail {

/// Whether rows can travel in pairs.
template <class Real, int Rows>
GRIDLOOM_FN bool chunk_in_pairs(matrix_ref<Real> matrix, std::int64_t first_col, std::int64_t begin,
                                std::int64_t from_row) {
  return matrix.leading % 2 == 0 && from_row % 2 == 0 &&
         reinterpret_cast<std::uintptr_t>(matrix.data) % sizeof(pair_of<Real>) == 0 &&
         first_col + panel_width <= matrix.cols && begin + Rows <= matrix.rows;
}

}  // namespace detail

/// Starts to copy rows [begin, begin + Rows) of a column panel, with zeros for rows before `from_row`
/// and beyond the matrix's edges. `begin` is a multiple of 32. The caller ends the group.
template <class Block, class Real, int Rows>
GRIDLOOM_FN void load_chunk(Block const& block, matrix_ref<Real> from, int panel,
                            std::int64_t begin, std::int64_t from_row, panel_tile<Real, Rows>& to) {
  using pair = detail::pair_of<Real>;
  std::int64_t const first_col = std::int64_t{panel} * panel_width;
  if (detail::chunk_in_pairs<Real, Rows>(from, first_col, begin, from_row)) {
    detail::for_tile<2>(block, 0, Rows, [&](int row, int col) {
      auto* const two = reinterpret_cast<pair*>(&to(row, col));
      if (begin + row < from_row)
        *two = pair{};
      else
        copy_async(two, reinterpret_cast<pair const*>(from.at(begin + row, first_col + col)));
    });
  } else {
    detail::for_tile<1>(block, 0, Rows, [&](int row, int col) {
      bool const there = begin + row >= from_row && from.has(begin + row, first_col + col);
      to(row, col) = there ? *from.at(begin + row, first_col + col) : Real{0};
    });
  }
}

/// The other way, rows from `from_row` on.
template <class Block, class Real, int Rows>
GRIDLOOM_FN void store_chunk(Block const& block, panel_tile<Real, Rows> const& from, int panel,
                             std::int64_t begin, std::int64_t from_row, matrix_ref<Real> to) {
  using pair = detail::pair_of<Real>;
  std::int64_t const first_col = std::int64_t{panel} * panel_width;
  if (detail::chunk_in_pairs<Real, Rows>(to, first_col, begin, from_row)) {
    detail::for_tile<2>(block, 0, Rows, [&](int row, int col) {
      if (begin + row < from_row) return;
      *reinterpret_cast<pair*>(to.at(begin + row, first_col + col)) =
          pair{from(row, col), from(row + 1, col)};
    });
  } else {
    detail::for_tile<1>(block, 0, Rows, [&](int row, int col) {
      if (begin + row >= from_row && to.has(begin + row, first_col + col))
        *to.at(begin + row, first_col + col) = from(row, col);
    });
  }
}

}  // namespace gridloom::tiled_qr::panels
