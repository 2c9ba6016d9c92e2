#pragma once
// Chooses where the order of a component starts. There are three strategies: pseudo-peripheral
// nodes by repeated breadth-first search after Kumfert (thesis, 7.3.1 and Algorithm 7.2), vertices
// of least degree, or a given vertex.

#include <cstdint>
#include <vector>

#include "graph.hpp"

namespace gridloom::mhive::rcm {

enum class start_strategy {
  pseudo_peripheral,
  /// The vertex of least degree in its component; among equal degrees, the smallest one.
  minimum_degree,
  /// `node` in its component, pseudo-peripheral nodes in the others.
  given,
};

struct start_options {
  start_strategy strategy = start_strategy::pseudo_peripheral;
  /// The start node for start_strategy::given.
  std::uint32_t node = 0;
  /// Number of vertices of the last level that are tried as the other end, at least 1. They are
  /// those of least degree; among equal degrees, those of least number. The thesis says only "a
  /// small number". On the 56 matrices of rcm_data_test, two candidates give 0.4 % smaller
  /// bandwidths than one. More candidates give another 0.06 %.
  std::uint32_t most_candidates = 2;
};

/// The start node of a component, and facts of its search.
struct start_node {
  std::uint32_t node = 0;
  /// Number of levels of the search from `node`, minus 1. It is 0 if there was no search, as with
  /// minimum_degree and given. Then component_order::num_levels has the number.
  std::uint32_t eccentricity = 0;
  /// The last candidate of the last level that was tried; `node` if none was tried.
  std::uint32_t end = 0;
  std::uint32_t num_searches = 0;

  friend bool operator==(start_node const&, start_node const&) = default;
};

/// Returns one start node per component. Components are in the order of their smallest vertices.
///
/// The search begins at the smallest vertex of the component. It continues from the first candidate
/// with a larger eccentricity, and ends when no candidate of a list has a larger one. It always
/// ends, because eccentricities grow and are bounded. Differences to Algorithm 7.2, as printed:
///  - The algorithm treats one component. Here each component has its own search, and an isolated
///    vertex needs none. (As printed, a last level without other vertices leaves `end` at -1 for
///    ever.)
///  - As printed, the search from a candidate overwrites the current list of candidates. Here a
///    list stays until it is done or a candidate is farther out.
///  - As printed, the search from the new start node is repeated. Here its levels are kept.
///
/// A search is linear in the component. In large components, `threads` threads search from that
/// many candidates at the same time; one of them is the caller's. The result is the same, and
/// searches beyond the one that ends a list are not counted. Throws std::invalid_argument for zero
/// candidates or threads, and for a given node that the graph does not have. Throws timeout_error
/// when a host_time_limit in force has passed.
[[nodiscard]] std::vector<start_node> find_starts(graph_ref graph,
                                                  start_options const& options = {},
                                                  int threads = 1);

/// Returns the nodes alone, as order_from takes them.
[[nodiscard]] std::vector<std::uint32_t> nodes_of(std::vector<start_node> const& starts);

}  // namespace gridloom::mhive::rcm
