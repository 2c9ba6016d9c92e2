#pragma once
// The list schedulers compared with PETS, and a table of all list schedulers by name.

#include <span>
#include <string_view>
#include <vector>

#include "pets/selection.hpp"

namespace gridloom::pets {

/// HEFT (Topcuoglu, Hariri, Wu 2002, section 4): upward ranks descending, with insertion or append.
/// Ranks are exact, because they are multiplied by the number of processors. Ties are broken by
/// level, then number.
[[nodiscard]] schedule heft(task_graph const& graph, policy how);

[[nodiscard]] std::vector<std::uint32_t> heft_order(task_graph const& graph);

/// HEFT with look-ahead (Bittencourt, Sakellariou, Madeira 2010). For each processor, the task's
/// successors are placed on trial in HEFT's order. The task goes where the last successor finishes
/// first; among equal processors, where the task itself finishes first. Insertion only. Cost: tasks
/// × processors² × out-degree placements, each with a copy of a processor's gaps.
[[nodiscard]] schedule lookahead_heft(task_graph const& graph, policy how);

/// PEFT (Arabnejad, Barbosa 2014). Takes ready tasks by the mean of their row of the optimistic
/// cost table; ties are broken by number. Places a task on the processor with the smallest sum of
/// finish and table entry. Insertion only. Cost: that of HEFT, plus edges × processors.
[[nodiscard]] schedule peft(task_graph const& graph, policy how);

/// CPOP (Topcuoglu, Hariri, Wu 2002, section 5). Takes ready tasks by upward + downward rank; ties
/// are broken by number. Tasks of the critical path go to the processor that runs this path
/// fastest, and the others where they finish first. Insertion or append.
[[nodiscard]] schedule cpop(task_graph const& graph, policy how);

/// Upward and downward ranks, multiplied by the number of processors.
[[nodiscard]] std::vector<time_value> upward_ranks(task_graph const& graph);
[[nodiscard]] std::vector<time_value> downward_ranks(task_graph const& graph);

/// A list scheduler that --algorithm can name.
struct list_scheduler {
  /// Name for --algorithm, for example "pets_insertion".
  std::string_view name;
  schedule (*run)(task_graph const&, policy);
  policy how;
};
[[nodiscard]] std::span<list_scheduler const> list_schedulers();

}  // namespace gridloom::pets
