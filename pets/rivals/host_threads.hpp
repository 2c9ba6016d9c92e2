#pragma once
// Levels, ranks and the order of PETS by several threads of the host: the rival that a device has
// on a whole processor. The same numbers as priorities.hpp.

#include <cstdint>
#include <functional>
#include <vector>

#include "pets/priorities.hpp"

namespace gridloom::pets {

/// All that the machine has; at least 1, and no more than by_host_threads takes.
[[nodiscard]] int all_host_threads();

/// Calls body(thread) for 0 to threads - 1 at once and waits; rethrows what one of them threw. The
/// threads are kept by the one that calls. At most gridloom::host_threads::most_blocks.
void by_host_threads(int threads, std::function<void(int)> const& body);

/// Front by front: the threads share the tasks of a level, and whoever takes away the last missing
/// predecessor of a task has it in the next front.
[[nodiscard]] priorities priorities_of(task_graph const& graph, int threads);

/// The threads sum costs, and sort a level each.
[[nodiscard]] std::vector<std::uint32_t> order_of(task_graph const& graph, priorities const& by,
                                                  int threads);

}  // namespace gridloom::pets
