#pragma once
// A search whose nodes are found during the search, and the step that all methods share: a worker
// makes the children of up to one node per thread. The threads share all children of these nodes
// evenly, because the numbers of children differ.

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "gridloom/collectives.hpp"
#include "gridloom/group.hpp"
#include "gridloom/host_time_limit.hpp"

namespace gridloom::mhive::dynamic {

/// A search, copied to kernels by value. All functions depend on their arguments only.
///
/// - `root()`: the node with which the search begins.
/// - `children(node)`: the number of children; cheap, as it is asked for twice.
/// - `child(node, i)`: makes child i; this is the work of the search.
/// - `depth(node)`: 0 for the root.
/// - `value(leaf)`: what a leaf adds to the result. Integers, so that sums do not depend on the
///   order.
template <class Search>
concept node_search = std::is_trivially_copyable_v<Search> &&
    std::is_trivially_copyable_v<typename Search::node_type> &&
    requires(Search const& search, typename Search::node_type const& node) {
  { search.root() } -> std::same_as<typename Search::node_type>;
  { search.children(node) } -> std::same_as<std::uint32_t>;
  { search.child(node, std::uint32_t{0}) } -> std::same_as<typename Search::node_type>;
  { search.depth(node) } -> std::same_as<std::uint32_t>;
  { search.value(node) } -> std::same_as<std::int64_t>;
};

/// The result of a search, or of a thread's part of it.
struct totals {
  std::uint64_t nodes = 0;
  /// Sum of the leaves' values, modulo 2^64.
  std::uint64_t sum = 0;
  std::uint64_t deepest = 0;

  /// Counts a node, and returns whether it has children.
  template <node_search Search>
  GRIDLOOM_FN bool add(Search const& search, typename Search::node_type const& node) {
    nodes += 1;
    std::uint64_t const depth = search.depth(node);
    if (depth > deepest) deepest = depth;
    if (search.children(node) > 0) return true;
    sum += static_cast<std::uint64_t>(search.value(node));
    return false;
  }
  friend bool operator==(totals const&, totals const&) = default;
};

/// The serial search, depth first. Stops at a host_time_limit.
template <node_search Search>
totals search_serially(Search const& search) {
  totals found;
  std::vector<typename Search::node_type> open{search.root()};
  if (!found.add(search, open.back())) open.pop_back();
  time_checks check{"the serial search", 1U << 16U};
  while (!open.empty()) {
    auto const node = open.back();
    open.pop_back();
    std::uint32_t const n = search.children(node);
    for (std::uint32_t i = 0; i < n; ++i) {
      check();
      auto const child = search.child(node, i);
      if (found.add(search, child)) open.push_back(child);
    }
  }
  return found;
}

/// Shared memory of a worker of at most 32 threads.
template <class Node>
struct expand_scratch {
  Node parents[32];
  /// For each thread, the number of children of the nodes up to its own.
  std::uint32_t ends[32];
  collective_scratch<std::uint64_t, 1> sums;
};

/// Makes the children of each thread's `node`, if `has` is true, and counts them in `found`. Then
/// `keep(has_children, child)` is called by all threads together, several times. Called by all
/// threads of the worker.
template <node_search Search, warp_group Worker, class Node, class Keep>
GRIDLOOM_FN void expand(Search const& search, Worker const& worker, expand_scratch<Node>& shared,
                        bool has, Node const& node, totals& found, Keep const& keep) {
  int const rank = worker.thread_rank();
  int const threads = worker.num_threads();
  std::uint32_t end = has ? search.children(node) : 0;
  for (int stride = 1; stride < threads; stride *= 2) {
    std::uint32_t const before = worker.shuffle(end, rank < stride ? rank : rank - stride);
    if (rank >= stride) end += before;
  }
  shared.parents[rank] = node;
  shared.ends[rank] = end;
  std::uint32_t const all = worker.shuffle(end, threads - 1);
  worker.sync();
  for (std::uint32_t begin = 0; begin < all; begin += static_cast<std::uint32_t>(threads)) {
    std::uint32_t const i = begin + static_cast<std::uint32_t>(rank);
    Node child{};
    bool inner = false;
    if (i < all) {
      // The first parent whose children end behind i. The last one's do.
      int parent = 0;
      for (int step = threads / 2; step > 0; step /= 2) {
        if (shared.ends[parent + step - 1] <= i) parent += step;
      }
      child = search.child(shared.parents[parent], i - (parent > 0 ? shared.ends[parent - 1] : 0));
      inner = found.add(search, child);
    }
    keep(inner, child);
  }
  // The scratch may be written again.
  worker.sync();
}

/// Adds the parts that all threads of the worker found to `all`. Called by all of them.
template <warp_group Worker, class Node>
GRIDLOOM_FN void add_up(Worker const& worker, expand_scratch<Node>& shared, totals const& found,
                        totals* all) {
  std::uint64_t const nodes = reduce(worker, shared.sums, found.nodes, sum_of{});
  std::uint64_t const sum = reduce(worker, shared.sums, found.sum, sum_of{});
  std::uint64_t const deepest = reduce(worker, shared.sums, found.deepest, maximum_of{});
  if (worker.thread_rank() != 0) return;
  direct_memory memory;
  memory.fetch_add_relaxed(&all->nodes, nodes);
  memory.fetch_add_relaxed(&all->sum, sum);
  if (memory.load_relaxed(&all->deepest) < deepest)
    memory.fetch_max_relaxed(&all->deepest, deepest);
}

}  // namespace gridloom::mhive::dynamic
