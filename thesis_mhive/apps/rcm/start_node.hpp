#pragma once
// Where the order of a component starts: pseudo-peripheral nodes by repeated breadth-first search
// after Kumfert (thesis, 7.3.1 and Algorithm 7.2), vertices of least degree, or a given vertex.

#include <cstdint>
#include <vector>

#include "graph.hpp"

namespace gridloom::mhive::rcm {

enum class start_strategy {
  pseudo_peripheral,
  /// The vertex of least degree in its component, of those the smallest.
  minimum_degree,
  /// `node` in its component, pseudo-peripheral nodes in the others.
  given,
};

struct start_options {
  start_strategy strategy = start_strategy::pseudo_peripheral;
  /// Of start_strategy::given.
  std::uint32_t node = 0;
  /// So many vertices of the last level are tried as the other end: those of least degree, of
  /// equal degree the smallest. At least 1. The thesis says "a small number" only. Over the 56
  /// matrices of rcm_data_test the bandwidths are 0.4 % smaller with two than with one, 0.06 %
  /// smaller still with three, and the same with sixteen.
  std::uint32_t most_candidates = 2;
  /// Ends the search from a candidate at a level wider than that of the narrowest candidate so far
  /// (George and Liu; Kumfert). Faster; but a candidate given up may have been a better start.
  bool abandon_wide = false;
};

/// The start node of a component and what was found out on the way.
struct start_node {
  std::uint32_t node = 0;
  /// Number of levels - 1 of the search from `node`. Of minimum_degree and given it is not known,
  /// and 0, where no search was made from the node: see component_order::num_levels.
  std::uint32_t eccentricity = 0;
  /// A vertex of the last level that is no better, the last one tried; without one, `node`.
  std::uint32_t end = 0;
  /// Breadth-first searches made, those given up included.
  std::uint32_t num_searches = 0;
  /// Of these, given up.
  std::uint32_t num_abandoned = 0;

  friend bool operator==(start_node const&, start_node const&) = default;
};

/// One start node a component, the components in the order of their smallest vertices.
///
/// The search goes on from the first candidate whose eccentricity is larger, and ends when none of
/// a whole list is: then no candidate of the start node's last level is farther out. It begins at
/// the smallest vertex of the component. Where it differs from Algorithm 7.2, as printed there:
///  - one component only: here each has its own search, and an isolated vertex needs none (there,
///    a last level without other vertices leaves `end` at -1 for ever);
///  - the search from a candidate overwrites the list of candidates that is being gone through;
///    here a list stays until it is done, or until a candidate is farther out;
///  - after that the search from the new start node is made again: here its levels are kept;
///  - with abandon_wide, which is not in the listing, `end` may be a candidate given up.
/// It ends because each new start node has a larger eccentricity.
///
/// A search is linear in the component. `threads`: in large components so many candidates are
/// searched from side by side, the caller's thread among them; the result is the same (searches
/// beyond the one that ends a list are not counted). Throws std::invalid_argument for no candidates
/// or threads and for a given node that the graph does not have, and timeout_error when a
/// host_time_limit in force has passed.
[[nodiscard]] std::vector<start_node> find_starts(graph_ref graph,
                                                  start_options const& options = {},
                                                  int threads = 1);

/// The nodes alone, as order_from takes them.
[[nodiscard]] std::vector<std::uint32_t> nodes_of(std::vector<start_node> const& starts);

}  // namespace gridloom::mhive::rcm
