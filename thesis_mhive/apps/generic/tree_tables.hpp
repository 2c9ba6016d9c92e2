#pragma once
// An execution tree as kernels see it, and functions that tell which of its tasks an instance has.
// Whether a transition fires is a pure function of seed, instance and transition, so no random
// state exists during the run. A task can compute which predecessors it waits for, and which of
// them enqueues it. The host can compute the right result beforehand.
//
// Tasks and transitions ("edges") have the numbers that in_topological_order gives them. Edges are
// sorted by target, so one pass over them finds the reached tasks.

#include <cstdint>
#include <type_traits>

#include "gridloom/portable.hpp"

namespace gridloom::mhive::generic {

class execution_tree;

/// Trivially copyable, small enough for a kernel argument.
struct tree_tables {
  static constexpr int most_nodes = 32;
  static constexpr int most_edges = 128;

  /// An edge fires if its random word is at most this.
  std::uint64_t threshold[most_edges];
  /// Floating-point operations of one task.
  std::int64_t flops[most_nodes];
  std::int32_t num_nodes;
  std::int32_t num_edges;
  /// Mask of the nodes without predecessors.
  std::uint32_t roots;
  std::int16_t worker_size[most_nodes];
  std::uint8_t phase[most_nodes];
  std::uint8_t from[most_edges];
  std::uint8_t to[most_edges];
  /// Edges first_in[n] to first_in[n + 1] - 1 lead into node n.
  std::uint8_t first_in[most_nodes + 1];
  /// Edges out_edge[first_out[n]] to out_edge[first_out[n + 1] - 1] lead out of node n.
  std::uint8_t first_out[most_nodes + 1];
  std::uint8_t out_edge[most_edges];
};
static_assert(std::is_trivially_copyable_v<tree_tables>);
static_assert(sizeof(tree_tables) <= 2048, "half of a kernel's 4 KiB of arguments is the user's");

/// For the host. Throws std::invalid_argument unless the tree is in topological order.
[[nodiscard]] tree_tables make_tables(execution_tree const& tree);

/// Returns the random word that decides about an edge. It is word number 128 * instance + edge,
/// from 0, of the sequence of random_source{seed} (gridloom/random.hpp). It is computed without the
/// words before it.
GRIDLOOM_FN inline std::uint64_t edge_word(std::uint64_t seed, std::uint32_t instance, int edge) {
  std::uint64_t const count =
      std::uint64_t{instance} * tree_tables::most_edges + static_cast<std::uint64_t>(edge) + 1U;
  std::uint64_t word = seed + count * 0x9e3779b97f4a7c15U;
  word = (word ^ (word >> 30U)) * 0xbf58476d1ce4e5b9U;
  word = (word ^ (word >> 27U)) * 0x94d049bb133111ebU;
  return word ^ (word >> 31U);
}

/// Whether the edge fires in the instance if its source is reached.
GRIDLOOM_FN inline bool fires(tree_tables const& tables, std::uint64_t seed, std::uint32_t instance,
                              int edge) {
  return edge_word(seed, instance, edge) <= tables.threshold[edge];
}

/// Returns the mask of the nodes that have a task in the instance. These are the roots, and every
/// node to which an edge from a node of the mask fires. Cost: one random word per edge.
GRIDLOOM_FN inline std::uint32_t reached(tree_tables const& tables, std::uint64_t seed,
                                         std::uint32_t instance) {
  std::uint32_t mask = tables.roots;
  for (int edge = 0; edge < tables.num_edges; ++edge) {
    bool const from_reached = ((mask >> tables.from[edge]) & 1U) != 0;
    if (from_reached && fires(tables, seed, instance, edge)) mask |= 1U << tables.to[edge];
  }
  return mask;
}

/// Returns the predecessors of the node's task: the nodes of `mask` (from reached()) whose edge to
/// the node fires. The task has one dependency per bit (count_lanes). Its lowest predecessor
/// (first_lane) enqueues it.
GRIDLOOM_FN inline std::uint32_t predecessors(tree_tables const& tables, std::uint64_t seed,
                                              std::uint32_t mask, std::uint32_t instance,
                                              int node) {
  std::uint32_t found = 0;
  for (int edge = tables.first_in[node]; edge < tables.first_in[node + 1]; ++edge) {
    std::uint32_t const from = 1U << tables.from[edge];
    if ((mask & from) != 0 && fires(tables, seed, instance, edge)) found |= from;
  }
  return found;
}

/// Returns the successors of the node's task: the mask of the nodes to which an edge from the node
/// fires. The node must be reached.
GRIDLOOM_FN inline std::uint32_t successors(tree_tables const& tables, std::uint64_t seed,
                                            std::uint32_t instance, int node) {
  std::uint32_t found = 0;
  for (int k = tables.first_out[node]; k < tables.first_out[node + 1]; ++k) {
    int const edge = tables.out_edge[k];
    if (fires(tables, seed, instance, edge)) found |= 1U << tables.to[edge];
  }
  return found;
}

}  // namespace gridloom::mhive::generic
