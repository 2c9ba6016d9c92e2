#pragma once
// Lists of `chains`: who executed a task executes one of its children next, so that this one's parent
// costs no word. What is left are chains of tasks, such as a row of tiles or a tile over its steps. Not
// in the paper; owner computes, for any graph.
//
// Each worker's list is in the order of the waves, and each wave is dealt as evenly as it can be: to all
// workers the same number of tasks, or one more. The waves are dealt one after the other, in two passes
// over the tasks, by their numbers:
// 1. A task whose parent has it for its heir goes to that parent's worker, if there is room. An heir is
//    one of the parent's children in the next wave: the one at the same place, where both waves have
//    the same size (steps of a stencil), or else the first, or the last; without a child in the next
//    wave its first child (the next update of a tile of a matrix). Of several such parents the last
//    counts where heirs are first children, or else the first.
// 2. The others go to the worker of any parent, if there is room, or to the next worker that has some.
//
// Whether the first or the last child is better depends on the graph: of a table of tiles, one makes rows
// and the other columns, and each row or column is a hand-over on the way through the table. Both are
// dealt, and timed as if all tasks were equally long and a hand-over took a quarter of that.

#include <cstdint>
#include <vector>

#include "juggler/ours/task_order.hpp"

namespace gridloom::juggler {

enum class heir { first_child, last_child };

/// Whose each task is.
struct task_owners {
  std::vector<std::uint32_t> worker_of;
  /// When all are done: a task takes 4, and 1 more to be seen by another worker.
  std::uint64_t makespan;
};

/// By one of the two. `before` has the parents of each task. Cost: linear.
[[nodiscard]] task_owners chains_by(heir choice, task_dag const& dag, csr_graph const& before,
                                    task_groups const& waves, std::uint32_t workers);

/// By the better one; by the first child where they are equal. The lists are dealt_to by `worker_of`.
[[nodiscard]] task_owners chains_of(task_dag const& dag, csr_graph const& before,
                                    task_groups const& waves, std::uint32_t workers);

}  // namespace gridloom::juggler
