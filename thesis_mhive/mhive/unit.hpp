#pragma once
// A unit is the smallest part of a block that takes tasks on its own: a warp on CUDA, a worker
// thread on the host. It executes tasks whose workers are at most as large as itself, several at
// once if they are smaller. Larger workers are teams of units (team.hpp).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

#include "mhive/context.hpp"
#include "mhive/deadline.hpp"

/// Marks a part of a kernel of many task types. A function of its own would not know the kernel's
/// limit on registers, and could exceed it.
#if defined(__CUDACC__)
#define GRIDLOOM_MHIVE_INLINE __forceinline__
#else
#define GRIDLOOM_MHIVE_INLINE inline
#endif

namespace gridloom::mhive {

// Executes one task, by the worker that got its ticket. All schedulers use this code.

/// Where the item of a ticket was read.
enum class item_place { nowhere, slot, group };

/// Waits for the item of a claimed ticket, and reads it. Returns `nowhere` if the run was stopped.
/// Threads of a worker may call it separately; each then sees what the task's producer wrote.
template <task_type Type, class Run, class Group>
[[nodiscard]] GRIDLOOM_FN item_place await(Run const& run, Group const& group, std::uint32_t ticket,
                                           typename Type::work_item& item) {
  direct_memory memory;
  auto const& queue = run.template queue_of<Type>();
  for (unsigned attempt = 0;; ++attempt) {
    if constexpr (is_grouped<Type>) {
      bool const found = queue.groups.find(memory, ticket, item);
      if (found && queue.has_room(memory, ticket)) return item_place::group;  // GP.R4
    }
    if (queue.get(memory, ticket, item)) return item_place::slot;
    if ((attempt & 63U) == 63U && memory.load_relaxed(run.dog.stop) != 0) {
      return item_place::nowhere;
    }
    group.pause(attempt);
  }
}
/// Frees the ticket's slot after all threads of the worker have read the item. One thread.
template <task_type Type, class Run>
GRIDLOOM_FN void leave(Run const& run, std::uint32_t ticket, typename Type::work_item const& item,
                       item_place place) {
  direct_memory memory;
  auto const& queue = run.template queue_of<Type>();
  queue.free(memory, ticket, item);  // GP.R4
  if constexpr (is_grouped<Type>) {
    if (place == item_place::group) queue.groups.count_read(memory, ticket);
  }
}

/// Returns the task's row in a trace: the number of the warp that executes it, or of the first of
/// several warps.
template <class Worker>
GRIDLOOM_FN int trace_row(Worker const& worker) {
  if constexpr (std::is_base_of_v<thread_of_one, Worker>) {
    return worker.index();
  } else {
    // Each part of a warp has a number of its own, which is converted to the warp's.
    int const threads = worker.warp().num_threads();
    return worker.warp().index() * threads / 32;
  }
}

/// Executes a task whose item was read and whose slot was freed, unless it was dropped. Called by
/// all threads of the worker, which are synchronised on return.
template <task_type Type, class Run, class Worker, class Scratch>
GRIDLOOM_FN void execute_item(Run const& run, Worker const& worker, Scratch& scratch,
                              std::uint32_t ticket, typename Type::work_item const& item) {
  bool const first = worker.thread_rank() == 0;
  if constexpr (is_clearable<Type>) {
    direct_memory memory;
    if (worker.any(first && run.template queue_of<Type>().dropped(memory, ticket))) return;
  }
  std::uint64_t const begin = run.trace.on() && first ? now_ns() : 0;
  context<Run, Worker, Scratch> seen{run, worker, scratch};
  Type::execute(seen, item);
  worker.sync();
  if (run.trace.on() && first) {
    constexpr int type = Run::queue_type::template index_of<Type>();
    run.trace.record_among(trace_row(worker), {ticket, std::uint32_t{type}, begin, now_ns()});
  }
}
/// Executes the task of a claimed ticket. Executes nothing if the run was stopped or the task was
/// dropped. Called by all threads of the worker, which are synchronised on return.
template <task_type Type, class Run, class Worker, class Scratch>
GRIDLOOM_FN void execute_ticket(Run const& run, Worker const& worker, Scratch& scratch,
                                std::uint32_t ticket) {
  bool const first = worker.thread_rank() == 0;
  typename Type::work_item item;
  item_place const place = await<Type>(run, worker, ticket, item);
  bool gone = place == item_place::nowhere;
  if constexpr (!Run::counts_tasks) {
    direct_memory memory;
    if (run.deadline_ns != 0 && first) gone |= past(memory, run.deadline_ns, run.dog);
  }
  // The item stays in its place, where the run's report counts it.
  if (worker.any(gone)) return;
  // A vote does not order the other threads' reads before the slot is freed, so a barrier does.
  worker.sync();
  if (first) leave<Type>(run, ticket, item, place);
  execute_item<Type>(run, worker, scratch, ticket, item);
}

/// Number of threads of a unit on CUDA.
inline constexpr int unit_threads = 32;

/// Number of units in a worker of the task type; on the host always one.
template <task_type Type, class Unit>
inline constexpr int units_of = std::is_same_v<Unit, thread_of_one>
                                    ? 1
                                    : std::max(1, Type::worker_size / unit_threads);

/// Number of threads of one worker of the task type within a unit.
template <task_type Type>
inline constexpr int threads_in_unit = std::min(int{Type::worker_size}, unit_threads);

namespace detail {

template <class Type>
inline constexpr std::size_t scratch_bytes = std::is_empty_v<scratch_of_t<Type>>
                                                 ? 0
                                                 : sizeof(scratch_of_t<Type>);

/// Bytes of scratch of a unit on CUDA for this type: the scratch of all its workers, or its share
/// of a team's scratch.
template <class Type>
constexpr std::size_t bytes_per_unit() {
  constexpr std::size_t bytes = scratch_bytes<Type>;
  constexpr auto size = static_cast<std::size_t>(Type::worker_size);
  return size <= unit_threads ? bytes * (unit_threads / size) : bytes / (size / unit_threads) + 15;
}
template <class Tuple>
inline constexpr std::size_t max_bytes_per_unit = 0;
template <class... Types>
inline constexpr std::size_t max_bytes_per_unit<std::tuple<Types...>> =
    (std::max({bytes_per_unit<Types>()...}) + 15) / 16 * 16;
/// Scratch of a block on the host, which is one worker of any type.
template <class Tuple>
inline constexpr std::size_t max_bytes_per_worker = 0;
template <class... Types>
inline constexpr std::size_t max_bytes_per_worker<std::tuple<Types...>> =
    std::max({scratch_bytes<Types>...});

/// Bytes for the item of any task of a team.
template <class Tuple>
inline constexpr std::size_t max_team_item = 0;
template <class... Types>
inline constexpr std::size_t max_team_item<std::tuple<Types...>> =
    (std::max({(Types::worker_size > unit_threads ? sizeof(typename Types::work_item) : 0)...}) +
     15) /
    16 * 16;

}  // namespace detail

/// Largest scratch of all workers of a block. With what schedulers need it takes at most 48 KiB,
/// unless items of teams are large.
inline constexpr std::size_t most_scratch_bytes = std::size_t{40} << 10U;

/// The scratch memory of `Units` units of a block.
template <class Queue, int Units>
struct scratch_arena {
  static constexpr std::size_t unit_bytes = detail::max_bytes_per_unit<typename Queue::types>;
  static constexpr std::size_t all_bytes =
      std::max(unit_bytes * Units, detail::max_bytes_per_worker<typename Queue::types>);
  static_assert(all_bytes <= most_scratch_bytes,
                "the scratch of a block's workers must not exceed 40 KiB");
  alignas(16) std::byte bytes[std::max<std::size_t>(1, all_bytes)];

