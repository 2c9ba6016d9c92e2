#pragma once
// The interface of a task: its worker, its scratch memory, the application's data, the queues and
// the waiting storages (chapter 5.3).
//
// Rules of order, cited where they apply:
// CX.R1. A task sees what was written before it was enqueued. All threads whose writes the task
//     must see execute a batch_fence before the item is offered and published (WQ.R1, RS.R2).
// CX.R2. A task sees what was written before each reduction of its dependency. Every update of the
//     dependency's word releases and acquires. The update that takes the count to zero enqueues the
//     task, or finds it in the waiting storage (MW.R2).
// CX.R3. A slot of the waiting storage is given back after its task was read (MW.R1).

#include <cstdint>

#include "gridloom/clock.hpp"
#include "mhive/insert_policy.hpp"
#include "mhive/run_ref.hpp"
#include "mhive/type_dispatch.hpp"

namespace gridloom::mhive {

/// The first argument of `execute`. `Run` is a run_ref, `Worker` a thread_group. A task sees what a
/// thread wrote before that thread enqueued or released the task. A full queue or waiting storage
/// stops the run with an error.
template <class Run, class Worker, class Scratch>
class context {
  using queue_type = typename Run::queue_type;

 public:
  GRIDLOOM_FN context(Run const& run, Worker const& worker, Scratch& scratch)
      : run_(run), worker_(worker), scratch_(scratch) {}

  /// The threads that execute the task together.
  GRIDLOOM_FN Worker const& worker() const { return worker_; }
  GRIDLOOM_FN typename Run::data_type const& data() const { return run_.data; }
  /// Shared memory of this worker, uninitialised.
  GRIDLOOM_FN Scratch& scratch() const { return scratch_; }

  /// Enqueues one task. Called by any one thread of the worker.
  template <task_type Type>
  GRIDLOOM_FN void enqueue(typename Type::work_item const& item) const {
    direct_memory memory;
    run_.template put<Type>(memory, run_.template announce<Type>(memory, 1), item);
  }

  /// Enqueues the item of every thread whose `has` is true, with one reservation per warp. Called
  /// by all threads of the worker.
  template <task_type Type>
  GRIDLOOM_FN void enqueue_each(bool has, typename Type::work_item const& item) const {
    auto const warp = worker_.warp();
    direct_memory memory;
    std::uint32_t const givers = warp.ballot(has);
    if (givers == 0) return;
    auto const n = static_cast<std::uint32_t>(count_lanes(givers));
    std::uint32_t first = 0;
    if (warp.thread_rank() == 0) first = run_.template announce<Type>(memory, n);
    first = warp.shuffle(first, 0);
    memory.batch_fence();  // CX.R1
    if (warp.thread_rank() == 0) run_.template offer<Type>(memory, n);
    std::uint32_t const before =
        static_cast<std::uint32_t>(count_lanes(givers & lanes_below(warp.thread_rank())));
    if (has) run_.template write<Type>(memory, first + before, item);
  }

  /// Enqueues make(0) .. make(n - 1). Called by all threads of the worker with the same n.
  template <task_type Type, class Make>
  GRIDLOOM_FN void enqueue_many(int n, Make const& make) const {
    int const threads = worker_.num_threads();
    for (int begin = 0; begin < n; begin += threads) {
      int const i = begin + worker_.thread_rank();
      bool const has = i < n;
      enqueue_each<Type>(has, make(has ? i : 0));
    }
  }

