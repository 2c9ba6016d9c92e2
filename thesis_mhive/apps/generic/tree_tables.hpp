#pragma once
// An execution tree as kernels see it, and which of its tasks an instance has. Nothing is drawn
// while the tasks run: whether a transition fires is a pure function of seed, instance and
// transition, so a task can tell by itself who its predecessors are, on which of them it is to wait
// and which one of them enqueues it, and the host knows the right result beforehand.
//
// Numbers of tasks and transitions ("edges") are those of in_topological_order. Edges are sorted by
// target, so that one pass over them finds the tasks reached.

#include <cstdint>
#include <type_traits>

#include "gridloom/portable.hpp"

namespace gridloom::mhive::generic {

class execution_tree;

/// Trivially copyable, small enough for a kernel argument.
struct tree_tables {
  static constexpr int most_nodes = 32;
  static constexpr int most_edges = 128;

  std::uint64_t threshold[most_edges];  // an edge fires if its word is not above
  std::int64_t flops[most_nodes];       // floating-point operations of one task
  std::int32_t num_nodes;
  std::int32_t num_edges;
  std::uint32_t roots;  // mask of nodes
  std::int16_t worker_size[most_nodes];
  std::uint8_t phase[most_nodes];
  std::uint8_t from[most_edges];
  std::uint8_t to[most_edges];
  std::uint8_t first_in[most_nodes + 1];   // the edges into n: first_in[n] .. first_in[n + 1]
  std::uint8_t first_out[most_nodes + 1];  // those out of n: out_edge[first_out[n]] and on
  std::uint8_t out_edge[most_edges];
};
static_assert(std::is_trivially_copyable_v<tree_tables>);
static_assert(sizeof(tree_tables) <= 2048, "half of a kernel's 4 KiB of arguments is the user's");

/// Host only. Throws std::invalid_argument unless the tree is in topological order.
[[nodiscard]] tree_tables make_tables(execution_tree const& tree);

/// The word an edge is decided by: number 128 * instance + edge, from 0, that random_source{seed}
/// draws (gridloom/random.hpp), had without those before it.
GRIDLOOM_FN inline std::uint64_t edge_word(std::uint64_t seed, std::uint32_t instance, int edge) {
  std::uint64_t const count =
      std::uint64_t{instance} * tree_tables::most_edges + static_cast<std::uint64_t>(edge) + 1U;
  std::uint64_t word = seed + count * 0x9e3779b97f4a7c15U;
  word = (word ^ (word >> 30U)) * 0xbf58476d1ce4e5b9U;
  word = (word ^ (word >> 27U)) * 0x94d049bb133111ebU;
  return word ^ (word >> 31U);
}

/// Whether the edge fires in the instance, should its source be reached.
GRIDLOOM_FN inline bool fires(tree_tables const& tables, std::uint64_t seed, std::uint32_t instance,
                              int edge) {
  return edge_word(seed, instance, edge) <= tables.threshold[edge];
}

/// Mask of the nodes that have a task in the instance: the roots, and every node that a firing edge
/// leads to from one of the mask. Cost: a word an edge.
GRIDLOOM_FN inline std::uint32_t reached(tree_tables const& tables, std::uint64_t seed,
                                         std::uint32_t instance) {
  std::uint32_t mask = tables.roots;
  for (int edge = 0; edge < tables.num_edges; ++edge) {
    bool const from_reached = ((mask >> tables.from[edge]) & 1U) != 0;
    if (from_reached && fires(tables, seed, instance, edge)) mask |= 1U << tables.to[edge];
  }
  return mask;
}

/// Mask of the nodes of `mask`, which reached() gave, whose edge to the node fires. Its number of
/// bits (count_lanes) is how many dependencies the node's task has, and the lowest of them
/// (first_lane) is the one whose task enqueues it.
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

/// Mask of the nodes that a firing edge leads to from the node, which must be reached: their tasks
/// depend on the node's.
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
