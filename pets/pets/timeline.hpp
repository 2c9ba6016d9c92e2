#pragma once
// Timelines of processors during selection: only the end of the last task, or all gaps between
// tasks.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pets/support/task_graph.hpp"

namespace gridloom::pets {

/// A processor that places tasks only after its last task.
class appended {
 public:
  [[nodiscard]] time_value earliest_start(time_value ready, time_value /*cost*/) const {
    return ready > end_ ? ready : end_;
  }
  /// Places the task for which earliest_start returned `start`.
  void take(time_value start, time_value cost) { end_ = start + cost; }

 private:
  time_value end_ = 0;
};

/// A processor that also places tasks in gaps. Find the earliest gap [from, to) with max(from,
/// ready) + cost <= to. The task starts at max(from, ready). After the last task there is one gap
/// without end.
///
/// Empty gaps are not stored. A task without cost splits a gap like any other task, so that no
/// later task overlaps it. It starts inside a gap, at a border of a gap (then nothing changes), or
/// after the last task. It never starts between two tasks that touch.
///
/// The index is a treap of the gaps, sorted by start; each node knows the longest gap of its
/// subtree. A call takes O(log gaps) expected time. Any number of threads may call the const
/// members at once; only one thread may call take().
class gaps {
 public:
  [[nodiscard]] time_value earliest_start(time_value ready, time_value cost) const;
  /// Places the task for which the last earliest_start returned `start`.
  void take(time_value start, time_value cost);
  /// Depth of the tree. A search visits at most twice as many gaps.
  [[nodiscard]] std::size_t depth() const;

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct node {
    time_value start;
    time_value end;
    /// Longest gap of the subtree.
    time_value longest;
    std::uint32_t left;
    std::uint32_t right;
    /// No node of the subtree has a larger priority.
    std::uint32_t priority;
  };
  [[nodiscard]] time_value longest(std::uint32_t root) const;
  [[nodiscard]] std::uint32_t first_of_length(std::uint32_t root, time_value cost) const;
  void update(std::uint32_t at);
  void update_path();
  void insert(time_value start, time_value end);
  void erase(std::uint32_t at);
  void split(std::uint32_t root, time_value start, std::uint32_t& before, std::uint32_t& rest);
  [[nodiscard]] std::uint32_t merge(std::uint32_t left, std::uint32_t right);
  [[nodiscard]] std::uint32_t new_node(time_value start, time_value end);

  std::vector<node> nodes_;
  std::vector<std::uint32_t> unused_;
  /// Used in take(): the path from the root to a gap.
  std::vector<std::uint32_t> path_;
  std::uint32_t root_ = none;
  /// End of the last task.
  time_value end_ = 0;
  std::uint64_t random_ = 1;
};

}  // namespace gridloom::pets
