#pragma once
// Connected components, for graphs that one search does not cover. Each vertex points to a smaller
// vertex of its component or to itself. Trees are joined along the edges, until every vertex points
// to the smallest vertex of its component.

#include <cstdint>

#include "gridloom/atomic.hpp"
#include "gridloom/device.hpp"
#include "thesis_mhive/apps/rcm/graph.hpp"

namespace gridloom::mhive::rcm::levels {

/// Joins the trees at the ends of every edge. Before the launch, `parents` holds each vertex's own
/// number.
struct join_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;
  static constexpr int max_threads = 256;

  graph_ref graph;
  std::uint32_t* parents;

  template <class Block>
  GRIDLOOM_FN void operator()(Block const& block, scratch&) const {
    auto const part = block.warp().template part<8>();
    for (auto v = static_cast<std::uint32_t>(part.index()); v < graph.num_rows;
         v += static_cast<std::uint32_t>(part.count())) {
      std::uint64_t const end = graph.row_end(v);
      for (std::uint64_t at = graph.row_begin(v) + static_cast<std::uint64_t>(part.thread_rank());
           at < end; at += static_cast<std::uint64_t>(part.num_threads())) {
        if (graph.columns[at] < v) join(v, graph.columns[at]);
      }
    }
  }

  /// Returns the current root of a vertex's tree. Roots only become smaller.
  GRIDLOOM_FN static std::uint32_t root_of(std::uint32_t* parents, std::uint32_t vertex) {
    direct_memory memory;
    std::uint32_t parent = memory.load_relaxed(parents + vertex);
    while (parent != vertex) {
      // Halves the path to the root. This is safe, because any ancestor may be the parent.
      std::uint32_t const next = memory.load_relaxed(parents + parent);
      if (next != parent) memory.store_relaxed(parents + vertex, next);
      vertex = parent;
      parent = next;
    }
    return vertex;
  }

 private:
  GRIDLOOM_FN void join(std::uint32_t a, std::uint32_t b) const {
    direct_memory memory;
    a = root_of(parents, a);
    b = root_of(parents, b);
    while (a != b) {
      std::uint32_t const larger = a > b ? a : b;
      std::uint32_t const smaller = a > b ? b : a;
      if (memory.compare_exchange_relaxed(parents + larger, larger, smaller)) return;
      a = root_of(parents, larger);
      b = smaller;
    }
  }
};

/// Makes each vertex its own root.
struct set_apart {
  std::uint32_t* parents;
  GRIDLOOM_FN void operator()(std::uint32_t vertex) const { parents[vertex] = vertex; }
};

/// Sets flags[v] to 1 if v is the smallest vertex of its component, otherwise to 0.
struct flag_roots {
  std::uint32_t* parents;
  std::uint32_t* flags;
  GRIDLOOM_FN void operator()(std::uint32_t vertex) const {
    flags[vertex] = parents[vertex] == vertex ? 1 : 0;
  }
};

/// Numbers the components from 0 in the order of their smallest vertices. `numbers[root]` is the
/// number of the root's component. `first_of` is the root of each component.
struct number_components {
  std::uint32_t* parents;
  std::uint32_t const* numbers;
  std::uint32_t* component_of;
  std::uint32_t* first_of;
  GRIDLOOM_FN void operator()(std::uint32_t vertex) const {
    std::uint32_t const root = join_kernel::root_of(parents, vertex);
    component_of[vertex] = numbers[root];
    if (root == vertex) first_of[numbers[root]] = vertex;
  }
};

}  // namespace gridloom::mhive::rcm::levels
