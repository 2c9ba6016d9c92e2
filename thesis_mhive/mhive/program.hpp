#pragma once
// A program on the host's side: it owns the queues and runs them under a scheduler.
//
//   mhive::program<queue> tables{machine, {.capacity = 1 << 10}};
//   tables.enqueue<create_leg>(legs);
//   mhive::report done = tables.run<mhive::megakernel>(data);
//
// With the CUDA backend, sources that call run() must be compiled by nvcc.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "gridloom/parse.hpp"
#include "mhive/megakernel.hpp"
#include "mhive/type_memory.hpp"

namespace gridloom::mhive {

/// A queue had no room for a task.
class queue_full : public run_error {
  using run_error::run_error;
};

/// Sizes and limits of a program.
struct program_options {
  /// Number of items per queue, rounded up to a power of two.
  std::uint32_t capacity = 1U << 16U;
  /// Number of slots per waiting storage, rounded up to a power of two. Only task types with an
  /// insert policy have a storage.
  std::uint32_t waiting = 1U << 16U;
  /// Number of thread blocks or host threads; 0: as many as fit.
  int workers = 0;
  double timeout_s = 60;
};

namespace detail {

template <class Type, class Run>
concept executes = requires(context<Run, thread_of_one, scratch_of_t<Type>>& seen,
                            typename Type::work_item const& item) {
  Type::execute(seen, item);
};

// The requirements of a run, each with a message.
template <class Queue, class Data, class Scheduler>
constexpr bool run_rules_hold() {
  constexpr bool schedules = requires {
    { Scheduler::counts_tasks } -> std::convertible_to<bool>;
  };
  static_assert(schedules, "run<Scheduler> takes a scheduler: time_sliced, megakernel, ...");
  static_assert(std::is_trivially_copyable_v<Data>,
                "the data of a run is trivially copyable: pointers and numbers");
  if constexpr (schedules && std::is_trivially_copyable_v<Data>) {
    return []<class... Types>(std::type_identity<std::tuple<Types...>>) {
      using run = run_ref<Queue, Data, Scheduler::counts_tasks>;
      constexpr bool all_execute = (executes<Types, run> && ...);
      static_assert(all_execute,
                    "a task type has a static execute(Context& context, work_item const& item)");
      return all_execute;
    }(std::type_identity<typename Queue::types>{});
  } else {
    return false;
  }
}

}  // namespace detail

/// The queues of a program on one machine. Used by one thread at a time.
template <class Queue>
class program {
  using types = typename Queue::types;

 public:
  program(device& machine, program_options const& options)
      : machine_(machine),
        options_(options),
        sizes_{rounded("queue", options.capacity, most),
               rounded("waiting storage", options.waiting, most_waiting)},
        words_(machine.allocate<run_words<Queue>>(1)),
        memory_(machine, sizes_),
        dog_(machine, watched(), options.timeout_s) {}

  /// Adds items with which each further run starts. Throws usage_error if the queue is too small.
  template <task_type Type>
  void enqueue(std::span<typename Type::work_item const> items) {
    auto& held = memory_of(type_tag<Type>{}).at_start();
    require_room<Type>("queue", sizes_.queue, held.size() + items.size());
    held.insert(held.end(), items.begin(), items.end());
  }

  /// Adds tasks with which each further run starts: items[k] runs after needed[k] reductions of
  /// on[k], as by context::enqueue_with_dependencies. Reductions that on[k] has when the run begins
  /// count, too. `on` is in device memory. A run that ends well leaves its words as the next run
  /// needs them. Throws usage_error if the waiting storage is too small.
  template <task_type Type>
  void enqueue_with_dependencies(std::span<typename Type::work_item const> items,
                                 dependency<Type>* on, std::span<std::int32_t const> needed) {
    if constexpr (is_waiting_type<Queue, Type>()) add_waiting<Type>(items, on, needed);
  }
  /// The same with dependencies that name no task type, so the caller names it.
  template <task_type Type>
  void enqueue_with_dependencies(std::span<typename Type::work_item const> items, dependency<>* on,
                                 std::span<std::int32_t const> needed) {
    if constexpr (is_waiting_type<Queue, Type>()) add_waiting<Type>(items, on, needed);
  }

  /// Removes all items with which runs start.
  void clear() {
    for_each_type<Queue>([&](auto tag) {
      memory_of(tag).at_start().clear();
      memory_of(tag).waiting_at_start().clear();
    });
  }

  /// Makes the following runs append their tasks to a trace; {} ends tracing. The trace belongs to
  /// the caller, who arms it before each run.
  void set_trace(trace_ref trace) { trace_ = trace; }

