#pragma once
// Individual and grouped dependencies (chapters 5.3 and 10): atomic counters of what a task still
// waits for.

#include <cstdint>

#include "gridloom/portable.hpp"
#include "mhive/task_type.hpp"

namespace gridloom::mhive {

/// What one task of a type waits for. Lives in device memory; all zero at first, and again once the
/// task was released, so that it serves the next one. The count is the number of reductions still
/// to come; it is negative while more reductions have been made than are known to be needed,
/// because the task was not enqueued yet. Used through the context: enqueue_with_dependencies,
/// reduce. `Type` is a task type; data that holds pointers to dependencies may be declared before
/// it.
template <class Type>
struct dependency {
  std::int32_t count;
  std::uint32_t location;  // slot in the waiting storage, while the task waits there
};

/// One counter for a group of tasks, whose work items stand in memory of the application until
/// they are released together. No waiting storage is needed.
template <class Type>
struct group_dependency {
  std::int32_t count;
  std::uint32_t size;
  typename Type::work_item const* items;
};

}  // namespace gridloom::mhive
