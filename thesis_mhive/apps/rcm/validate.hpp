#pragma once
// Whether an order is a Cuthill-McKee order, judged from the graph alone: nothing here uses the
// code that orders, and any right order passes, whoever made it. The conditions are those of
// Ginkgo's tests, in more than one component.

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
  /// What the start nodes are to be; without it, any vertex may be one.
  /// pseudo_peripheral: none of the `most_candidates` vertices of least degree in the last level
  /// has a larger eccentricity. (With abandon_wide: the first of them.)
  std::optional<start_options> starts = std::nullopt;
  /// Siblings of equal degree come by number, and components by their smallest vertices. Together
  /// with the start nodes this leaves one order only.
  bool strict = false;
  /// After so many faults a last line counts the rest.
  std::size_t most_faults = 20;
};

/// What is wrong with an order, one line each; empty: nothing. `cuthill_mckee` is the order before
/// it is reversed. Looked at one after the other, and no further once one fails: that the order
/// holds every vertex once; that every component is contiguous; and within the components that are,
/// that
///  - the first vertex is a start node as promised,
///  - levels (distances from the first vertex) never fall along the order,
///  - within a level vertices come by the place of their first parent,
///  - and siblings (vertices of the same first parent) come by degree, as degree_of counts.
/// The graph's pattern must be symmetric. One thread; linear, but for the searches from candidates
/// of pseudo-peripheral nodes. Throws std::invalid_argument for a promise that find_starts would
/// not take.
[[nodiscard]] std::vector<std::string> faults_of(graph_ref graph,
                                                 std::span<std::uint32_t const> cuthill_mckee,
                                                 validity const& wanted = {});

}  // namespace gridloom::mhive::rcm
