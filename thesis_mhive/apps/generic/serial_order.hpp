#pragma once
// A serial walk computes which tasks a run of an execution tree must have executed, and a check
// compares a run with it. Nothing here uses the tables of the kernels: the walk draws from
// random_source and compares the words with the probabilities.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "execution_tree.hpp"

namespace gridloom::mhive::generic {

/// Number of tasks of each task type in `instances` instances. The tree must be in topological
/// order, else std::invalid_argument. Cost: 128 random words per instance.
[[nodiscard]] std::vector<std::uint64_t> count_tasks(execution_tree const& tree, std::uint64_t seed,
                                                     std::uint32_t instances);

/// The record of a run. Entry `instance * tree.num_tasks() + task` of each array belongs to a task:
/// how often it was executed, and stamps taken before and after it. Stamps grow with time; those of
/// tasks that were not executed are ignored.
struct run_certificate {
  std::uint32_t instances = 0;
  std::span<std::uint64_t const> begin;
  std::span<std::uint64_t const> end;
  std::span<std::uint32_t const> executions;
};

enum class dependencies { individual, phases };

/// Faults of a run, one line each; empty if there is none. Every task that the walk finds must have
/// been executed exactly once, and no other task. No task may have begun before all predecessors
/// whose transition fired had ended; with phases, before every task of the earlier phases, of all
/// instances, had ended. Equal stamps pass, since clocks are coarse; stamps from one counter make
/// the check strict. For a task executed a wrong number of times, only the number is reported.
/// After `most` messages, a last one counts the rest. Throws std::invalid_argument for spans of a
/// wrong length and a tree not in topological order, and, with phases, usage_error for a tree that
/// require_phases() refuses.
[[nodiscard]] std::vector<std::string> check_certificate(execution_tree const& tree,
                                                         std::uint64_t seed, dependencies kind,
                                                         run_certificate const& run,
                                                         std::size_t most = 20);

}  // namespace gridloom::mhive::generic
