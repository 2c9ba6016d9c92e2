#pragma once
// Executes one task. Its tiles are copied to the block's scratch, which is shared memory on a GPU.
// The operation runs there, and the changed tiles are copied back (report, II.D and Algorithm 5).
//
// Rules of order, cited where they are served:
// EX.R1. No task writes an element that another running task uses. DTSQT2(k, k + 1) and the DLARFBs
//     of step k share the tile on the diagonal. DTSQT2 uses the upper triangle; the DLARFBs read
//     strictly below it. So tiles are copied in parts, not whole.
// EX.R2. The block synchronises between copying in, the operation, and copying out. The caller
//     synchronises after execute_task, before one thread reports the task.

#include <concepts>

#include "tiled_qr/operations.hpp"
#include "tiled_qr/task.hpp"

namespace gridloom::tiled_qr {

/// Whether a host worker executes the task, with operations that are compiled for several
/// processors.
template <class Block>
inline constexpr bool by_host = std::derived_from<Block, host_block>;

/// Layout of a tile of at most `MaxTile` rows and columns in shared memory.
template <class T, int MaxTile>
struct tile_room {
  /// Leading dimension: one more than a column needs. On a GPU, threads read one row of many
  /// columns at a time. Without the extra entry, all of these reads would hit one bank of shared
  /// memory.
  static constexpr int ld = MaxTile + 1;
  static constexpr int size = ld * MaxTile;

