#pragma once
// Individual and grouped dependencies (chapters 5.3 and 10): atomic counters of what a task still
// waits for.

#include <cstdint>

#include "gridloom/portable.hpp"
#include "mhive/task_type.hpp"

namespace gridloom::mhive {

/// What one task of a type waits for. Lives in device memory; all zero at first, and again once the
/// task was released, so that it serves the next one: which may be enqueued, and its reductions
/// made, after the last reduction of the one before. Whoever makes more reductions than a task
/// needs makes the next task's. Used through the context: enqueue_with_dependencies, reduce. `Type`
/// is a task type; data that holds pointers to dependencies may be declared before it.
///
/// The thesis's two members share a word, so that the update that takes the count to zero also says
/// where the task is: the upper half is the count, the number of reductions still to come. It is
/// negative while more reductions have been made than are known to be needed, because the task was
/// not enqueued yet. The lower half is the task's slot in the waiting storage, 0 while it is not
/// there.
template <class Type>
struct dependency {
  std::int64_t word;

  GRIDLOOM_FN static constexpr std::int64_t of(std::int32_t count, std::uint32_t location) {
    return std::int64_t{count} * (std::int64_t{1} << 32U) + location;
  }
  GRIDLOOM_FN static constexpr std::int32_t count_of(std::int64_t word) {
    return static_cast<std::int32_t>(word >> 32U);
  }
  GRIDLOOM_FN static constexpr std::uint32_t location_of(std::int64_t word) {
    return static_cast<std::uint32_t>(word);
  }
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
