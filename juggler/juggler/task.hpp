#pragma once
// What a task is to the runtime (Listing 2), and what an application is (Listing 4).

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "gridloom/backend/host.hpp"
#include "gridloom/group.hpp"
#include "gridloom/portable.hpp"

namespace gridloom::juggler {

inline constexpr std::uint32_t no_task = ~0U;

/// A task in the memory of a device. Counts of open parents, which change while it waits, stand in an
/// array of their own (rt_context.hpp): the rest is only read, and a run begins anew with one copy.
/// The paper has `char` for the number of children, which ends at 127. Of whole words of 8 bytes, as
/// lists copy it.
template <class TaskData>
struct alignas(8) task {
  std::uint32_t kernel_type;
  std::uint32_t n_children;
  /// Into the children of all tasks.
  std::uint32_t children_start_index;
  TaskData data;
};

/// An application: a functor that holds its data (APP_DATA) and executes any of its tasks by all
/// threads of a block (`app_kernel`).
///
/// - `task_data` is what a task has of its own (TASK_DATA), `scratch` the block's shared memory, not
///   initialised.
/// - The block meets before and after a call. Calls for tasks that do not depend on each other may
///   run at the same time; a task sees what those wrote that it depends on.
/// - `static constexpr int max_threads` is the most threads of a block that it takes. With a
///   `min_blocks`, a multiprocessor is to have registers for so many blocks of them.
/// - A `prefetch(kernel_type, data)` may ask for what the task reads (prefetch.hpp). It is called by one
///   thread, before the task is ready, and only where a worker knows its next task (ours/).
template <class App>
concept application = std::is_trivially_copyable_v<App> &&
    std::is_trivially_copyable_v<typename App::task_data> &&
    requires(App const app, host_block const block, std::uint32_t kernel_type,
             typename App::task_data const data, typename App::scratch& scratch) {
  app(block, kernel_type, data, scratch);
  { App::max_threads } -> std::convertible_to<int>;
};

/// Whether an application has it.
template <class App>
concept prefetching = requires(App const app, std::uint32_t kernel_type,
                               typename App::task_data const data) {
  app.prefetch(kernel_type, data);
};

/// Of kernels that execute the application's tasks.
template <class App>
[[nodiscard]] constexpr int least_blocks_of() {
  if constexpr (requires { App::min_blocks; }) {
    return App::min_blocks;
  } else {
    return 1;
  }
}

}  // namespace gridloom::juggler
