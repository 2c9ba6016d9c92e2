#pragma once
// Computes the chain of a panel (reflectors.hpp) in blocks that have one warp per four rows of the
// two small matrices. The matrices stay in registers, and only the next row goes through shared
// memory. So a column costs one barrier, one reciprocal and one product.

#include <cmath>
#include <utility>

#include "gridloom/reciprocal.hpp"
#include "ours/panel/chain_scratch.hpp"
#include "ours/panel/substitution.hpp"

namespace gridloom::tiled_qr::panels {

/// A row of R, before its sign is set: this thread's entry, and the diagonal entry.
template <class Real>
struct row_of_r {
  Real entry;
  Real diagonal;
};

/// Does what `chain_in_memory` does, for blocks with `warp_rows::is_even()`.
///
/// A row that is in shared memory is final. So its copy in registers may change like any other row,
/// and the code needs no special case for it.
template <class Block, class Real>
class register_chain {
 public:
  GRIDLOOM_FN register_chain(Block const& block, chain_scratch<Real>& s)
      : block_(block), rows_(block), warp_(block.warp()), lane_(warp_.thread_rank()), s_(s) {
    GRIDLOOM_UNROLL
    for (int v = 0; v < at_once; ++v) {
      gram_[v] = s.gram(rows_.row(v), lane_);
      top_[v] = s.top(rows_.row(v), lane_);
    }
    weight_ = s.weights[lane_];
  }

  GRIDLOOM_FN int run(int first) {
    int last = panel_width;
    row_of_r<Real> before{};
    Real const over_most = s_.over_most;
    for (int c = first; c < last; ++c) {
      bool const is_first = c == first;
      // The chains of the two matrices are equally long and independent, so all loads are issued at
      // once.
      Real const entry = s_.gram(c, lane_);
      Real const pivot = s_.gram(c, c);
      // In the first pass no column precedes c, so reflect_top gets a reflector that changes
      // nothing.
      int const above = is_first ? c : c - 1;
      Real const top_entry = is_first ? Real{0} : s_.top(above, lane_);
      Real const top_diagonal = is_first ? Real{1} : s_.top(above, above);
      Real const weight = warp_.shuffle(weight_, c);
      // If the column fails, the values that are changed below are not used.
      bool const keeps = keeps_digits(pivot, weight, over_most);
      row_of_r<Real> const now = reduce_gram(c, entry, pivot, weight);
      reflect_top(above, before, top_entry, top_diagonal);
      publish(gram_, c + 1, s_.gram);
      publish(top_, c, s_.top);
      before = now;
      if (!is_first && !keeps) last = c;
      block_.sync();
    }
    GRIDLOOM_UNROLL
    for (int v = 0; v < at_once; ++v)
      if (rows_.row(v) >= last) s_.top(rows_.row(v), lane_) = top_[v];
    if (rows_.first() == 0) s_.over_roots[lane_] = over_root_;
    block_.sync();
    return last;
  }

 private:
  static constexpr int at_once = warp_rows<Block>::at_once;

  /// Makes row c of a matrix visible to the other threads.
  GRIDLOOM_FN void publish(Real const (&matrix)[at_once], int c, square<Real>& to) {
    GRIDLOOM_UNROLL
    for (int v = 0; v < at_once; ++v)
      if (rows_.row(v) == c) to(c, lane_) = matrix[v];
  }

  /// Subtracts the matrix's column c times `factor` from the columns right of c.
  GRIDLOOM_FN void subtract_outer(Real (&matrix)[at_once], int c, Real factor) {
    Real left[at_once];
    rows_.shuffle_all(matrix, c, left);
    if (lane_ <= c) return;
    GRIDLOOM_UNROLL
    for (int v = 0; v < at_once; ++v) matrix[v] -= left[v] * factor;
  }

  /// Removes row c from the Gram matrix, by subtracting its outer product.
  GRIDLOOM_FN row_of_r<Real> reduce_gram(int c, Real entry, Real pivot, Real weight) {
    Real const factor = reciprocal<Real>(pivot).times(entry);
    subtract_outer(gram_, c, factor);
    if (lane_ > c) weight_ += std::abs(factor) * weight;
    Real const over_root = reciprocal_root(pivot);
    if (lane_ == c) over_root_ = over_root;
    return {entry * over_root, pivot * over_root};
  }

  /// Applies reflector c to the top square. The sign of R's entry is chosen so that the reflector's
  /// first entry is a sum, not a difference.
  GRIDLOOM_FN void reflect_top(int c, row_of_r<Real> const& r, Real entry, Real diagonal) {
    Real const sign = diagonal > 0 ? Real{1} : Real{-1};
    reciprocal<Real> const scale(diagonal + sign * r.diagonal);
    subtract_outer(top_, c, scale.times(entry + sign * r.entry));
  }

  Block const& block_;
  warp_rows<Block> rows_;
  decltype(std::declval<Block const&>().warp()) warp_;
  int lane_;
  chain_scratch<Real>& s_;
  Real gram_[at_once];
  Real top_[at_once];
  Real weight_;
  Real over_root_ = 0;
};

}  // namespace gridloom::tiled_qr::panels