  /// Returns the scratch of worker number `worker` (from 0) of the task type, in unit `unit` of the
  /// block.
  template <task_type Type>
  GRIDLOOM_FN scratch_of_t<Type>& of(int unit, int worker) {
    std::size_t const offset = static_cast<std::size_t>(unit) * unit_bytes +
                               static_cast<std::size_t>(worker) * detail::scratch_bytes<Type>;
    return *reinterpret_cast<scratch_of_t<Type>*>(bytes + offset);
  }
};

/// Tickets for a unit, at most one per worker.
struct taken {
  /// -1 if there are none; range::over (dispatch.hpp) if the run is over.
  int type = -1;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// Executes the tasks concurrently. Their workers must fit into the unit. Called by all threads of
/// the unit.
template <task_type Type, class Run, class Unit, class Arena>
GRIDLOOM_FN void execute_in_unit(Run const& run, Unit const& unit, Arena& arena, int unit_of_block,
                                 taken const& got) {
  auto const worker = unit.template part<threads_in_unit<Type>>();
  auto const mine = static_cast<std::uint32_t>(unit.thread_rank() / worker.num_threads());
  auto& scratch = arena.template of<Type>(unit_of_block, static_cast<int>(mine));
  if (mine < got.count) execute_ticket<Type>(run, worker, scratch, got.first + mine);
  unit.sync();
}

}  // namespace gridloom::mhive
