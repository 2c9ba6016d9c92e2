#pragma once
// Tiled Cholesky factorisation A = L Lᵀ, in the lower triangle (Buttari et al. 2009, Algorithm 1):
// the operations on tiles in shared memory, the tasks, and their dependences.
//
//   potrf  A_kk <- L_kk                    syrk  A_jj <- A_jj - A_jk A_jkᵀ
//   trsm   A_ik <- A_ik L_kk⁻ᵀ             gemm  A_ij <- A_ij - A_ik A_jkᵀ

#include <cmath>

#include "tiled_qr/execute.hpp"
#include "tiled_qr/general/task_view.hpp"

namespace gridloom::tiled_qr::general::cholesky {

enum kind : std::uint32_t { potrf, trsm, syrk, gemm };

inline constexpr char const* kind_names[] = {"potrf", "trsm", "syrk", "gemm"};

/// Step and tile of a task.
struct place {
  std::uint32_t k, i, j;
};

/// Replaces a tile's lower triangle by its Cholesky factor, or by NaN if the tile is not positive
/// definite.
template <class T, thread_group Group>
GRIDLOOM_FN void factorise(Group const& group, tile_ref<T> a) {
  int const rank = group.thread_rank();
  int const threads = group.num_threads();
  for (int k = 0; k < a.cols; ++k) {
    T const pivot = std::sqrt(a.at(k, k));
    // Waits until all threads have read the entry.
    group.sync();
    if (rank == 0) a.at(k, k) = pivot;
    for (int i = k + 1 + rank; i < a.rows; i += threads) a.at(i, k) /= pivot;
    group.sync();
    for (int j = k + 1 + rank; j < a.cols; j += threads) {
      T const factor = a.at(j, k);
      for (int i = j; i < a.rows; ++i) a.at(i, j) -= a.at(i, k) * factor;
    }
    group.sync();
  }
}

/// Computes a <- a l⁻ᵀ for a lower triangle l. Each thread has rows of its own, so no sync is
/// needed.
template <class T, thread_group Group>
GRIDLOOM_FN void solve(Group const& group, tile_ref<T> l, tile_ref<T> a) {
  int const rank = group.thread_rank();
  int const threads = group.num_threads();
  for (int j = 0; j < a.cols; ++j) {
    for (int k = 0; k < j; ++k) {
      T const factor = l.at(j, k);
      for (int i = rank; i < a.rows; i += threads) a.at(i, j) -= a.at(i, k) * factor;
    }
    for (int i = rank; i < a.rows; i += threads) a.at(i, j) /= l.at(j, j);
  }
}

/// Computes c <- c - a bᵀ, or only its lower triangle. A thread computes squares of 4 × 4 in
/// registers.
template <class T, thread_group Group>
GRIDLOOM_FN void subtract_product(Group const& group, tile_ref<T> c, tile_ref<T> a, tile_ref<T> b,
                                  bool lower) {
  constexpr int side = 4;
  int const down = (c.rows + side - 1) / side;
  int const squares = down * ((c.cols + side - 1) / side);
  for (int square = group.thread_rank(); square < squares; square += group.num_threads()) {
    int const i = square % down * side;
    int const j = square / down * side;
    if (lower && i + side <= j) continue;
    if (!lower && i + side <= c.rows && j + side <= c.cols) {
      T sum[side][side] = {};
      for (int k = 0; k < a.cols; ++k) {
        GRIDLOOM_UNROLL
        for (int y = 0; y < side; ++y) {
          GRIDLOOM_UNROLL
          for (int x = 0; x < side; ++x) sum[y][x] += a.at(i + x, k) * b.at(j + y, k);
        }
      }
      GRIDLOOM_UNROLL
      for (int y = 0; y < side; ++y) {
        GRIDLOOM_UNROLL
        for (int x = 0; x < side; ++x) c.at(i + x, j + y) -= sum[y][x];
      }
      continue;
    }
    for (int y = j; y < j + side && y < c.cols; ++y) {
      for (int x = lower && i < y ? y : i; x < i + side && x < c.rows; ++x) {
        T sum = 0;
        for (int k = 0; k < a.cols; ++k) sum += a.at(x, k) * b.at(y, k);
        c.at(x, y) -= sum;
      }
    }
  }
}

/// The body of the tasks. It copies a task's tiles to shared memory, and writes back the tiles that
/// it changed.
template <class T, int MaxTile>
struct body {
  struct scratch {
    // Chosen as in tile_room.
    static constexpr int ld = MaxTile + 1;
    T own[ld * MaxTile];
    T left[ld * MaxTile];
    T right[ld * MaxTile];
  };

  T* data;
  std::int64_t ld;
  tiling cut;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block const& block, task_view const& task, scratch& shared) const {
    auto const [k, i, j] = task.payload<place>();
    tiled_matrix_ref<T> const a{data, ld, nullptr, cut};
    tile_ref<T> const target = a.tile(i, j);
    tile_ref<T> const own = bring(block, target, shared.own);
    switch (static_cast<kind>(task.type())) {
      case potrf:
        block.sync();
        factorise(block, own);
        break;
      case trsm: {
        tile_ref<T> const l = bring(block, a.tile(k, k), shared.left);
        block.sync();
        solve(block, l, own);
        break;
      }
      case syrk:
      case gemm: {
        tile_ref<T> const left = bring(block, a.tile(i, k), shared.left);
        tile_ref<T> const right = i == j ? left : bring(block, a.tile(j, k), shared.right);
        block.sync();
        subtract_product(block, own, left, right, i == j);
        break;
      }
    }
    block.sync();
    copy_tile(block, own, target);
  }

 private:
  template <class Block>
  GRIDLOOM_FN static tile_ref<T> bring(Block const& block, tile_ref<T> from, T* room) {
    tile_ref<T> const to{room, scratch::ld, from.rows, from.cols};
    copy_tile(block, from, to);
    return to;
  }
};

}  // namespace gridloom::tiled_qr::general::cholesky