  /// Runs until no task is left. Throws queue_full, or run_error for a full storage and for tasks
  /// whose dependencies are never reduced. Throws timeout_error after the time limit, with what workers
  /// waited for. The items added by enqueue() stay for further runs.
  template <class Scheduler, class Data>
  report run(Data const& data) {
    report done;
    if constexpr (detail::run_rules_hold<Queue, Data, Scheduler>()) {
      reset();
      done = start<Scheduler>(data);
      finish<Scheduler>(done);
    }
    return done;
  }

  // The three steps of run().

  /// Fills the queues and waiting storages with the items that were added. Throws usage_error if
  /// more of them than a queue holds need not wait.
  void reset() {
    run_words<Queue> words{};
    for_each_type<Queue>([&](auto tag) {
      using type = typename decltype(tag)::type;
      constexpr int index = Queue::template index_of<type>();
      constexpr int phase = Queue::phase_of(index);
      auto& own = memory_of(tag);
      std::size_t const ready = own.prepare();
      require_room<type>("queue", sizes_.queue, ready);
      auto const n = static_cast<std::uint32_t>(ready);
      words.queues[index] = {n, ready::word(0, n), 0, 0, 0, 0};
      words.control.total += n;
      if (phase >= 0) words.pending[phase].count += n;
    });
    int phase = 0;
    while (phase + 1 < Queue::num_phases && words.pending[phase].count == 0) ++phase;
    words.control.gate = gate::word(0, words.pending[phase].count == 0 ? 0 : phase, gate::open);
    machine_.copy_to_device(words_, std::span<run_words<Queue> const>{&words, 1});
  }
  /// Executes the tasks, after reset().
  template <class Scheduler, class Data>
  report start(Data const& data) {
    run_ref<Queue, Data, Scheduler::counts_tasks> shared;
    shared.data = data;
    shared.trace = trace_;
    shared.dog = dog_.arm();
    shared.words = words_.data();
    shared.control = {&words_.data()->control, words_.data()->pending};
    for_each_type<Queue>([&](auto tag) {
      using type = typename decltype(tag)::type;
      static_cast<detail::type_memory<type>&>(shared.memory_of) =
          memory_of(tag).ref(words_.data()->queues + Queue::template index_of<type>());
    });
    report done;
    Scheduler::run(machine_, shared, words_, {options_.workers, options_.timeout_s}, done);
    return done;
  }
  /// Completes the report of start(). Throws as run() does.
  template <class Scheduler>
  void finish(report& done) {
    run_words<Queue> const words = machine_.copy_to_host(words_)[0];
    control_words const& control = words.control;
    constexpr bool counted = Scheduler::counts_tasks;
    if (counted) done.phase_changes = gate::changes(control.gate);
    auto const kind = static_cast<fault_kind>(control.fault & 0xffffffffU);
    auto const detail = static_cast<int>(control.fault >> 32U);
    done.stopped = kind == fault_kind::stopped;
    if (done.stopped) return;
    refuse_fault(kind, detail);
    done.timed_out |= dog_.fired();
    // The run is late, but complete.
    if (counted && control.total == 0) done.timed_out = false;
    refuse_waiting(done.timed_out, words);
    if (done.timed_out) {
      std::string message = timeout_text(options_.timeout_s);
      if (counted) message += " with " + std::to_string(control.total) + " unfinished tasks";
      std::string const queued = queued_tasks();
      auto const lines = dog_.lines();
      if (!queued.empty()) {
        message += "; queued: " + queued;
      } else if (!lines.empty()) {
        message += "; " + lines.front();
      }
      throw timeout_error(message);
    }
    if (counted && control.total != 0) {
      throw run_error("internal error: " + std::to_string(control.total) +
                      " tasks neither ran nor are queued");
    }
  }

  /// Number of tasks of the type that the last run executed, modulo 2^32.
  template <task_type Type>
  [[nodiscard]] std::uint32_t executed() {
    constexpr int index = Queue::template index_of<Type>();
    queue_words const queue = machine_.copy_to_host(words_)[0].queues[index];
    auto const queued = static_cast<std::uint32_t>(memory_of(type_tag<Type>{}).queued());
    return queue.tail - queue.put_back - queued;
  }
  /// Bytes of device memory.
  [[nodiscard]] std::size_t bytes() const { return words_.bytes() + memory_.bytes(); }

 private:
  template <class Tuple>
  struct all_memory;
  template <class... Types>
  struct all_memory<std::tuple<Types...>> : type_memory<Types>... {
    all_memory(device& machine, type_sizes sizes) : type_memory<Types>(machine, sizes)... {}
    template <class Type>
    type_memory<Type>& of() {
      return *this;
    }
    std::size_t bytes() const { return (type_memory<Types>::bytes() + ...); }
  };

