#pragma once
// What kernels hold of a run: the queues of all task types, the control words, the application's
// data, the watchdog. Trivially copyable, passed by value.

#include <cstdint>
#include <tuple>
#include <type_traits>

#include "gridloom/atomic.hpp"
#include "gridloom/watchdog.hpp"
#include "mhive/control.hpp"
#include "mhive/work_queue.hpp"

namespace gridloom::mhive {

namespace detail {

/// One queue a task type, told apart by the type. std::tuple is no device code.
template <class Type>
struct typed_queue {
  work_queue_ref<typename Type::work_item> queue;
};
template <class Tuple>
struct queue_set;
template <class... Types>
struct queue_set<std::tuple<Types...>> : typed_queue<Types>... {};

}  // namespace detail

/// `Queue` is a phase_queue, `Data` what the tasks work on: a struct of pointers and numbers.
template <class Queue, class Data>
struct run_ref {
  using queue_type = Queue;
  using data_type = Data;
  static_assert(std::is_trivially_copyable_v<Data>);

  detail::queue_set<typename Queue::types> queues;
  queue_words* words = nullptr;  // of all queues, in the order of the task types' indices
  control_ref<Queue> control;
  watchdog_ref dog{};
  Data data{};

  template <task_type Type>
  GRIDLOOM_FN work_queue_ref<typename Type::work_item> const& queue_of() const {
    static_assert(Queue::template contains<Type>,
                  "this task type is not declared in the phase_queue");
    return static_cast<detail::typed_queue<Type> const&>(queues).queue;
  }

  /// Puts an item into a reserved slot, waiting for the slot's last reader. False when the run was
  /// stopped or the queue is full.
  template <task_type Type, class Memory>
  GRIDLOOM_FN bool put(Memory& memory, std::uint32_t ticket,
                       typename Type::work_item const& item) const {
    auto const& queue = queue_of<Type>();
    for (std::uint32_t attempt = 0; !queue.has_room(memory, ticket); ++attempt) {
      if (!may_wait<Type>(memory, ticket, attempt)) return false;
      yield_to_peers();
    }
    queue.publish(memory, ticket, item);
    return true;
  }

 private:
  /// Attempts after which a queue whose tickets exceed its capacity counts as full: consumers that
  /// read a slot need far fewer.
  static constexpr std::uint32_t full_attempts = 1U << 14U;

  template <task_type Type, class Memory>
  GRIDLOOM_FN bool may_wait(Memory& memory, std::uint32_t ticket, std::uint32_t attempt) const {
    if ((attempt & 63U) != 63U) return true;
    if (memory.load_relaxed(dog.stop) != 0) return false;
    auto const& queue = queue_of<Type>();
    std::uint32_t const ahead = ticket - memory.load_relaxed(&queue.words->head);
    if (ahead < queue.capacity || attempt < full_attempts) return true;
    control.fail(memory, fault_kind::queue_full, Queue::template index_of<Type>());
    memory.store_relaxed(dog.stop, std::uint32_t{1});
    return false;
  }
};

}  // namespace gridloom::mhive
