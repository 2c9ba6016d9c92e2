#pragma once
// The optimum of small graphs, to judge schedules by.

#include "pets/support/task_graph.hpp"

namespace gridloom::pets {

/// Smallest makespan, by an exhaustive search. Throws usage_error if the graph has more than 8
/// tasks.
[[nodiscard]] time_value optimum(task_graph const& graph);

}  // namespace gridloom::pets
