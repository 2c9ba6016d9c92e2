#pragma once
// The kernels' view of a run: the queues and waiting storages of all task types, the control words,
// the application's data, and the watchdog. Trivially copyable, passed by value.

#include <cstdint>
#include <tuple>
#include <type_traits>

#include "gridloom/atomic.hpp"
#include "gridloom/clock.hpp"
#include "gridloom/trace.hpp"
#include "gridloom/watchdog.hpp"
#include "mhive/control.hpp"
#include "mhive/waiting_storage.hpp"
#include "mhive/work_queue.hpp"

namespace gridloom::mhive {

/// Whether tasks of the type may wait for dependencies. Such a type names an insert policy.
template <class Type>
concept waits_for_dependencies = requires {
  typename Type::insert_policy;
};

namespace detail {

struct no_storage {};
template <class Type>
struct storage_of {
  using type = no_storage;
};
template <waits_for_dependencies Type>
struct storage_of<Type> {
  using type = waiting_storage_ref<Type>;
};

/// Queue and storage of one task type, found by the type. A base class per type replaces
/// std::tuple, which is not usable in device code.
template <class Type>
struct type_memory {
  work_queue_ref<typename Type::work_item> queue;
  // Not [[no_unique_address]], because host and device compilers disagree about its layout.
  typename storage_of<Type>::type storage;
};
template <class Tuple>
struct all_memory;
template <class... Types>
struct all_memory<std::tuple<Types...>> : type_memory<Types>... {};

}  // namespace detail

/// Whether the type is declared in the queue and its tasks may wait. If not, says so.
template <class Queue, class Type>
GRIDLOOM_FN constexpr bool is_waiting_type() {
  constexpr bool declared = Queue::template contains<Type>;
  static_assert(declared, "this task type is not declared in the phase_queue");
  static_assert(!declared || waits_for_dependencies<Type>,
                "a task type whose tasks wait for dependencies names an insert_policy");
  return declared && waits_for_dependencies<Type>;
}

/// The words that workers and controllers share, in device memory.
template <class Queue>
struct run_words {
  queue_words queues[Queue::num_types];
  control_words control;
  count_word pending[Queue::num_phases > 0 ? Queue::num_phases : 1];
};

/// `Queue` is a phase_queue. `Data` is what the tasks work on: a struct of pointers and numbers.
/// `CountsTasks` says whether the scheduler uses counts of unfinished tasks (control.hpp), or only
/// the tails of the queues.
template <class Queue, class Data, bool CountsTasks>
struct run_ref {
  using queue_type = Queue;
  using data_type = Data;
  static constexpr bool counts_tasks = CountsTasks;

  detail::all_memory<typename Queue::types> memory_of;
  run_words<Queue>* words = nullptr;
  control_ref<Queue> control;
  watchdog_ref dog{};
  /// Time after which tasks no longer begin (deadline.hpp). 0 if the scheduler itself checks the
  /// clock.
  std::uint64_t deadline_ns = 0;
  trace_ref trace{};
  Data data{};

  template <task_type Type>
  GRIDLOOM_FN work_queue_ref<typename Type::work_item> const& queue_of() const {
    return memory_of_type<Type>().queue;
  }
  template <task_type Type>
  GRIDLOOM_FN waiting_storage_ref<Type> const& storage_of() const {
    return memory_of_type<Type>().storage;
  }

  // A task is enqueued in four steps, by one thread or several together. These are announce, a
  // batch_fence by all threads whose writes the task must see, offer, and write for each item.
  // Consumers can prepare while the items are written.

  /// Counts `n` new tasks of the type, takes tickets for them and returns the first. One thread.
  template <task_type Type, class Memory>
  GRIDLOOM_FN std::uint32_t announce(Memory& memory, std::uint32_t n) const {
    if constexpr (counts_tasks) {
      control.raise(memory, Queue::phase_of(Queue::template index_of<Type>()), n);
    }
    return queue_of<Type>().reserve(memory, n);
  }
  /// Makes `n` announced tasks available to the scheduler. One thread.
  template <task_type Type, class Memory>
  GRIDLOOM_FN void offer(Memory& memory, std::uint32_t n) const {
    if constexpr (counts_tasks) queue_of<Type>().offer(memory, n);
  }
  /// Writes an item into its slot, after the slot's last reader has left. Does nothing if the run
  /// was stopped or the queue is full.
  template <task_type Type, class Memory>
  GRIDLOOM_FN void write(Memory& memory, std::uint32_t ticket,
                         typename Type::work_item const& item) const {
    auto const& queue = queue_of<Type>();
    if (!queue.has_room(memory, ticket) && !wait_for_room<Type>(memory, ticket)) return;
    queue.publish(memory, ticket, item);
  }
  /// Does the steps after `announce` for one task.
  template <task_type Type, class Memory>
  GRIDLOOM_FN void put(Memory& memory, std::uint32_t ticket,
                       typename Type::work_item const& item) const {
    memory.batch_fence();  // RS.R2, WQ.R1
    offer<Type>(memory, 1);
    write<Type>(memory, ticket, item);
  }

  /// Stops the run. Keeps the first fault, and makes all workers leave.
  template <class Memory>
  GRIDLOOM_FN void stop(Memory& memory, fault_kind kind, int detail) const {
    control.fail(memory, kind, detail);
    memory.store_relaxed(dog.stop, std::uint32_t{1});
  }

  /// Waits until the slot of a reserved ticket is free. Not inlined into every task, because queues
  /// that are large enough never need it.
  template <task_type Type, class Memory>
  GRIDLOOM_FN GRIDLOOM_NOINLINE bool wait_for_room(Memory& memory, std::uint32_t ticket) const {
    auto const& queue = queue_of<Type>();
    std::uint64_t const begin = now_ns();
    for (std::uint32_t attempt = 0; !queue.has_room(memory, ticket); ++attempt) {
      give_way(attempt);
      if ((attempt & 63U) != 63U) continue;
      if (memory.load_relaxed(dog.stop) != 0) return false;
      // Below 0 if the ticket was claimed already.
      auto const ahead =
          static_cast<std::int32_t>(ticket - ready::head(memory.load_relaxed(&queue.words->ready)));
      bool const full =
          ahead >= static_cast<std::int32_t>(queue.capacity) && attempt >= full_attempts;
      // Tasks that were given out and have not begun may occupy the slots, too, while their workers
      // are busy or wait for room.
      if (!full && now_ns() - begin < dog.limit_ns / 2) continue;
      stop(memory, fault_kind::queue_full, Queue::template index_of<Type>());
      return false;
    }
    return true;
  }

 private:
  template <task_type Type>
  GRIDLOOM_FN detail::type_memory<Type> const& memory_of_type() const {
    // Does not compile for a type that was not declared.
    constexpr int index = Queue::template index_of<Type>();
    if constexpr (index >= 0 && Queue::template contains<Type>) {
      return memory_of;
    } else {
      // After that error, this line is never executed.
      return *static_cast<detail::type_memory<Type> const*>(nullptr);
    }
  }

  /// If a queue has more tickets than capacity after this many attempts, it counts as full.
  /// Consumers need far fewer attempts to read a slot.
  static constexpr std::uint32_t full_attempts = many_turns;
};

}  // namespace gridloom::mhive
