#pragma once
// The execution tree of the generic test (thesis, section 7.1): task types with a synthetic
// workload, and transitions between them that fire with a probability. A task type may have several
// predecessors, so the tree is a directed acyclic graph.
//
// A run has a number of instances of the tree. In each instance, every root (a task type without
// predecessor) has one task. Any other task type has one task if a transition from a task of the
// instance into it fires. tree_tables.hpp decides which transitions fire.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gridloom::mhive::generic {

/// With at most 32 task types, a word holds one bit per type.
inline constexpr int most_tasks = 32;
/// Small enough that the kernels' tables fit into a kernel's arguments.
inline constexpr int most_transitions = 128;
inline constexpr int most_phases = 8;
inline constexpr int longest_name = 32;
/// Largest work of one task: about a second for one thread, on the host or on a GPU. A running task
/// cannot be stopped, so a run may exceed its time limit by that second.
inline constexpr std::int64_t most_flops = 1'000'000'000;
inline constexpr std::int64_t most_instances = (std::int64_t{1} << 31U) - 1;

struct task_definition {
  /// Consists of letters, digits, '_', '-' and '.'.
  std::string name;
  /// Floating-point operations of one task.
  std::int64_t flops = 0;
  /// Number of threads: 1, 32, 64 or 256.
  int worker_size = 1;
  /// Counted from 0; ignored with individual dependencies.
  int phase = 0;
};

struct transition {
  /// Indices of task types.
  int from = 0;
  int to = 0;
  double probability = 1.0;
  /// Where the transition was defined, for messages: "file:line", or empty.
  std::string place;
};

/// Task types and transitions, which never form a cycle. Error messages begin with `place`. A
/// refused definition does not change the tree.
class execution_tree {
 public:
  /// Throws usage_error for a bad or repeated name, for a value out of range, and for too many task
  /// types.
  void add_task(task_definition task, std::string_view place = "");

  /// Adds a transition between two task types that exist. Throws usage_error for an unknown name, a
  /// probability outside (0, 1], a repeated transition, a cycle, and too many transitions. The
  /// message about a cycle names its task types.
  void add_transition(std::string_view from, std::string_view to, double probability,
                      std::string_view place = "");

  [[nodiscard]] std::vector<task_definition> const& tasks() const { return tasks_; }
  [[nodiscard]] std::vector<transition> const& transitions() const { return transitions_; }
  [[nodiscard]] int num_tasks() const { return static_cast<int>(tasks_.size()); }

  [[nodiscard]] bool is_root(int task) const;

 private:
  friend execution_tree in_topological_order(execution_tree const& tree);

  /// Returns -1 if no task type has the name.
  [[nodiscard]] int index_of(std::string_view name) const;
  [[nodiscard]] std::vector<int> path(int from, int to) const;

  std::vector<task_definition> tasks_;
  std::vector<transition> transitions_;
};

/// Returns the tree with new numbers, such that every transition leads to a higher number. If
/// several task types could come next, the one that was defined first does. Transitions are sorted
/// by target, then by source.
[[nodiscard]] execution_tree in_topological_order(execution_tree const& tree);

/// Whether the tree is numbered as in_topological_order numbers it.
[[nodiscard]] bool is_in_topological_order(execution_tree const& tree);

/// Throws usage_error, with the place of the transition, unless every transition leads to a later
/// phase. Call it before a run with phases.
void require_phases(execution_tree const& tree);

/// Throws usage_error, which names `option`, unless `instances` is in [1, most_instances] and the
/// work of all possible tasks fits 63 bits.
void require_instances(execution_tree const& tree, std::int64_t instances, std::string_view option);

}  // namespace gridloom::mhive::generic