  /// Enqueues a task that runs after `needed` (0 or more) reductions of the dependency. Reductions
  /// made before this call count, too. Further reductions count for the dependency's next task,
  /// which must not be enqueued before this one is released. Called by any one thread. Departure:
  /// the thesis counts one more and subtracts it after the task is written. Here the count is
  /// raised after the write, which has the same effect with one update fewer.
  template <task_type Type>
  GRIDLOOM_FN void enqueue_with_dependencies(typename Type::work_item const& item,
                                             dependency<Type>* on, std::int32_t needed) const {
    if constexpr (is_waiting_type<queue_type, Type>()) enqueue_waiting<Type>(item, on, needed);
  }
  /// The same with a dependency that names no task type, so the caller names it.
  template <class Type = void, class Item>
  GRIDLOOM_FN void enqueue_with_dependencies(Item const& item, dependency<>* on,
                                             std::int32_t needed) const {
    static_assert(!std::is_void_v<Type>,
                  "a dependency<> names no task type: call enqueue_with_dependencies<Type>(...)");
    if constexpr (!std::is_void_v<Type> && is_waiting_type<queue_type, Type>()) {
      enqueue_waiting<Type>(item, on, needed);
    }
  }

  /// Makes `by` reductions of the dependency. After the last one, the dependency's task moves to
  /// the queue. Called by any one thread, after worker().sync() if the task must see other threads'
  /// writes.
  template <class Of>
  GRIDLOOM_FN void reduce(dependency<Of>* on, std::int32_t by = 1) const {
    if (by <= 0) return;
    direct_memory memory;
    using word = dependency<Of>;
    std::int64_t const old = memory.fetch_sub_acq_rel(&on->word, word::of(by, 0));  // CX.R2
    std::int32_t const missing = word::count_of(old);
    if (missing <= 0 || missing > by) return;
    std::uint32_t const place = word::location_of(old);
    with_released(on, place,
                  [&](auto tag) { release<typename decltype(tag)::type>(memory, on, place); });
  }

  /// Makes one reduction for every thread whose `has` is true. All released tasks of a warp and a
  /// type share one reservation. Called by all threads of the worker.
  template <class Of>
  GRIDLOOM_FN void reduce_each(bool has, dependency<Of>* on) const {
    direct_memory memory;
    using word = dependency<Of>;
    std::int64_t const old =
        has ? memory.fetch_sub_acq_rel(&on->word, word::of(1, 0)) : 0;  // CX.R2
    bool const released = has && word::count_of(old) == 1;
    std::uint32_t const place = word::location_of(old);
    // All threads of the worker go through the types together.
    for (std::uint32_t t = 0; t < place_types<Of>; ++t) {
      with_released(on, t, [&](auto tag) {
        using type = typename decltype(tag)::type;
        bool const mine = released && place % place_types<Of> == t;
        typename type::work_item item{};
        if (mine) item = taken_from_storage<type>(memory, on, place);
        enqueue_each<type>(mine, item);
      });
    }
  }

  /// Enqueues the tasks items[0] .. items[size - 1], which run after `needed` reductions of their
  /// common dependency. Reductions count as for one task (see above). Each item must not change
  /// until its task begins. The dependency itself may be set again by a task that it released.
  /// Called by all threads of the worker.
  template <task_type Type>
  GRIDLOOM_FN void enqueue_with_dependencies(group_dependency<Type>* on,
                                             typename Type::work_item const* items,
                                             std::uint32_t size, std::int32_t needed) const {
    static_assert(is_grouped<Type>, "a task type whose tasks wait in groups says `grouped = true`");
    direct_memory memory;
    bool released = false;
    if (worker_.thread_rank() == 0) {
      on->items = items;
      on->size = size;
      hold_back(memory, on, size);
      released = memory.fetch_add_acq_rel(&on->count, needed) <= -needed;  // CX.R2
    }
    if (worker_.any(released)) release_group(on);
  }
  /// Makes one reduction of a group's dependency. Called by all threads of the worker. The released
  /// tasks see what any of these threads wrote before.
  template <task_type Type>
  GRIDLOOM_FN void reduce(group_dependency<Type>* on) const {
    static_assert(is_grouped<Type>, "a task type whose tasks wait in groups says `grouped = true`");
    direct_memory memory;
    bool released = false;
    worker_.sync();  // CX.R2
    if (worker_.thread_rank() == 0) released = memory.decrement_acq_rel(&on->count) == 1;
    if (worker_.any(released)) release_group(on);
  }

