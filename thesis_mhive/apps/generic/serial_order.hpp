#pragma once
// What a run of an execution tree must have done, found by a serial walk, and a check of what it
// did. Nothing here uses the tables that the tasks decide by: the walk draws from random_source and
// compares with the probabilities themselves.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "execution_tree.hpp"

namespace gridloom::mhive::generic {

/// Number of tasks of each task type in `instances` instances. The tree must be in topological
/// order, else std::invalid_argument. Cost: 128 words an instance.
[[nodiscard]] std::vector<std::uint64_t> count_tasks(execution_tree const& tree, std::uint64_t seed,
                                                     std::uint32_t instances);

/// What a run recorded, entry `instance * tree.num_tasks() + task` of each: how often the task was
/// executed, and stamps that grow with time, taken before and after it. Stamps of a task that was
/// not executed are not looked at.
struct run_certificate {
  std::uint32_t instances = 0;
  std::span<std::uint64_t const> begin;
  std::span<std::uint64_t const> end;
  std::span<std::uint32_t const> executions;
};

enum class dependencies { individual, phases };

/// What is wrong with a run, one line each; empty: nothing. Every task that the walk finds must
/// have been executed exactly once, no other at all, and none may have begun before all
/// predecessors whose transition fired had ended; with phases, none before every task of the
/// earlier phases, of all instances, had ended. Equal stamps pass, since clocks are coarse: a run
/// that is to be held strictly takes its stamps from one counter. Tasks that were executed a wrong
/// number of times are reported for that alone. After `most` messages a last one counts the rest.
/// Throws std::invalid_argument for spans of a wrong length and a tree not in topological order,
/// and with phases usage_error for a tree that require_phases() refuses.
[[nodiscard]] std::vector<std::string> check_certificate(execution_tree const& tree,
                                                         std::uint64_t seed, dependencies kind,
                                                         run_certificate const& run,
                                                         std::size_t most = 20);

}  // namespace gridloom::mhive::generic
