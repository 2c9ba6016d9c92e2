#pragma once
// The list schedulers that PETS is compared with, and all of them by name.

#include <span>
#include <string_view>
#include <vector>

#include "pets/selection.hpp"

namespace gridloom::pets {

/// HEFT (Topcuoglu, Hariri, Wu 2002, section 4): upward ranks descending; insertion or append.
/// Ranks are exact: they are kept times the processors. Ties by level, then number.
[[nodiscard]] schedule heft(task_graph const& graph, policy how);

/// Its order.
[[nodiscard]] std::vector<std::uint32_t> heft_order(task_graph const& graph);

/// HEFT that looks ahead (Bittencourt, Sakellariou, Madeira 2010): a task goes where the last of its
/// successors, placed on trial in HEFT's order, is done first; of several such processors to the
/// one where it is done first itself. Insertion. Cost: tasks × processors² × out-degree, and a copy
/// of a processor's gaps for each.
[[nodiscard]] schedule lookahead_heft(task_graph const& graph, policy how);

/// PEFT (Arabnejad, Barbosa 2014): ready tasks by the mean of their row of the optimistic cost
/// table, ties by number; to the processor with the least finish plus entry of the table. Insertion.
/// Cost: as HEFT, and edges × processors.
[[nodiscard]] schedule peft(task_graph const& graph, policy how);

/// CPOP (the same, section 5): tasks of the critical path go to the processor that suits it best,
/// the others where they finish first; by upward + downward rank from a queue of ready tasks, ties
/// by number. Insertion or append.
[[nodiscard]] schedule cpop(task_graph const& graph, policy how);

/// Upward and downward ranks times the processors.
[[nodiscard]] std::vector<time_value> upward_ranks(task_graph const& graph);
[[nodiscard]] std::vector<time_value> downward_ranks(task_graph const& graph);

/// A named way to schedule, as the program's --algorithm lists them.
struct list_scheduler {
  /// "pets_insertion".
  std::string_view name;
  schedule (*run)(task_graph const&, policy);
  policy how;
};
[[nodiscard]] std::span<list_scheduler const> list_schedulers();

/// Least makespan by trying everything, for graphs of at most 8 tasks; throws usage_error on more.
[[nodiscard]] time_value optimum(task_graph const& graph);

}  // namespace gridloom::pets
