#pragma once
// The gaps of processors in a kernel. It gives the same results as `gaps` (timeline.hpp), with a
// treap laid out for kernels. The nodes of all processors are in one array and have links to their
// parents, so no walk needs a stack. Each node knows the longest gap of its subtree. Each operation
// takes O(log gaps) expected time.
//
// GI.R1. A tree belongs to the thread of its processor; no other thread accesses its nodes. Free
//        nodes are shared. Only one thread at a time places a task, and the warp synchronises
//        between two tasks.

#include <cstdint>

#include "gridloom/portable.hpp"
#include "pets/support/task_graph.hpp"

namespace gridloom::pets {

inline constexpr std::uint32_t no_gap = ~std::uint32_t{0};

/// A gap [start, end) in the tree of its processor.
struct gap_node {
  time_value start;
  time_value end;
  /// Longest gap of the subtree.
  time_value longest;
  std::uint32_t left;
  std::uint32_t right;
  std::uint32_t parent;
  std::uint32_t unused;
};

/// Nodes for all processors. One per task is enough, because a task adds at most one gap.
struct gap_pool {
  gap_node* nodes;
  /// Number of nodes that have ever been used.
  std::uint32_t begun;
  /// Head of the list of free nodes, linked by `left`.
  std::uint32_t free;
};

/// State of a processor: the end of its last task, and the tree of its gaps.
struct gap_tree {
  time_value end;
  std::uint32_t root;
};

/// The timeline of a processor, used by the thread of that processor.
class gap_index {
 public:
  GRIDLOOM_FN gap_index(gap_pool& pool, gap_tree& tree)
      : pool_(pool), nodes_(pool.nodes), tree_(tree) {}

  /// Returns max(from, ready) for the earliest gap [from, to) with max(from, ready) + cost <= to.
  [[nodiscard]] GRIDLOOM_FN time_value earliest_start(time_value ready, time_value cost) const {
    if (ready >= tree_.end) return ready;
    if (tree_.root == no_gap || cost > nodes_[tree_.root].longest) return tree_.end;
    // Gaps do not overlap, so of those that start before `ready`, only the last can hold the task.
    // For later gaps, only the length matters.
    time_value before_end = 0;
    bool has_before = false;
    std::uint32_t fits = no_gap;
    for (std::uint32_t at = tree_.root; at != no_gap;) {
      gap_node const& gap = nodes_[at];
      if (gap.start < ready) {
        before_end = gap.end;
        has_before = true;
        at = gap.right;
        continue;
      }
      bool const below = gap.right != no_gap && longest(gap.right) >= cost;
      if (gap.end - gap.start >= cost || below) fits = at;
      at = gap.left;
    }
    if (has_before && ready + cost <= before_end) return ready;
    if (fits == no_gap) return tree_.end;
    gap_node const& gap = nodes_[fits];
    return gap.end - gap.start >= cost ? gap.start : first_of_length(gap.right, cost);
  }

  /// Places the task for which earliest_start returned `start`.
  GRIDLOOM_FN void take(time_value start, time_value cost) {
    time_value const finish = start + cost;
    if (start >= tree_.end) {
      if (start > tree_.end) insert(tree_.end, start);
      tree_.end = finish;
      return;
    }
    std::uint32_t at = tree_.root;
    while (at != no_gap && !(nodes_[at].start <= start && start < nodes_[at].end)) {
      at = start < nodes_[at].start ? nodes_[at].left : nodes_[at].right;
    }
    // A task without cost at the end of a gap changes nothing.
    if (at == no_gap) return;
    time_value const end = nodes_[at].end;
    bool const before = nodes_[at].start < start;
    bool const after = finish < end;
    if (!before && !after) return erase(at);
    // The gap becomes shorter and keeps its place in the tree.
    if (before) {
      nodes_[at].end = start;
    } else {
      nodes_[at].start = finish;
    }
    update_from(at);
    if (before && after) insert(finish, end);
  }

 private:
  [[nodiscard]] GRIDLOOM_FN time_value longest(std::uint32_t at) const {
    return at == no_gap ? 0 : nodes_[at].longest;
  }
  // Priority of a node. It is random enough to keep the tree balanced, and the same on every
  // machine.
  [[nodiscard]] GRIDLOOM_FN static std::uint32_t priority(std::uint32_t at) {
    std::uint32_t x = (at + 1) * 0x9e3779b9U;
    x = (x ^ (x >> 16U)) * 0x85ebca6bU;
    x = (x ^ (x >> 13U)) * 0xc2b2ae35U;
    return x ^ (x >> 16U);
  }

