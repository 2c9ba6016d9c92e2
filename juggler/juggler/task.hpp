#pragma once
// A task as the runtime sees it (Listing 2), and an application (Listing 4).

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "gridloom/backend/host.hpp"
#include "gridloom/group.hpp"
#include "gridloom/portable.hpp"
#include "gridloom/taskgraph/block_task.hpp"

namespace gridloom::juggler {

/// A task in device memory. It is read-only during a run: the dependency counters are in a separate
/// array (rt_context.hpp), which one copy resets. The paper counts children in a `char`, which ends
/// at 127. The size is a multiple of 8 bytes, because gridloom/taskgraph/rivals/ordered_tasks.hpp copies
/// words of 8 bytes.
template <class TaskData>
struct alignas(8) task {
  std::uint32_t kernel_type;
  std::uint32_t n_children;
  /// Index into the children of all tasks.
  std::uint32_t children_start_index;
  TaskData data;
};

/// An application: a functor that holds the application's data (APP_DATA). It executes any of its
/// tasks with all threads of a block (`app_kernel`).
///
/// - `task_data` is the data of one task (TASK_DATA).
/// - `scratch` is the block's shared memory, not initialised.
/// - The caller synchronises the block before and after each call. Independent tasks may run at the
///   same time. A task sees all writes of the tasks that it depends on.
/// - `static constexpr int max_threads` is the largest block that it supports. An optional
///   `min_blocks` is the number of such blocks for which a multiprocessor must have registers.
/// - Optional: `kernel_types`, the number of types. Then a rival can have one kernel per type.
/// - Optional, if types need different memory: `execute<Type>(block, data, scratch)` does what the
///   call operator does, with a `scratch_of<Type>`.
template <class App>
concept application = std::is_trivially_copyable_v<App> &&
    std::is_trivially_copyable_v<typename App::task_data> &&
    requires(App const app, host_block const block, std::uint32_t kernel_type,
             typename App::task_data const data, typename App::scratch& scratch) {
  app(block, kernel_type, data, scratch);
  { App::max_threads } -> std::convertible_to<int>;
};

/// The number of types of an application's tasks.
template <class App>
[[nodiscard]] constexpr std::uint32_t kernel_types_of() {
  if constexpr (requires { App::kernel_types; }) {
    return App::kernel_types;
  } else {
    return 1;
  }
}

}  // namespace gridloom::juggler
