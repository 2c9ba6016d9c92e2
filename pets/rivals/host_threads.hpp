#pragma once
// Levels, ranks and the order of PETS on several host threads. A whole host processor is the rival
// of a device. The results equal those of priorities.hpp.

#include <cstdint>
#include <functional>
#include <vector>

#include "pets/priorities.hpp"

namespace gridloom::pets {

/// Number of threads of the machine; at least 1, and at most the limit of by_host_threads.
[[nodiscard]] int all_host_threads();

/// Calls body(0) to body(threads - 1) at the same time and waits. Rethrows one of their exceptions.
/// The threads are kept for the caller's next call. `threads` is at most
/// gridloom::host_threads::most_blocks.
void by_host_threads(int threads, std::function<void(int)> const& body);

/// Works front by front. The threads share the tasks of a level. The thread that counts down a
/// task's last missing predecessor processes the task in the next front.
[[nodiscard]] priorities priorities_of(task_graph const& graph, int threads);

/// The threads share the sums of costs, and each thread sorts whole levels.
[[nodiscard]] std::vector<std::uint32_t> order_of(task_graph const& graph, priorities const& by,
                                                  int threads);

}  // namespace gridloom::pets
