#pragma once
// PETS, the whole algorithm on one host thread (chapter 3): levels and ranks, then the order of the
// tasks, then a processor for each task.

#include "pets/selection.hpp"

namespace gridloom::pets {

/// order_of(priorities_of(graph)), then select_processors.
[[nodiscard]] schedule pets(task_graph const& graph, policy how);

}  // namespace gridloom::pets
