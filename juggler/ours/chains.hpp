#pragma once
// Lists of the method `chains`: a worker continues with a child of the task that it executed. Then
// the child need not wait for this parent. The lists consist of chains of tasks, such as a row of
// tiles, or one tile over its time steps. This method is not in the paper. It generalises "owner
// computes" to any graph.
//
// Each worker's list is in the order of the waves. Each wave is divided evenly: workers get the
// same number of tasks, or one more. The waves are assigned one after another, each in two passes
// over its tasks by number:
// 1. If a task is the heir of a parent, it goes to that parent's worker, if there is room. An heir
//    is a child in the next wave. If both waves have the same size (steps of a stencil), the heir
//    is the child at the parent's place. Otherwise it is the first child or the last. A task
//    without a child in the next wave has its first child as heir (the next update of a matrix
//    tile). If a task is the heir of several parents, they are tried one after the other. The rule
//    "first child" begins with the last parent, the other rule with the first.
// 2. Other tasks go to the worker of any parent, if there is room, or to the next worker that has
//    room.
//
// Which child is better depends on the graph. In a table of tiles, one rule makes rows and the
// other columns, and each row or column costs one hand-over. Both assignments are made and
// simulated. The simulation assumes tasks of equal length, and a hand-over that takes a quarter of
// a task.

#include <cstdint>
#include <vector>

#include "gridloom/taskgraph/rivals/ordered_state.hpp"

namespace gridloom::juggler {

enum class heir { first_child, last_child };

struct task_owners {
  std::vector<std::uint32_t> worker_of;
  /// Time at which all tasks are done, if a task takes 4 and a hand-over to another worker takes 1.
  std::uint64_t makespan;
};

/// Assigns each task to a worker; `choice` says with which child a worker continues. `before` has
/// the parents of each task. Cost: linear.
[[nodiscard]] task_owners chains_by(heir choice, csr_graph const& graph, csr_graph const& before,
                                    task_groups const& waves, std::uint32_t workers);

/// Takes the rule with the shorter makespan, or first children if both are equal.
[[nodiscard]] task_owners chains_of(csr_graph const& graph, csr_graph const& before,
                                    task_groups const& waves, std::uint32_t workers);

/// The lists that chains_of() makes.
[[nodiscard]] worker_lists chain_lists(csr_graph const& graph, csr_graph const& before,
                                       std::uint32_t workers);

}  // namespace gridloom::juggler
