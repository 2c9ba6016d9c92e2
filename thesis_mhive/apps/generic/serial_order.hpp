#pragma once
// Computes by a serial walk which tasks a run of an execution tree must have executed, and compares
// a run with the result. The code shares no tables with the kernels: the walk draws from
// random_source and compares the words with the probabilities.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "execution_tree.hpp"
#include "gridloom/taskgraph/graph_file.hpp"

namespace gridloom::mhive::generic {

/// Returns the number of tasks of each task type in `instances` instances. Throws
/// std::invalid_argument unless the tree is in topological order. Cost: 128 random words per
/// instance.
[[nodiscard]] std::vector<std::uint64_t> count_tasks(execution_tree const& tree, std::uint64_t seed,
                                                     std::uint32_t instances);

/// Returns the dependences between the tasks of all instances: the transitions that fire. A task
/// has the number `instance * tree.num_tasks() + task`. Throws as count_tasks and graph_of_edges
/// do.
[[nodiscard]] csr_graph task_graph(execution_tree const& tree, std::uint64_t seed,
                                   std::uint32_t instances);

/// The record of a run. Entry `instance * tree.num_tasks() + task` of each array belongs to a task.
/// It says how often the task was executed, and holds a stamp taken before and one taken after it.
/// Stamps grow with time. Stamps of tasks that were not executed are ignored.
struct run_certificate {
  std::uint32_t instances = 0;
  std::span<std::uint64_t const> begin;
  std::span<std::uint64_t const> end;
  std::span<std::uint32_t const> executions;
};

enum class dependencies { individual, phases };

/// Returns the faults of a run, one line each. Every task that the walk finds must have been
/// executed exactly once, and no other task. No task may have begun before all predecessors whose
/// transition fired had ended. With phases, all tasks of earlier phases, in all instances, must
/// have ended before. Equal stamps pass, because clocks are coarse; stamps from one counter make
/// the check strict. If a task was executed a wrong number of times, only that number is reported.
/// After `most` messages, a last one counts the rest. Throws std::invalid_argument for spans of a
/// wrong length, and for a tree that is not in topological order. With phases, throws usage_error
/// for a tree that require_phases() refuses.
[[nodiscard]] std::vector<std::string> check_certificate(execution_tree const& tree,
                                                         std::uint64_t seed, dependencies kind,
                                                         run_certificate const& run,
                                                         std::size_t most = 20);

}  // namespace gridloom::mhive::generic
