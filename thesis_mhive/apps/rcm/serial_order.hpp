#pragma once
// Serial Cuthill-McKee (thesis, Algorithm 7.1) for all components of a graph. It is the baseline,
// and the parallel versions must give the same order, entry by entry. It passes over the graph
// once. The order serves as the queue. The children of each parent are sorted in place, so no sort
// is longer than a degree.

#include <cstdint>
#include <span>
#include <vector>

#include "graph.hpp"

namespace gridloom::mhive::rcm {

/// One component within an order.
struct component_order {
  /// The component's first place in the Cuthill-McKee order.
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  /// Start node, which is the vertex at place `begin`.
  std::uint32_t start = 0;
  /// Number of levels of the breadth-first search from `start`.
  std::uint32_t num_levels = 0;

  friend bool operator==(component_order const&, component_order const&) = default;
};

struct serial_order {
  /// cuthill_mckee[k] is the vertex at place k.
  std::vector<std::uint32_t> cuthill_mckee;
  std::vector<component_order> components;

  /// Returns the reverse order (RCM), as sparse::permute takes it. The components are reversed,
  /// too.
  [[nodiscard]] std::vector<std::uint32_t> reversed() const {
    return {cuthill_mckee.rbegin(), cuthill_mckee.rend()};
  }
};

/// Orders every component from its start node, in the order of `starts`. Vertices are ordered by
/// level. Within a level they are ordered by the place of their first parent, then by degree (see
/// degree_of), then by number. This order is unique. The thesis leaves ties in degree open and has
/// only one component. One thread. Cost: linear, except for sorting the children of a vertex.
/// Throws std::invalid_argument unless `starts` holds one vertex of every component, and
/// timeout_error when a host_time_limit in force has passed.
[[nodiscard]] serial_order order_from(graph_ref graph, std::span<std::uint32_t const> starts);

}  // namespace gridloom::mhive::rcm