  /// Drops the queued tasks of a clearable type that have not begun. Tasks that are enqueued after
  /// the call are not dropped. Called by any one thread.
  template <task_type Type>
  GRIDLOOM_FN void clear() const {
    static_assert(is_clearable<Type>, "a task type that is cleared says `clearable = true`");
    direct_memory memory;
    auto const& queue = run_.template queue_of<Type>();
    queue.drop_before(memory, memory.load_relaxed(&queue.words->tail));
  }

  /// Ends the run without an error. Tasks that have begun or were given to workers are executed;
  /// all others are dropped. Called by any one thread.
  GRIDLOOM_FN void stop() const {
    direct_memory memory;
    run_.stop(memory, fault_kind::stopped, 0);
  }

 private:
  template <task_type Type>
  static constexpr int index_of = queue_type::template index_of<Type>();

  template <class Type, class Of>
  using place_of = task_place<queue_type, Type, Of>;
  template <class Of>
  static constexpr std::uint32_t place_types = place_of<void, Of>::types;

  // Calls body(type_tag<Type>{}) for the type of the task that waits at `place`.
  template <class Of, class Body>
  GRIDLOOM_FN static void with_released(dependency<Of>* /*on*/, std::uint32_t place,
                                        Body const& body) {
    if constexpr (std::is_void_v<Of>) {
      with_type<queue_type>(static_cast<int>(place % place_types<Of>), [&](auto tag) {
        if constexpr (waits_for_dependencies<typename decltype(tag)::type>) body(tag);
      });
    } else if constexpr (is_waiting_type<queue_type, Of>()) {
      body(type_tag<Of>{});
    }
  }

  // Enqueues a task on a dependency of its type or of no type.
  template <class Type, class Of>
  GRIDLOOM_FN void enqueue_waiting(typename Type::work_item const& item, dependency<Of>* on,
                                   std::int32_t needed) const {
    using word = dependency<Of>;
    direct_memory memory;
    auto const& storage = run_.template storage_of<Type>();
    std::uint32_t const salt = static_cast<std::uint32_t>(now_ticks()) * 2654435761U +
                               static_cast<std::uint32_t>(worker_.index()) * 40503U +
                               static_cast<std::uint32_t>(worker_.thread_rank());
    // A load and a reservation that do not depend on each other are issued together.
    std::int64_t const before = memory.load_in_batch(&on->word);
    std::uint32_t const slot = storage.reserve(memory, Type::insert_policy::start(item, salt));
    // The reductions are made already, so the task need not wait.
    if (word::count_of(before) <= -needed) {
      memory.batch_fence();  // CX.R2
      if (slot != storage.none) storage.give_back(memory, slot);
      memory.fetch_add_relaxed(&on->word, word::of(needed, 0));
      enqueue<Type>(item);
      return;
    }
    if (slot == storage.none) {
      run_.stop(memory, fault_kind::storage_full, index_of<Type>);
      return;
    }
    storage.write(memory, slot, item, &on->word);
    std::uint32_t const place = place_of<Type, Of>::of(slot);
    std::int64_t const old = memory.fetch_add_acq_rel(&on->word, word::of(needed, place));  // CX.R2
    if (word::count_of(old) <= -needed) release<Type>(memory, on, place);
  }

