#pragma once
// Checks that an order is a Cuthill-McKee order, using the graph alone. No code of the orderings is
// used, so any right order passes. The conditions are those of Ginkgo's tests, extended to several
// components.

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
  /// Rule for start nodes. Without a rule, any vertex may be a start node. With pseudo_peripheral,
  /// none of the `most_candidates` vertices of least degree in the last level has a larger
  /// eccentricity.
  std::optional<start_options> starts = std::nullopt;
  /// Siblings of equal degree are ordered by number, and components by their smallest vertices.
  /// Together with the start nodes this makes the order unique.
  bool strict = false;
  /// After this many faults, a last line counts the rest.
  std::size_t most_faults = 20;
};

/// Faults of an order, one line each; empty if there is none. `cuthill_mckee` is the order before
/// it is reversed. The checks are, up to the first that fails: the order holds every vertex once;
/// every component is contiguous; and within a component,
///  - the first vertex is a start node as `wanted` says,
///  - levels (distances from the first vertex) never fall along the order,
///  - vertices of a level are ordered by the place of their first parent,
///  - and siblings (vertices of the same first parent) are ordered by degree, see degree_of. The
///    graph's pattern must be symmetric. One thread; linear except for the searches from candidates
///    of pseudo-peripheral nodes. Throws std::invalid_argument for options that find_starts
///    refuses.
[[nodiscard]] std::vector<std::string> faults_of(graph_ref graph,
                                                 std::span<std::uint32_t const> cuthill_mckee,
                                                 validity const& wanted = {});

}  // namespace gridloom::mhive::rcm
