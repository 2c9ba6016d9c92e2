#pragma once
// A unit is what schedules for itself: a warp on CUDA, a host worker on the host. A unit executes
// tasks whose workers are no larger than itself, several at once where they are smaller; larger
// workers are teams of units (see team.hpp).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

#include "mhive/context.hpp"

namespace gridloom::mhive {

/// Threads of a unit on CUDA.
inline constexpr int unit_threads = 32;

/// Units that a worker of the task type takes; on the host always one.
template <task_type Type, class Unit>
inline constexpr int units_of = std::is_same_v<Unit, thread_of_one>
                                    ? 1
                                    : std::max(1, Type::worker_size / unit_threads);

/// Threads of one worker of the task type within a unit.
template <task_type Type>
inline constexpr int threads_in_unit = std::min(int{Type::worker_size}, unit_threads);

namespace detail {

template <class Type>
inline constexpr std::size_t scratch_bytes = std::is_empty_v<scratch_of_t<Type>>
                                                 ? 0
                                                 : sizeof(scratch_of_t<Type>);

/// Shared memory of a unit: enough for the workers of any task type that it executes, or its share
/// of a team's. The host's unit has one worker of any type.
template <class Type>
constexpr std::size_t bytes_a_unit() {
  constexpr std::size_t bytes = scratch_bytes<Type>;
  constexpr auto size = static_cast<std::size_t>(Type::worker_size);
  constexpr std::size_t on_cuda =
      size <= unit_threads ? bytes * (unit_threads / size) : bytes / (size / unit_threads) + 15;
  return std::max(bytes, on_cuda);
}
template <class Tuple>
inline constexpr std::size_t most_bytes_a_unit = 0;
template <class... Types>
inline constexpr std::size_t most_bytes_a_unit<std::tuple<Types...>> =
    (std::max({bytes_a_unit<Types>()...}) + 15) / 16 * 16;

}  // namespace detail

/// Scratch memory of `Units` units of a block.
template <class Queue, int Units>
struct scratch_arena {
  static constexpr std::size_t unit_bytes = detail::most_bytes_a_unit<typename Queue::types>;
  alignas(16) std::byte bytes[std::max<std::size_t>(1, unit_bytes* Units)];

  /// Scratch of worker `worker` (from 0) of the task type in the unit `unit` of the block.
  template <task_type Type>
  GRIDLOOM_FN scratch_of_t<Type>& of(int unit, int worker) {
    std::size_t const offset = static_cast<std::size_t>(unit) * unit_bytes +
                               static_cast<std::size_t>(worker) * detail::scratch_bytes<Type>;
    return *reinterpret_cast<scratch_of_t<Type>*>(bytes + offset);
  }
};

/// Executes tasks with the workers of one unit. All threads of the unit make the same calls.
template <class Run, class Unit>
class unit_worker {
 public:
  GRIDLOOM_FN unit_worker(Run const& run, Unit const& unit) : run_(run), unit_(unit) {}

  /// Executes the tasks of claimed tickets first .. first + n - 1, whose workers fit the unit, side
  /// by side where they are smaller.
  template <task_type Type, class Arena>
  GRIDLOOM_FN void execute(Arena& arena, int unit_of_block, std::uint32_t first, std::uint32_t n) {
    auto const worker = unit_.template part<threads_in_unit<Type>>();
    auto const workers = static_cast<std::uint32_t>(unit_.num_threads() / worker.num_threads());
    auto const mine = static_cast<std::uint32_t>(unit_.thread_rank() / worker.num_threads());
    auto& scratch = arena.template of<Type>(unit_of_block, static_cast<int>(mine));
    for (std::uint32_t i = mine; i < n; i += workers) run_one<Type>(worker, scratch, first + i);
    unit_.sync();
  }

  /// Waits for the item of a claimed ticket. False when the run was stopped. One thread.
  template <task_type Type>
  [[nodiscard]] GRIDLOOM_FN bool await(std::uint32_t ticket) {
    auto const& queue = run_.template queue_of<Type>();
    for (unsigned attempt = 0; !queue.arrived(memory_, ticket); ++attempt) {
      if ((attempt & 63U) == 63U && memory_.load_relaxed(run_.dog.stop) != 0) return false;
      unit_.pause(attempt);
    }
    return true;
  }

  /// Puts claimed items back, when their phase ended between the claim and the look at the gate:
  /// they wait for its next turn. One thread.
  template <task_type Type>
  GRIDLOOM_FN void put_back(std::uint32_t first, std::int32_t n) {
    auto const& queue = run_.template queue_of<Type>();
    for (std::int32_t i = 0; i < n; ++i) {
      std::uint32_t const ticket = first + static_cast<std::uint32_t>(i);
      if (!await<Type>(ticket)) return;
      typename Type::work_item const item = queue.item(ticket);
      queue.free(memory_, ticket);
      if (!run_.template put<Type>(memory_, queue.reserve(memory_, 1), item)) return;
    }
  }

  GRIDLOOM_FN direct_memory& memory() { return memory_; }

 private:
  template <task_type Type, class Worker, class Scratch>
  GRIDLOOM_FN void run_one(Worker const& worker, Scratch& scratch, std::uint32_t ticket) {
    // The worker's first thread waits; the others see through the vote what it saw.
    bool const there = worker.thread_rank() != 0 || await<Type>(ticket);
    if (worker.any(!there)) return;
    worker.sync();  // the vote alone does not make the item visible to the others
    auto const& queue = run_.template queue_of<Type>();
    typename Type::work_item const item = queue.item(ticket);
    worker.sync();
    if (worker.thread_rank() == 0) queue.free(memory_, ticket);
    context<Run, Worker, Scratch> seen{run_, worker, scratch};
    Type::execute(seen, item);
    worker.sync();
  }

  Run const& run_;
  Unit const& unit_;
  direct_memory memory_;
};

}  // namespace gridloom::mhive