  static constexpr std::uint32_t most = 1U << 30U;
  /// A dependency that names no task type has 32 bits for a slot and the type's index.
  static constexpr std::uint32_t most_waiting =
      std::min(most, std::bit_floor(~std::uint32_t{0} / Queue::num_types));

  static std::uint32_t rounded(char const* what, std::uint32_t size, std::uint32_t largest) {
    if (size < 1 || size > largest) {
      throw usage_error(std::string(what) + " size: expected 1 to 2^" +
                        std::to_string(std::countr_zero(largest)) + ", got " +
                        std::to_string(size));
    }
    return std::max(2U, std::bit_ceil(size));
  }

  template <class Type, class Of>
  void add_waiting(std::span<typename Type::work_item const> items, dependency<Of>* on,
                   std::span<std::int32_t const> needed) {
    if (needed.size() != items.size()) {
      throw usage_error("enqueue_with_dependencies: expected a number of reductions for each of " +
                        std::to_string(items.size()) + " items, got " +
                        std::to_string(needed.size()));
    }
    auto& held = memory_of(type_tag<Type>{}).waiting_at_start();
    std::size_t all = items.size();
    for (auto const& tasks : held) all += tasks.items.size();
    require_room<Type>("waiting storage", sizes_.storage, all);
    held.push_back({{items.begin(), items.end()},
                    {needed.begin(), needed.end()},
                    &on->word,
                    task_place<Queue, Type, Of>::of});
  }

  template <class Type>
  static void require_room(std::string const& what, std::size_t room, std::size_t got) {
    if (got <= room) return;
    throw usage_error(what + " of " + display_name<Queue, Type>() + ": expected at most " +
                      std::to_string(room) + " items, got " + std::to_string(got));
  }

  template <class Type>
  type_memory<Type>& memory_of(type_tag<Type>) {
    // Does not compile for a type that was not declared.
    if constexpr (Queue::template index_of<Type>() >= 0 && Queue::template contains<Type>) {
      return memory_.template of<Type>();
    } else {
      return *static_cast<type_memory<Type>*>(nullptr);
    }
  }
  static std::string name_at(int index) {
    std::string found;
    for_each_type<Queue>([&](auto tag) {
      using type = typename decltype(tag)::type;
      if (Queue::template index_of<type>() == index) found = display_name<Queue, type>();
    });
    return found;
  }

  // Returns the number of units that may leave a note for the watchdog.
  int watched() const {
    int const processors = machine_.properties().multiprocessors;
    return machine_.is_host() ? std::max(options_.workers, processors) + 1
                              : processors * (2048 / unit_threads);
  }

  // Lists, for each type, the number of tasks that were not executed.
  std::string queued_tasks() {
    std::string text;
    for_each_type<Queue>([&](auto tag) {
      using type = typename decltype(tag)::type;
      std::uint64_t const n = memory_of(tag).queued();
      if (n == 0) return;
      text += (text.empty() ? "" : ", ") + std::to_string(n) + " of " + display_name<Queue, type>();
    });
    return text;
  }
  void refuse_fault(fault_kind kind, int detail) const {
    if (kind == fault_kind::queue_full) {
      throw queue_full("queue of " + name_at(detail) + ": full, all " +
                       std::to_string(sizes_.queue) + " slots are taken");
    }
    if (kind == fault_kind::storage_full) {
      throw run_error("waiting storage of " + name_at(detail) + ": full, all " +
                      std::to_string(sizes_.storage) + " slots are taken");
    }
    if (kind == fault_kind::launch_failed) {
      throw run_error("a kernel launch from the device failed with CUDA error " +
                      std::to_string(detail));
    }
  }
  void refuse_waiting(bool timed_out, run_words<Queue> const& words) {
    std::string message;
    for_each_type<Queue>([&](auto tag) {
      using type = typename decltype(tag)::type;
      std::string const name = display_name<Queue, type>();
      std::string about;
      std::uint64_t const n = memory_of(tag).waiting(about);
      if (n != 0) {
        message += (message.empty() ? "" : "; ") + std::to_string(n) + " of " + name + ": " + about;
      }
      queue_words const& queue = words.queues[Queue::template index_of<type>()];
      if (queue.held_back != 0) {
        message += (message.empty() ? "" : "; ") + memory_of(tag).held_back(queue) + " of " + name;
      }
    });
    if (message.empty()) return;
    if (timed_out) {
      throw timeout_error(timeout_text(options_.timeout_s) +
                          " with tasks that wait for dependencies: " + message);
    }
    throw run_error("tasks wait for dependencies that no task reduces: " + message);
  }

  device& machine_;
  program_options options_;
  type_sizes sizes_;
  buffer<run_words<Queue>> words_;
  all_memory<types> memory_;
  watchdog dog_;
  trace_ref trace_{};
};

}  // namespace gridloom::mhive
