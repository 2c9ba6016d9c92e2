#pragma once
// PETS, the whole algorithm on one host thread: levels and ranks, an order, then processors (chapter 3).

#include "pets/selection.hpp"

namespace gridloom::pets {

/// order_of(priorities_of(graph)), then select_processors.
[[nodiscard]] schedule pets(task_graph const& graph, policy how);

}  // namespace gridloom::pets
