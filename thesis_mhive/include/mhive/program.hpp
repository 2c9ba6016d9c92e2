#pragma once
// The host's side: owns the queues of a program and runs it under a scheduler.
//
//   mhive::program<queue> tables{machine, {.capacity = 1 << 10}};
//   tables.enqueue<create_leg>(legs);
//   mhive::report done = tables.run<mhive::megakernel>(data);
//
// Sources that call run() are compiled by nvcc where the CUDA backend is built in.

#include <bit>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "gridloom/device.hpp"
#include "gridloom/error.hpp"
#include "mhive/megakernel.hpp"

namespace gridloom::mhive {

/// Sizes and limits of a program.
struct program_options {
  std::uint32_t capacity = 1U << 16U;  // items a queue; rounded up to a power of two
  int workers = 0;                     // thread blocks or host threads; 0: all that fit
  double timeout_s = 60;
};

/// What a run took and did.
struct report {
  double elapsed_ms = 0;
  std::uint64_t phase_changes = 0;
};

/// A program's queues on one machine. Not to be used by two threads at once.
template <class Queue>
class program {
 public:
  program(device& machine, program_options const& options)
      : machine_(machine), options_(options), capacity_(rounded(options.capacity)) {
    words_ = machine_.template allocate<queue_words>(Queue::num_types);
    control_ = machine_.template allocate<control_words>(1);
    pending_ = machine_.template allocate<count_word>(std::max(1, Queue::num_phases));
    allocate(static_cast<typename Queue::types*>(nullptr));
  }

  /// Items for the start of the next run. Throws usage_error when the queue is too small.
  template <task_type Type>
  void enqueue(std::span<typename Type::work_item const> items) {
    auto& held = start_of<Type>();
    if (held.size() + items.size() > capacity_) {
      throw usage_error("queue of " + display_name<Type>() + ": expected at most " +
                        std::to_string(capacity_) + " items, got " +
                        std::to_string(held.size() + items.size()));
    }
    held.insert(held.end(), items.begin(), items.end());
  }

  /// Drops the items enqueued for the next run.
  void clear() { clear_all(static_cast<typename Queue::types*>(nullptr)); }

  /// Runs until no task is left. Throws run_error naming the queue that was full, or what workers
  /// were waiting for when the time was up. The items enqueued before stay for further runs.
  template <template <class, class> class Scheduler, class Data>
  report run(Data const& data) {
    using kernel_type = Scheduler<Queue, Data>;
    int const threads = machine_.is_host() ? 1 : kernel_type::max_threads;
    int const resident = resident_blocks<kernel_type>(machine_, threads);
    int const all = machine_.is_host() ? machine_.properties().multiprocessors : resident;
    int const blocks = options_.workers > 0 ? options_.workers : all;
    int const units = machine_.is_host() ? blocks : blocks * (threads / unit_threads);
    watchdog dog{machine_, units, options_.timeout_s};
    run_ref<Queue, Data> const shared = prepare(data, dog);
    report done;
    done.elapsed_ms = machine_.time_ms([&] {
      launch(machine_, {blocks, threads}, kernel_type{shared});
    });
    finish(dog, done);
    return done;
  }

 private:
  // Templates of the machine, so that the header compiles where launching does not (gridloom's
  // device.hpp): the calls are looked up when run() is used.
  template <class Kernel, class Machine>
  static int resident_blocks(Machine& machine, int threads) {
    return machine.template resident_blocks<Kernel>(threads);
  }
  template <class Machine, class Kernel>
  static void launch(Machine& machine, launch_shape shape, Kernel const& kernel) {
    machine.launch(shape, kernel);
  }

  template <class Type>
  struct storage {
    buffer<std::uint32_t> sequences;
    buffer<typename Type::work_item> items;
    std::vector<typename Type::work_item> at_start;
  };
  template <class Tuple>
  struct storages;
  template <class... Types>
  struct storages<std::tuple<Types...>> {
    std::tuple<storage<Types>...> all;
  };

  static std::uint32_t rounded(std::uint32_t capacity) {
    if (capacity < 1 || capacity > (1U << 30U)) {
      throw usage_error("queue capacity: expected 1 to 2^30, got " + std::to_string(capacity));
    }
    return std::max(2U, std::bit_ceil(capacity));
  }

  template <task_type Type>
  storage<Type>& storage_of() {
    return std::get<static_cast<std::size_t>(Queue::template index_of<Type>())>(storages_.all);
  }
  template <task_type Type>
  std::vector<typename Type::work_item>& start_of() {
    return storage_of<Type>().at_start;
  }
  template <task_type Type>
  static std::string display_name() {
    auto const name = name_of<Type>();
    return name.empty() ? "task type " + std::to_string(Queue::template index_of<Type>())
                        : std::string{name};
  }