  GRIDLOOM_FN static tile_ref<T> room(T* data, tile_ref<T> const& like) {
    return {data, ld, like.rows, like.cols};
  }
};

/// The tiles of one task in shared memory. Kernels for a single operation have a smaller scratch
/// (operation_kernels.hpp).
template <class T, int MaxTile>
struct tile_scratch : tile_room<T, MaxTile> {
  using tile_room<T, MaxTile>::size;
  T vectors[size];
  T top[size];
  T bottom[size];
  T taus[MaxTile];
  norm_scratch<T> norms;
};

enum class part { whole, upper, below };

/// Copies a tile, or its triangle with the diagonal, or the part strictly below the diagonal. On a
/// GPU several columns are loaded before the first is stored, so that their latencies overlap.
template <thread_group Group, class From, class T>
GRIDLOOM_FN void copy_tile(Group const& group, tile_ref<From> from, tile_ref<T> to,
                           part which = part::whole) {
  constexpr int at_once = by_host<Group> ? 1 : 8;
  for (int begin = 0; begin < from.cols; begin += at_once) {
    for (int i = group.thread_rank(); i < from.rows; i += group.num_threads()) {
      T values[at_once] = {};
      auto const has = [&](int j) {
        return j < from.cols && (which == part::whole || (which == part::below ? i > j : i <= j));
      };
      GRIDLOOM_UNROLL
      for (int c = 0; c < at_once; ++c)
        if (has(begin + c)) values[c] = from.at(i, begin + c);
      GRIDLOOM_UNROLL
      for (int c = 0; c < at_once; ++c)
        if (has(begin + c)) to.at(i, begin + c) = values[c];
    }
  }
}

template <thread_group Group, class T>
GRIDLOOM_FN void copy_taus(Group const& group, T const* from, T* to, int n) {
  for (int l = group.thread_rank(); l < n; l += group.num_threads()) to[l] = from[l];
}

/// Runs dlarfb on tiles of the matrix: applies the vectors of a diagonal tile to `a`.
template <class T, class Scratch, thread_group Block>
GRIDLOOM_FN void apply_single(Block const& block, tile_ref<T> v, T const* taus, tile_ref<T> a,
                              Scratch& shared, side which = side::q_transposed) {
  tile_ref<T> const vectors = shared.room(shared.vectors, v);
  tile_ref<T> const own = shared.room(shared.top, a);
  copy_tile(block, v, vectors, part::below);  // EX.R1
  copy_taus(block, taus, shared.taus, v.rows < v.cols ? v.rows : v.cols);
  copy_tile(block, a, own);
  block.sync();
  if constexpr (by_host<Block>) {
    host_dlarfb(vectors, shared.taus, own, which);
  } else {
    dlarfb<T>(block, vectors, shared.taus, own, which);
  }
  block.sync();
  copy_tile(block, own, a);
}

/// Runs dssrfb on tiles of the matrix: applies the vectors of the tile `v` to `top` and `bottom`.
template <class T, class Scratch, thread_group Block>
GRIDLOOM_FN void apply_double(Block const& block, tile_ref<T> v, T const* taus, tile_ref<T> top,
                              tile_ref<T> bottom, Scratch& shared,
                              side which = side::q_transposed) {
  tile_ref<T> const vectors = shared.room(shared.vectors, v);
  top.rows = v.cols;
  tile_ref<T> const upper = shared.room(shared.top, top);
  tile_ref<T> const lower = shared.room(shared.bottom, bottom);
  copy_tile(block, v, vectors);
  copy_taus(block, taus, shared.taus, v.cols);
  copy_tile(block, top, upper);
  copy_tile(block, bottom, lower);
  block.sync();
  if constexpr (by_host<Block>) {
    host_dssrfb(vectors, shared.taus, upper, lower, which);
  } else {
    dssrfb<T>(block, vectors, shared.taus, upper, lower, which);
  }
  block.sync();
  copy_tile(block, upper, top);
  copy_tile(block, lower, bottom);
}

/// Runs dgeqt2 on the diagonal tile of step k.
template <class T, class Scratch, thread_group Block>
GRIDLOOM_FN void factorise_single(Block const& block, tiled_matrix_ref<T> const& a, std::uint32_t k,
                                  Scratch& shared) {
  tile_ref<T> const tile = a.tile(k, k);
  tile_ref<T> const own = shared.room(shared.top, tile);
  copy_tile(block, tile, own);
  block.sync();  // EX.R2
  if constexpr (by_host<Block>) {
    host_dgeqt2(own, shared.taus);
  } else {
    dgeqt2(block, own, shared.taus, shared.norms);
  }
  copy_tile(block, own, tile);
  copy_taus(block, shared.taus, a.taus_of(k, k), own.rows < own.cols ? own.rows : own.cols);
}

/// Runs dtsqt2 on the diagonal tile of step k and tile i below it.
template <class T, class Scratch, thread_group Block>
GRIDLOOM_FN void factorise_double(Block const& block, tiled_matrix_ref<T> const& a, std::uint32_t k,
                                  std::uint32_t i, Scratch& shared) {
  tile_ref<T> r = a.tile(k, k);
  r.rows = r.cols;
  tile_ref<T> const tile = a.tile(i, k);
  tile_ref<T> const upper = shared.room(shared.top, r);
  tile_ref<T> const lower = shared.room(shared.bottom, tile);
  copy_tile(block, r, upper, part::upper);  // EX.R1
  copy_tile(block, tile, lower);
  block.sync();
  if constexpr (by_host<Block>) {
    host_dtsqt2(upper, lower, shared.taus);
  } else {
    dtsqt2(block, upper, lower, shared.taus, shared.norms);
  }
  copy_tile(block, upper, r, part::upper);
  copy_tile(block, lower, tile);
  copy_taus(block, shared.taus, a.taus_of(i, k), tile.cols);
}

/// Executes a task by all threads of a block. Several blocks may execute ready tasks of the grid at
/// the same time (EX.R1).
template <class T, int MaxTile, thread_group Block>
GRIDLOOM_FN void execute_task(Block const& block, tiled_matrix_ref<T> const& a, task const& what,
                              tile_scratch<T, MaxTile>& shared) {
  auto const [k, i, j] = what;
  switch (what.type()) {
    case task_type::dgeqt2: factorise_single(block, a, k, shared); break;
    case task_type::dlarfb:
      apply_single(block, a.tile(k, k), a.taus_of(k, k), a.tile(k, j), shared);
      break;
    case task_type::dtsqt2: factorise_double(block, a, k, i, shared); break;
    case task_type::dssrfb:
      apply_double(block, a.tile(i, k), a.taus_of(i, k), a.tile(k, j), a.tile(i, j), shared);
      break;
  }
}

// The four operations of operations.hpp for one host thread, compiled for several vector units. At
// run time the program chooses the version for its processor. A single version for all
// processors would reach only a quarter of the speed on most of them.

// Declared for both machines, because functions for both contain these calls. No GPU kernel makes
// them.
GRIDLOOM_FN void host_dgeqt2(tile_ref<float> a, float* taus);
GRIDLOOM_FN void host_dgeqt2(tile_ref<double> a, double* taus);
GRIDLOOM_FN void host_dtsqt2(tile_ref<float> r, tile_ref<float> a, float* taus);
GRIDLOOM_FN void host_dtsqt2(tile_ref<double> r, tile_ref<double> a, double* taus);
GRIDLOOM_FN void host_dlarfb(tile_ref<float const> v, float const* taus, tile_ref<float> a,
                             side which);
GRIDLOOM_FN void host_dlarfb(tile_ref<double const> v, double const* taus, tile_ref<double> a,
                             side which);
GRIDLOOM_FN void host_dssrfb(tile_ref<float const> v, float const* taus, tile_ref<float> top,
                             tile_ref<float> bottom, side which);
GRIDLOOM_FN void host_dssrfb(tile_ref<double const> v, double const* taus, tile_ref<double> top,
                             tile_ref<double> bottom, side which);

}  // namespace gridloom::tiled_qr
