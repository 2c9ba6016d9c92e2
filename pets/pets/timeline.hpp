#pragma once
// When processors are free: by the end of their last task, or by all gaps between tasks.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/task_graph.hpp"

namespace gridloom::pets {

/// A processor that takes tasks after its last one only.
class appended {
 public:
  [[nodiscard]] time_value earliest_start(time_value ready, time_value /*cost*/) const {
    return ready > end_ ? ready : end_;
  }
  /// Takes the task that was told `start`.
  void take(time_value start, time_value cost) { end_ = start + cost; }

 private:
  time_value end_ = 0;
};

/// A processor that takes tasks in its gaps, too. A task starts in the earliest gap [from, to) in
/// which max(from, ready) + cost <= to, at max(from, ready); after the last task all is one gap
/// without end. Gaps of no length are not kept, and a task without cost ends a gap and begins the
/// next like any other, so that no later task is laid over it: it starts inside a gap, at a border
/// of one (then nothing changes), or after the last task, never between two tasks that touch.
/// The index, a treap of the gaps by their start that knows the longest gap of each subtree,
/// answers and changes in O(log gaps) expected. Many may ask at once; one thread takes.
class gaps {
 public:
  [[nodiscard]] time_value earliest_start(time_value ready, time_value cost) const;
  /// Takes the task that was told `start`, before any other is taken.
  void take(time_value start, time_value cost);
  /// Gaps on the longest way down from the root: what a search visits at most twice.
  [[nodiscard]] std::size_t depth() const;

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct node {
    time_value start;
    time_value end;
    /// Of the subtree.
    time_value longest;
    std::uint32_t left;
    std::uint32_t right;
    /// None below has a larger one.
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
  /// Of take: from the root to a gap.
  std::vector<std::uint32_t> path_;
  std::uint32_t root_ = none;
  /// From here on all is free.
  time_value end_ = 0;
  std::uint64_t random_ = 1;
};

}  // namespace gridloom::pets
