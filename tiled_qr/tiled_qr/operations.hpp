#pragma once
// The four operations on tiles (report, I.C and II.B), each called by all threads of a group.
//
//   dgeqt2  A_kk <- V_kk, R_kk                    QR of a tile on the diagonal
//   dlarfb  A_kj <- Q_kk^T A_kj                   its vectors applied to a tile of the same row
//   dtsqt2  (R_kk; A_ik) <- (R_kk; V_ik)          QR of a triangle on top of a tile below it
//   dssrfb  (A_kj; A_ij) <- Q_ik^T (A_kj; A_ij)   its vectors applied to two coupled tiles
//
// As in the report, vectors are applied one after the other, one thread per column, without a block
// reflector. The names follow LAPACK's style for double; operations on floats have the same names.
//
// Order: an operation whose threads have columns of their own ends without a sync. The caller syncs
// before it hands the tiles on, and before it calls the next operation.

#include "tiled_qr/reflector.hpp"
#include "tiled_qr/tile.hpp"

namespace gridloom::tiled_qr {

/// Which product is computed. Qᵀ applies the vectors of a tile in the order in which they were
/// made, Q in reverse.
enum class side { q_transposed, q };

/// Applies one reflector to `Columns` columns from j on, with one thread. Row `l` of `top` holds
/// the first elements of the columns; `bottom` holds the others, from row `first` on.
template <class Group, int Columns, class T>
GRIDLOOM_FN void apply_to_columns(T const* v, int n, T tau, tile_ref<T> const& top, int l,
                                  tile_ref<T> const& bottom, int first, int j) {
  T* head[Columns];
  T* tail[Columns];
  GRIDLOOM_UNROLL
  for (int c = 0; c < Columns; ++c) {
    head[c] = &top.at(l, j + c);
    tail[c] = &bottom.at(first, j + c);
  }
  apply_reflector<typename column_work<Group>::template pack<T>>(v, n, tau, head, tail);
}

/// QR of a tile in place: R in the upper triangle, the vectors without their leading 1 below it.
/// `taus` gets min(rows, cols) factors.
template <class T, thread_group Group>
GRIDLOOM_FN void dgeqt2(Group const& group, tile_ref<T> a, T* taus, norm_scratch<T>& scratch) {
  int const vectors = a.rows < a.cols ? a.rows : a.cols;
  for (int l = 0; l < vectors; ++l) {
    T* const v = a.column(l) + l + 1;
    int const n = a.rows - l - 1;
    T const tau = make_reflector(group, a.at(l, l), v, n, scratch);
    if (group.thread_rank() == 0) taus[l] = tau;
    for_columns(group, l + 1, a.cols,
                [&]<int C>(int j) { apply_to_columns<Group, C>(v, n, tau, a, l, a, l + 1, j); });
    group.sync();
  }
}

/// Applies the vectors of dgeqt2 to a tile of as many rows. Reads `v` strictly below its diagonal.
template <class T, thread_group Group>
GRIDLOOM_FN void dlarfb(Group const& group, tile_ref<T const> v, T const* taus, tile_ref<T> a,
                        side which = side::q_transposed) {
  int const vectors = v.rows < v.cols ? v.rows : v.cols;
  for_columns(group, 0, a.cols, [&]<int C>(int j) {
    for (int s = 0; s < vectors; ++s) {
      int const l = which == side::q ? vectors - 1 - s : s;
      apply_to_columns<Group, C>(v.column(l) + l + 1, v.rows - l - 1, taus[l], a, l, a, l + 1, j);
    }
  });
}

/// QR of the triangle `r` on top of the tile `a`. `r` gets the new R, and `a` gets the vectors. The
/// vectors' upper part is the identity, which is not stored. Earlier vectors below the diagonal of
/// `r` do not change. Both have the same number of columns; `r` has at least as many rows.
template <class T, thread_group Group>
GRIDLOOM_FN void dtsqt2(Group const& group, tile_ref<T> r, tile_ref<T> a, T* taus,
                        norm_scratch<T>& scratch) {
  for (int l = 0; l < a.cols; ++l) {
    T* const v = a.column(l);
    T const tau = make_reflector(group, r.at(l, l), v, a.rows, scratch);
    if (group.thread_rank() == 0) taus[l] = tau;
    for_columns(group, l + 1, a.cols,
                [&]<int C>(int j) { apply_to_columns<Group, C>(v, a.rows, tau, r, l, a, 0, j); });
    group.sync();
  }
}

/// Applies the vectors of dtsqt2 to the coupled tiles `top` and `bottom`. Changes the first v.cols
/// rows of `top`. The upper part of the vectors is the identity, so it is not read.
template <class T, thread_group Group>
GRIDLOOM_FN void dssrfb(Group const& group, tile_ref<T const> v, T const* taus, tile_ref<T> top,
                        tile_ref<T> bottom, side which = side::q_transposed) {
  for_columns(group, 0, bottom.cols, [&]<int C>(int j) {
    for (int s = 0; s < v.cols; ++s) {
      int const l = which == side::q ? v.cols - 1 - s : s;
      apply_to_columns<Group, C>(v.column(l), v.rows, taus[l], top, l, bottom, 0, j);
    }
  });
}

}  // namespace gridloom::tiled_qr
