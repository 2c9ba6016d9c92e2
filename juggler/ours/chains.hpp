#pragma once
// Lists of the method `chains`: the worker of a task goes on with one of its children, so that the
// child's wait for this parent costs no word. The lists consist of chains of tasks, such as a row
// of tiles, or a tile over its steps. Not in the paper; "owner computes", for any graph.
//
// Each worker's list is in the order of the waves. Each wave is divided as evenly as possible: all
// workers get the same number of tasks, or one more. The waves are assigned one after another, each
// in two passes over its tasks by number:
// 1. A task that is the heir of a parent goes to that parent's worker, if there is room. An heir is
//    one of the parent's children in the next wave: the child at the same place if both waves have
//    the same size (steps of a stencil), or else the first, or the last. A task without a child in
//    the next wave has its first child as its heir (the next update of a tile of a matrix). Of
//    several such parents, the last counts if heirs are first children, and else the first.
// 2. Other tasks go to the worker of any parent, if there is room, or to the next worker that has
//    room.
//
// Whether the first or the last child is better depends on the graph: in a table of tiles, one rule
// makes rows, the other columns, and each row or column is one hand-over on the way through it.
// Both assignments are made, and timed as if all tasks took equally long and a hand-over a quarter
// of that.

#include <cstdint>
#include <vector>

#include "juggler/ours/task_order.hpp"

namespace gridloom::juggler {

enum class heir { first_child, last_child };

/// The worker of each task.
struct task_owners {
  std::vector<std::uint32_t> worker_of;
  /// Time at which all tasks are done, if a task takes 4 and a hand-over to another worker 1.
  std::uint64_t makespan;
};

/// Assigns each task to a worker; `choice` is the rule by which a worker continues with a child.
/// `before` has the parents of each task. Cost: linear.
[[nodiscard]] task_owners chains_by(heir choice, task_dag const& dag, csr_graph const& before,
                                    task_groups const& waves, std::uint32_t workers);

/// Takes the rule with the shorter makespan, or first children if both are equal. dealt_to() makes
/// the lists from `worker_of`.
[[nodiscard]] task_owners chains_of(task_dag const& dag, csr_graph const& before,
                                    task_groups const& waves, std::uint32_t workers);

}  // namespace gridloom::juggler
