#pragma once
// Checks that an order is a Cuthill-McKee order, with the graph alone. The check uses no code of
// the orderings, and accepts any right order. Its conditions are those of Ginkgo's tests, extended
// to several components.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph.hpp"
#include "start_node.hpp"

namespace gridloom::mhive::rcm {

struct validity {
  /// The rule for start nodes. Without a rule, any vertex may be a start node. With
  /// pseudo_peripheral, no vertex among the `most_candidates` vertices of least degree in the last
  /// level may have a larger eccentricity.
  std::optional<start_options> starts = std::nullopt;
  /// Siblings of equal degree are ordered by number, and components by their smallest vertices.
  /// Together with the start nodes this makes the order unique.
  bool strict = false;
  /// If there are more faults, a last line counts the rest.
  std::size_t most_faults = 20;
};

/// Returns the faults of an order, one line each; empty if there is none. `cuthill_mckee` is the
/// order before it is reversed. The graph's pattern must be symmetric. One thread. Cost: linear,
/// except for the searches from candidates of pseudo-peripheral nodes. Throws std::invalid_argument
/// for options that find_starts refuses. The checks end with the first one that fails:
///  - the order holds every vertex once, and every component is contiguous;
///  - a component's first vertex is a start node as `wanted` says;
///  - levels (distances from the first vertex) never fall along the order;
///  - vertices of a level are ordered by the place of their first parent;
///  - siblings (vertices of the same first parent) are ordered by degree (see degree_of).
[[nodiscard]] std::vector<std::string> faults_of(graph_ref graph,
                                                 std::span<std::uint32_t const> cuthill_mckee,
                                                 validity const& wanted = {});

}  // namespace gridloom::mhive::rcm
