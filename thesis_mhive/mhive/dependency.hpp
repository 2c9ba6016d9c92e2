#pragma once
// Individual and grouped dependencies (chapters 5.3 and 10): atomic counters of the reductions for
// which a task still waits.

#include <cstdint>
#include <type_traits>

#include "gridloom/portable.hpp"
#include "mhive/task_type.hpp"

namespace gridloom::mhive {

/// The dependency of one task. It lives in device memory and is used through the context:
/// enqueue_with_dependencies, reduce. It is zero at first, and again after its task was released.
/// Then the next task may use it: that task may be enqueued and reduced after the last reduction of
/// the previous task. Reductions beyond those that a task needs count for the next task. `Type` is
/// a task type, which may be declared later than pointers to its dependencies. A `dependency<>`
/// names no task type, so its tasks may be of different types.
///
/// Departure: the thesis's two members share one word here, so that the update that takes the count
/// to zero also returns the task's slot. The upper half counts the reductions still to come. It is
/// negative if reductions are made before the task is enqueued. The lower half is the task's slot
/// in the waiting storage (task_place), or 0 while the task has none.
template <class Type = void>
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

/// How a dependency of `Of` says where a task of `Type` waits: by the slot. A dependency that names
/// no task type also says the type's index in the queue.
template <class Queue, class Type, class Of>
struct task_place {
  static constexpr bool typed = !std::is_void_v<Of>;
  static constexpr std::uint32_t types = typed ? 1 : Queue::num_types;

  GRIDLOOM_FN static constexpr std::uint32_t of(std::uint32_t slot) {
    return typed ? slot : slot * types + Queue::template index_of<Type>();
  }
  GRIDLOOM_FN static constexpr std::uint32_t slot(std::uint32_t place) { return place / types; }
};

/// The dependency of a group of tasks, which share one counter. The work items stay in the
/// application's memory until their tasks begin (group_pages.hpp), so no waiting storage is needed.
template <class Type>
struct group_dependency {
  std::int32_t count;
  std::uint32_t size;
  typename Type::work_item const* items;
};

}  // namespace gridloom::mhive
