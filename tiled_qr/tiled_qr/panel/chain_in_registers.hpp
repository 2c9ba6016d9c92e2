#pragma once
// The chain of a panel where a block has a warp for each four rows of the two small matrices: they stay
// in registers, and only the row that is next goes through shared memory. So a column costs one barrier,
// one reciprocal and one product.

#include <cmath>
#include <utility>

#include "tiled_qr/panel/chain_scratch.hpp"
#include "gridloom/reciprocal.hpp"
#include "tiled_qr/panel/substitution.hpp"

namespace gridloom::tiled_qr::panels {

/// What a column's reflector does to the top square: R's row, a thread a column, and its diagonal entry,
/// both without sign.
template <class Real>
struct row_of_r {
  Real entry;
  Real diagonal;
};

/// As `chain_in_memory`, for blocks of which `warp_rows::is_even()` holds.
template <class Block, class Real>
class register_chain {
 public:
  GRIDLOOM_FN register_chain(Block const& block, chain_scratch<Real>& s)
      : block_(block), rows_(block), warp_(block.warp()), lane_(warp_.thread_rank()), s_(s) {
    GRIDLOOM_UNROLL
    for (int v = 0; v < at_once; ++v) {
      gram_[v] = s.gram(row(v), lane_);
      top_[v] = s.top(row(v), lane_);
    }
    weight_ = s.weights[lane_];
  }

  GRIDLOOM_FN int run(int first) {
    int last = panel_width;
    row_of_r<Real> before{};
    publish(gram_, first, s_.gram_rows);
    publish(top_, first, s_.top_rows);
    block_.sync();
    for (int c = first; c < last; ++c) {
      Real const entry = s_.gram_rows[c & 1][lane_];
      Real const pivot = s_.gram_rows[c & 1][c];
      Real const weight = warp_.shuffle(weight_, c);
      // What a column that fails changes below is not used again.
      bool const stops = c > first && !keeps_digits(pivot, weight, s_.over_most);
      row_of_r<Real> const now = reduce_gram(c, entry, pivot, weight);
      if (c > first) reflect_top(c - 1, before);
      publish(top_, c, s_.top_rows);
      before = now;
      if (stops) last = c;
      block_.sync();
    }
    GRIDLOOM_UNROLL
    for (int v = 0; v < at_once; ++v) {
      s_.gram(row(v), lane_) = gram_[v];
      s_.top(row(v), lane_) = top_[v];
    }
    if (rows_.first() == 0) s_.over_roots[lane_] = over_root_;
    block_.sync();
    return last;
  }

 private:
  static constexpr int at_once = warp_rows<Block>::at_once;

  GRIDLOOM_FN int row(int v) const { return rows_.first() + v * rows_.step(); }

  /// Lets the others see row c of a matrix.
  GRIDLOOM_FN void publish(Real const (&matrix)[at_once], int c, Real (&rows)[2][panel_width]) {
    GRIDLOOM_UNROLL
    for (int v = 0; v < at_once; ++v)
      if (row(v) == c) rows[c & 1][lane_] = matrix[v];
  }

  /// matrix -= its column c · factor, in the rows below c.
  GRIDLOOM_FN void subtract_outer(Real (&matrix)[at_once], int c, Real factor) {
    GRIDLOOM_UNROLL
    for (int v = 0; v < at_once; ++v) {
      Real const left = warp_.shuffle(matrix[v], c);
      if (row(v) > c) matrix[v] -= left * factor;
    }
  }

  /// Takes the outer product of row c out of the Gram matrix.
  GRIDLOOM_FN row_of_r<Real> reduce_gram(int c, Real entry, Real pivot, Real weight) {
    Real const factor = lane_ > c ? reciprocal<Real>(pivot).times(entry) : Real{0};
    subtract_outer(gram_, c, factor);
    publish(gram_, c + 1, s_.gram_rows);
    weight_ += std::abs(factor) * weight;
    Real const over_root = reciprocal_root(pivot);
    if (lane_ == c) over_root_ = over_root;
    return {entry * over_root, pivot * over_root};
  }

  /// Applies reflector c to the top square. R's entry has the sign that makes the reflector's first
  /// entry a sum, not a difference.
  GRIDLOOM_FN void reflect_top(int c, row_of_r<Real> const& r) {
    Real const entry = s_.top_rows[c & 1][lane_];
    Real const diagonal = s_.top_rows[c & 1][c];
    Real const sign = diagonal > 0 ? Real{1} : Real{-1};
    reciprocal<Real> const scale(diagonal + sign * r.diagonal);
    subtract_outer(top_, c, lane_ > c ? scale.times(entry + sign * r.entry) : Real{0});
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
