#pragma once
// Copies chunks of a panel's rows between the matrix and a block's shared memory.

#include <type_traits>

#include "gridloom/async_copy.hpp"
#include "ours/panel/tile.hpp"

namespace gridloom::tiled_qr::panels {

/// A chunk: rows [begin, begin + Rows) of 32 columns from `first_col` on. Rows before `from_row`
/// are neither read nor written. `begin` is a multiple of 32.
struct chunk_place {
  std::int64_t first_col;
  std::int64_t begin;
  std::int64_t from_row;

  /// The chunk's first row that is read or written.
  GRIDLOOM_FN int first_row() const {
    return from_row > begin ? static_cast<int>(from_row - begin) : 0;
  }
};

namespace detail {

/// Whether rows are loaded and stored in pairs.
template <int Rows, class Real>
GRIDLOOM_FN bool chunk_in_pairs(matrix_ref<Real> matrix, chunk_place at) {
  return at.from_row % 2 == 0 && in_pairs(matrix, at.first_col, at.begin + Rows);
}

/// Calls f(row, col) for each pair of rows of a chunk. 32 threads share 64 rows of a column.
template <int Rows, class Block, class Function>
GRIDLOOM_FN void for_pairs(Block const& block, Function const& f) {
  constexpr int of_col = Rows / 2;
#if defined(__CUDA_ARCH__)
#pragma unroll 4
#endif
  for (int e = block.thread_rank(); e < of_col * panel_width; e += block.num_threads())
    f(e % of_col * 2, e / of_col);
}

/// Loads single rows, for chunks at an edge of the matrix.
template <class Block, class Real, class Work, int Rows>
GRIDLOOM_NOINLINE GRIDLOOM_FN void load_edge(Block const& block, matrix_ref<Real> from,
                                             chunk_place at, panel_tile<Work, Rows>& to) {
  GRIDLOOM_NO_UNROLL
  for (int e = block.thread_rank(); e < Rows * panel_width; e += block.num_threads()) {
    int const row = e % Rows;
    int const col = e / Rows;
    bool const there =
        at.begin + row >= at.from_row && from.has(at.begin + row, at.first_col + col);
    to(row, col) =
        there ? static_cast<Work>(*from.at(at.begin + row, at.first_col + col)) : Work{0};
  }
}
template <class Block, class Real, class Work, int Rows>
GRIDLOOM_NOINLINE GRIDLOOM_FN void store_edge(Block const& block,
                                              panel_tile<Work, Rows> const& from, chunk_place at,
                                              matrix_ref<Real> to) {
  GRIDLOOM_NO_UNROLL
  for (int e = block.thread_rank(); e < Rows * panel_width; e += block.num_threads()) {
    int const row = e % Rows;
    int const col = e / Rows;
    if (at.begin + row >= at.from_row && to.has(at.begin + row, at.first_col + col))
      *to.at(at.begin + row, at.first_col + col) = static_cast<Real>(from(row, col));
  }
}

}  // namespace detail

/// Starts to copy a chunk, with zeros for rows before `from_row` and beyond the matrix's edges. The
/// caller ends the group of copies.
template <class Block, class Real, class Work, int Rows>
GRIDLOOM_FN void load_chunk(Block const& block, matrix_ref<Real> from, chunk_place at,
                            panel_tile<Work, Rows>& to) {
  using pair = detail::pair_of<Real>;
  using work_pair = detail::pair_of<Work>;
  if (!detail::chunk_in_pairs<Rows>(from, at)) {
    detail::load_edge(block, from, at, to);
    return;
  }
  Real const* const corner = from.at(at.begin, at.first_col);
  int const first_row = at.first_row();
  detail::for_pairs<Rows>(block, [&](int row, int col) {
    auto* const two = reinterpret_cast<work_pair*>(&to(row, col));
    auto const* const source = reinterpret_cast<pair const*>(corner + row + col * from.leading);
    if (row < first_row)
      *two = work_pair{};
    else if constexpr (std::is_same_v<Real, Work>)
      copy_async(two, source);
    else
      *two = work_pair{static_cast<Work>(source->first), static_cast<Work>(source->second)};
  });
}

/// Rounds the chunk to the precision of the matrix, because the sums must use the values that the
/// matrix will hold. Rounding to float may turn an entry into zero. Ends with a barrier if the
/// precisions differ.
template <class Real, class Block, class Work, int Rows>
GRIDLOOM_FN void round_chunk(Block const& block, panel_tile<Work, Rows>& chunk) {
  if constexpr (!std::is_same_v<Real, Work>) {
    for (int e = block.thread_rank(); e < Rows * panel_width; e += block.num_threads()) {
      Work& entry = chunk(e % Rows, e / Rows);
      entry = static_cast<Work>(static_cast<Real>(entry));
    }
    block.sync();
  }
}

template <class Block, class Real, class Work, int Rows>
GRIDLOOM_FN void store_chunk(Block const& block, panel_tile<Work, Rows> const& from, chunk_place at,
                             matrix_ref<Real> to) {
  using pair = detail::pair_of<Real>;
  if (!detail::chunk_in_pairs<Rows>(to, at)) {
    detail::store_edge(block, from, at, to);
    return;
  }
  Real* const corner = to.at(at.begin, at.first_col);
  int const first_row = at.first_row();
  detail::for_pairs<Rows>(block, [&](int row, int col) {
    if (row >= first_row)
      *reinterpret_cast<pair*>(corner + row + col * to.leading) =
          pair{static_cast<Real>(from(row, col)), static_cast<Real>(from(row + 1, col))};
  });
}

}  // namespace gridloom::tiled_qr::panels
