#pragma once
// The trees of the unbalanced tree search (UTS; Olivier et al., LCPC 2006). The number of a node's
// children is drawn from the node's own random state, and a child's state is the SHA-1 of its
// parent's state and its place among the children. So every program finds the same tree, but
// nobody knows its shape before the search. Two kinds of trees are here: geometric ones with the
// fixed shape, and binomial ones.

#include <cmath>
#include <cstdint>

#include "sha1.hpp"

namespace gridloom::mhive::dynamic {

struct uts_node {
  digest state;
  std::uint32_t depth;
};

/// A tree. Copied to kernels by value.
struct uts_tree {
  using node_type = uts_node;
  /// UTS allows a node so many children, except for the root of a binomial tree.
  static constexpr int most_children = 100;

  std::uint32_t seed = 0;
  bool binomial = false;
  /// Geometric: nodes at this depth are leaves.
  std::uint32_t max_depth = 0;
  /// Geometric: a node has more than k children if its number is at least at_least[k]. The limits
  /// are computed once on the host, so that no machine needs a logarithm.
  std::uint32_t at_least[most_children] = {};
  /// Binomial: children of the root, children of an inner node, and the limit below which a number
  /// makes an inner node.
  std::uint32_t root_children = 0;
  std::uint32_t inner_children = 0;
  std::uint32_t inner_below = 0;

  /// The tree `-t 1 -a 3 -b branching -d depth -r seed`: each node above `depth` has `branching`
  /// children on average.
  static uts_tree geometric(double branching, std::uint32_t depth, std::uint32_t seed) {
    uts_tree made;
    made.seed = seed;
    made.max_depth = depth;
    double const p = 1.0 / (1.0 + branching);
    auto const count = [&](std::uint32_t number) {
      double const u = static_cast<double>(number) / 0x1p31;
      return static_cast<int>(std::floor(std::log(1 - u) / std::log(1 - p)));
    };
    for (int k = 0; k < most_children; ++k) {
      std::uint32_t low = 0;
      std::uint32_t high = 1U << 31U;
      while (low < high) {
        std::uint32_t const middle = low + (high - low) / 2;
        if (count(middle) > k) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      made.at_least[k] = low;
    }
    return made;
  }
  /// The tree `-t 0 -b root -q probability -m inner -r seed`: a node has `inner` children with this
  /// probability, else none.
  static uts_tree binomial_of(std::uint32_t root, double probability, std::uint32_t inner,
                              std::uint32_t seed) {
    uts_tree made;
    made.seed = seed;
    made.binomial = true;
    made.root_children = root;
    made.inner_children = inner;
    made.inner_below = static_cast<std::uint32_t>(std::ceil(probability * 0x1p31));
    return made;
  }

  GRIDLOOM_FN uts_node root() const { return {sha1({0, 0, 0, 0, seed}), 0}; }
  GRIDLOOM_FN std::uint32_t children(uts_node const& of) const {
    std::uint32_t const number = of.state.words[4] & 0x7fffffffU;
    if (binomial) {
      if (of.depth == 0) return root_children;
      return number < inner_below ? inner_children : 0;
    }
    if (of.depth >= max_depth) return 0;
    std::uint32_t n = 0;
    while (n < most_children && number >= at_least[n]) ++n;
    return n;
  }
  GRIDLOOM_FN uts_node child(uts_node const& of, std::uint32_t place) const {
    auto const& from = of.state.words;
    return {sha1({from[0], from[1], from[2], from[3], from[4], place}), of.depth + 1};
  }
  GRIDLOOM_FN std::uint32_t depth(uts_node const& of) const { return of.depth; }
  /// Leaves count 1, so that their sum is their number.
  GRIDLOOM_FN std::int64_t value(uts_node const& /*leaf*/) const { return 1; }
};

}  // namespace gridloom::mhive::dynamic