  template <class... Types>
  void allocate(std::tuple<Types...>*) {
    (allocate_one<Types>(), ...);
  }
  template <class Type>
  void allocate_one() {
    auto& own = storage_of<Type>();
    own.sequences = machine_.template allocate<std::uint32_t>(capacity_);
    own.items = machine_.template allocate<typename Type::work_item>(capacity_);
  }
  template <class... Types>
  void clear_all(std::tuple<Types...>*) {
    (start_of<Types>().clear(), ...);
  }

  template <class Data>
  run_ref<Queue, Data> prepare(Data const& data, watchdog& dog) {
    run_ref<Queue, Data> shared;
    std::vector<queue_words> words(Queue::num_types);
    std::vector<count_word> pending(std::max(1, Queue::num_phases));
    control_words control{};
    fill(shared, words, pending, control, static_cast<typename Queue::types*>(nullptr));
    control.gate = gate::word(0, first_phase(pending), gate::open);
    machine_.copy_to_device(words_, std::span<queue_words const>{words});
    machine_.copy_to_device(pending_, std::span<count_word const>{pending});
    machine_.copy_to_device(control_, std::span<control_words const>{&control, 1});
    shared.words = words_.data();
    shared.control = {control_.data(), pending_.data()};
    shared.dog = dog.arm();
    shared.data = data;
    return shared;
  }
  template <class Run, class... Types>
  void fill(Run& shared, std::vector<queue_words>& words, std::vector<count_word>& pending,
            control_words& control, std::tuple<Types...>*) {
    (fill_one<Types>(shared, words, pending, control), ...);
  }
  template <class Type, class Run>
  void fill_one(Run& shared, std::vector<queue_words>& words, std::vector<count_word>& pending,
                control_words& control) {
    constexpr int index = Queue::template index_of<Type>();
    constexpr int phase = Queue::phase_of(index);
    auto& own = storage_of<Type>();
    auto const n = static_cast<std::uint32_t>(own.at_start.size());
    std::vector<std::uint32_t> sequences(capacity_);
    std::iota(sequences.begin(), sequences.end(), 0U);
    for (std::uint32_t i = 0; i < n; ++i) ++sequences[i];
    machine_.copy_to_device(own.sequences, std::span<std::uint32_t const>{sequences});
    machine_.copy_to_device(own.items, std::span<typename Type::work_item const>{own.at_start});
    words[index] = {n, 0, static_cast<std::int32_t>(n)};
    control.total += n;
    if (phase >= 0) pending[static_cast<std::size_t>(phase)].count += n;
    auto& queue = static_cast<detail::typed_queue<Type>&>(shared.queues).queue;
    queue = {words_.data() + index, own.sequences.data(), own.items.data(), capacity_};
  }
  static int first_phase(std::vector<count_word> const& pending) {
    for (std::size_t p = 0; p < pending.size(); ++p) {
      if (pending[p].count > 0) return static_cast<int>(p);
    }
    return 0;
  }

  void finish(watchdog& dog, report& done) {
    control_words const control = machine_.copy_to_host(control_)[0];
    done.phase_changes = gate::changes(control.gate);
    auto const kind = static_cast<fault_kind>(control.fault & 0xffffffffU);
    if (kind == fault_kind::queue_full) {
      throw run_error("queue of " + name_at(static_cast<int>(control.fault >> 32U)) +
                      ": full, all " + std::to_string(capacity_) + " slots are taken");
    }
    if (dog.fired()) {
      std::string message = "timeout after " + std::to_string(options_.timeout_s) + " s with " +
                            std::to_string(control.total) + " unfinished tasks";
      auto const lines = dog.lines();
      if (!lines.empty()) message += "; " + lines.front();
      throw run_error(message);
    }
    if (control.total != 0) {
      throw run_error("internal error: " + std::to_string(control.total) + " tasks were lost");
    }
  }
  static std::string name_at(int index) {
    std::string found;
    names(index, found, static_cast<typename Queue::types*>(nullptr));
    return found;
  }
  template <class... Types>
  static void names(int index, std::string& found, std::tuple<Types...>*) {
    ((Queue::template index_of<Types>() == index ? void(found = display_name<Types>()) : void()),
     ...);
  }

  device& machine_;
  program_options options_;
  std::uint32_t capacity_;
  buffer<queue_words> words_;
  buffer<control_words> control_;
  buffer<count_word> pending_;
  storages<typename Queue::types> storages_;
};

}  // namespace gridloom::mhive