  // Start of the leftmost gap that is long enough. The subtree must have one.
  [[nodiscard]] GRIDLOOM_FN time_value first_of_length(std::uint32_t at, time_value cost) const {
    for (;;) {
      gap_node const& gap = nodes_[at];
      if (gap.left != no_gap && longest(gap.left) >= cost) {
        at = gap.left;
      } else if (gap.end - gap.start >= cost) {
        return gap.start;
      } else {
        at = gap.right;
      }
    }
  }

  GRIDLOOM_FN void update(std::uint32_t at) {
    gap_node& gap = nodes_[at];
    time_value most = gap.end - gap.start;
    if (longest(gap.left) > most) most = longest(gap.left);
    if (longest(gap.right) > most) most = longest(gap.right);
    gap.longest = most;
  }
  // Updates a node and its ancestors, up to the first that does not change.
  GRIDLOOM_FN void update_from(std::uint32_t at) {
    for (; at != no_gap; at = nodes_[at].parent) {
      time_value const old = nodes_[at].longest;
      update(at);
      if (nodes_[at].longest == old) return;
    }
  }

  // Replaces `at` by `below` under at's parent.
  GRIDLOOM_FN void replace(std::uint32_t at, std::uint32_t below) {
    std::uint32_t const parent = nodes_[at].parent;
    if (parent == no_gap) {
      tree_.root = below;
    } else if (nodes_[parent].left == at) {
      nodes_[parent].left = below;
    } else {
      nodes_[parent].right = below;
    }
    if (below != no_gap) nodes_[below].parent = parent;
  }
  // Rotates a child above its parent.
  GRIDLOOM_FN void lift(std::uint32_t child) {
    std::uint32_t const at = nodes_[child].parent;
    replace(at, child);
    std::uint32_t moved = no_gap;
    if (nodes_[at].left == child) {
      moved = nodes_[child].right;
      nodes_[at].left = moved;
      nodes_[child].right = at;
    } else {
      moved = nodes_[child].left;
      nodes_[at].right = moved;
      nodes_[child].left = at;
    }
    if (moved != no_gap) nodes_[moved].parent = at;
    nodes_[at].parent = child;
    update(at);
    update(child);
  }

  GRIDLOOM_FN void insert(time_value start, time_value end) {
    std::uint32_t const added = new_node();
    time_value const length = end - start;
    std::uint32_t parent = no_gap;
    for (std::uint32_t at = tree_.root; at != no_gap;) {
      parent = at;
      gap_node& gap = nodes_[at];
      if (length > gap.longest) gap.longest = length;
      at = start < gap.start ? gap.left : gap.right;
    }
    nodes_[added] = {start, end, length, no_gap, no_gap, parent, 0};
    if (parent == no_gap) {
      tree_.root = added;
      return;
    }
    (start < nodes_[parent].start ? nodes_[parent].left : nodes_[parent].right) = added;
    while (nodes_[added].parent != no_gap && priority(nodes_[added].parent) < priority(added)) {
      lift(added);
    }
  }

  GRIDLOOM_FN void erase(std::uint32_t at) {
    for (;;) {
      std::uint32_t const left = nodes_[at].left;
      std::uint32_t const right = nodes_[at].right;
      if (left == no_gap || right == no_gap) break;
      lift(priority(left) > priority(right) ? left : right);
    }
    std::uint32_t const parent = nodes_[at].parent;
    replace(at, nodes_[at].left != no_gap ? nodes_[at].left : nodes_[at].right);
    update_from(parent);
    nodes_[at].left = pool_.free;
    pool_.free = at;
  }

  GRIDLOOM_FN std::uint32_t new_node() {
    if (pool_.free == no_gap) return pool_.begun++;
    std::uint32_t const at = pool_.free;
    pool_.free = nodes_[at].left;
    return at;
  }

  gap_pool& pool_;
  gap_node* nodes_;
  gap_tree& tree_;
};

}  // namespace gridloom::pets