  // Returns the task whose last reduction the caller made, and removes its place from the
  // dependency's word.
  template <task_type Type, class Of>
  GRIDLOOM_FN typename Type::work_item taken_from_storage(direct_memory& memory, dependency<Of>* on,
                                                          std::uint32_t place) const {
    // Not a plain store, which could lose reductions for the dependency's next task. They may
    // arrive already.
    memory.fetch_sub_relaxed(&on->word, dependency<Of>::of(0, place));
    return run_.template storage_of<Type>().take(memory, place_of<Type, Of>::slot(place));
  }
  template <task_type Type, class Of>
  GRIDLOOM_FN void release(direct_memory& memory, dependency<Of>* on, std::uint32_t place) const {
    auto const& storage = run_.template storage_of<Type>();
    std::uint32_t const slot = place_of<Type, Of>::slot(place);
    // Not a plain store, for the same reason as in taken_from_storage.
    memory.fetch_sub_relaxed(&on->word, dependency<Of>::of(0, place));
    // The load of the item and the reservation of a ticket overlap.
    typename Type::work_item const item = storage.item(slot);
    std::uint32_t const ticket = run_.template announce<Type>(memory, 1);
    memory.batch_fence();  // CX.R1, CX.R3
    storage.give_back(memory, slot);
    run_.template offer<Type>(memory, 1);
    run_.template write<Type>(memory, ticket, item);
  }
  // Records the group, so that the run can report tasks that are never released.
  template <task_type Type>
  GRIDLOOM_FN void hold_back(direct_memory& memory, group_dependency<Type>* on,
                             std::uint32_t size) const {
    queue_words* const words = run_.template queue_of<Type>().words;
    memory.fetch_add_relaxed(&words->held_back, (std::uint64_t{1} << 32U) + size);
    memory.exchange_if_in_batch(&words->one_group, std::uint64_t{0},
                                reinterpret_cast<std::uint64_t>(on));
  }
  template <task_type Type>
  GRIDLOOM_FN void forget_held_back(group_dependency<Type>* on, std::uint32_t size) const {
    direct_memory memory;
    queue_words* const words = run_.template queue_of<Type>().words;
    memory.fetch_sub_relaxed(&words->held_back, (std::uint64_t{1} << 32U) + size);
    memory.exchange_if_in_batch(&words->one_group, reinterpret_cast<std::uint64_t>(on),
                                std::uint64_t{0});
  }
  template <task_type Type>
  GRIDLOOM_FN void release_group(group_dependency<Type>* on) const {
    worker_.sync();  // CX.R2
    auto const* const items = on->items;
    std::uint32_t const size = on->size;
    if (worker_.thread_rank() == 0) forget_held_back(on, size);
    // After this barrier, a released task may set the dependency again.
    worker_.sync();
    auto const warp = worker_.warp();
    if (worker_.thread_rank() < warp.num_threads()) enqueue_group<Type>(warp, items, size);
  }
  // Enqueues a group with one reservation. Each thread publishes the part of the group on one page
  // of tickets at a time. The warp copies parts that are not larger than itself, and parts whose
  // page is in use. Called by all threads of a warp.
  template <task_type Type, class Warp>
  GRIDLOOM_FN void enqueue_group(Warp const& warp, typename Type::work_item const* items,
                                 std::uint32_t size) const {
    direct_memory memory;
    auto const& pages = run_.template queue_of<Type>().groups;
    auto const lane = static_cast<std::uint32_t>(warp.thread_rank());
    auto const lanes = static_cast<std::uint32_t>(warp.num_threads());
    std::uint32_t first = 0;
    if (lane == 0) first = run_.template announce<Type>(memory, size);
    memory.batch_fence();  // CX.R1
    if (lane == 0) run_.template offer<Type>(memory, size);
    first = warp.shuffle(first, 0);
    // The part on page p, counted from the group's first page, is items[from(p)] to
    // items[from(p + 1) - 1].
    auto const from = [&](std::uint32_t p) {
      return p == 0 ? 0 : least(p * pages.page - first % pages.page, size);
    };
    for (std::uint32_t begin = 0; from(begin) < size; begin += lanes) {
      std::uint32_t const own = from(begin + lane);
      std::uint32_t const n = from(begin + lane + 1) - own;
      bool const copied =
          n > 0 && (n <= lanes || !pages.publish(memory, first + own, n, items + own));
      for (std::uint32_t left = warp.ballot(copied); left != 0; left &= left - 1) {
        std::uint32_t const p = begin + static_cast<std::uint32_t>(first_lane(left));
        for (std::uint32_t i = from(p) + lane; i < from(p + 1); i += lanes) {
          run_.template write<Type>(memory, first + i, items[i]);
        }
      }
    }
  }
  GRIDLOOM_FN static std::uint32_t least(std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }

  Run const& run_;
  Worker const& worker_;
  Scratch& scratch_;
};

}  // namespace gridloom::mhive
