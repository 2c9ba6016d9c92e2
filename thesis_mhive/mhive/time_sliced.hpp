#pragma once
// Time-sliced kernels (chapters 3.2 and 6.1). A controller on the host works in rounds. It copies
// the fill levels of the queues. Then it launches one kernel for each task type of the current
// phase that has tasks. Each kernel has its own stream. The next round begins after all kernels
// have ended.
//
// No task runs between two rounds, so the fill levels are exact. A phase has ended when its queues
// are empty, and the program when all queues are empty.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <span>

#include "mhive/phases.hpp"
#include "mhive/scheduler.hpp"
#include "mhive/type_dispatch.hpp"
#include "mhive/type_kernel.hpp"
#include "mhive/work_queue.hpp"

namespace gridloom::mhive {

// Fill levels of the queues, for the host's controller of time-sliced kernels: how many tickets
// were given out, and how many wait.

template <class Queue>
class fill_levels {
 public:
  /// Reads the tails of all queues. Call it when no task runs.
  void read(std::span<queue_words const, Queue::num_types> words) {
    for (std::size_t t = 0; t < words.size(); ++t) tails_[t] = words[t].tail;
  }
  /// Returns the number of tickets of the task type that were not given out.
  [[nodiscard]] std::uint32_t waiting(int type) const {
    return tails_[static_cast<std::size_t>(type)] - heads_[static_cast<std::size_t>(type)];
  }
  /// Gives out `n` tickets and returns the first.
  std::uint32_t take(int type, std::uint32_t n) {
    std::uint32_t const first = heads_[static_cast<std::size_t>(type)];
    heads_[static_cast<std::size_t>(type)] += n;
    return first;
  }
  /// Whether the phase has tasks (-1: phaseless types).
  [[nodiscard]] bool has_tasks(int phase) const {
    for (int type = 0; type < Queue::num_types; ++type) {
      if (Queue::phase_of(type) == phase && waiting(type) > 0) return true;
    }
    return false;
  }
  /// Returns the phase to run next: the current one while it has tasks, otherwise the next one in
  /// circular order that has tasks. Returns the current one if only phaseless tasks are left, and
  /// -1 if no task is left.
  [[nodiscard]] int phase_after(int current) const {
    constexpr int phases = Queue::num_phases;
    for (int step = 0; step < phases; ++step) {
      int const phase = current + step < phases ? current + step : current + step - phases;
      if (has_tasks(phase)) return phase;
    }
    return has_tasks(-1) ? current : -1;
  }

 private:
  std::array<std::uint32_t, Queue::num_types> heads_{};
  std::array<std::uint32_t, Queue::num_types> tails_{};
};

struct time_sliced {
  static constexpr std::string_view name = "time_sliced";
  static constexpr bool counts_tasks = false;

  template <class Queue, class Data, class Machine>
  static void run(Machine& machine, run_ref<Queue, Data, false> const& shared,
                  buffer<run_words<Queue>> const& words, run_limits const& limits, report& done) {
    for_each_type<Queue>([&](auto tag) {
      using type = typename decltype(tag)::type;
      add_facts<type_kernel<run_ref<Queue, Data, false>, type>>(
          machine, display_name<Queue, type>(), type_kernel_threads<type>, done);
    });
    auto const seen = machine.template allocate_staging<run_words<Queue>>(1);
    auto bounded = shared;
    bounded.deadline_ns = deadline_in(machine, shared.dog.limit_ns);
    auto const begin = std::chrono::steady_clock::now();
    done.elapsed_ms = machine.time_ms([&] {
      fill_levels<Queue> levels;
      int phase = 0;
      for (;; ++done.rounds) {
        machine.copy_to_staging(seen, words);
        if (seen.data()->control.fault != 0) return;
        levels.read(seen.data()->queues);
        int const next = levels.phase_after(phase);
        if (next < 0) return;
        done.phase_changes += next != phase && done.rounds > 0 ? 1 : 0;
        phase = next;
        launch_all(machine, bounded, limits, levels, phase, done);
        std::chrono::duration<double> const passed = std::chrono::steady_clock::now() - begin;
        if (passed.count() > limits.timeout_s) {
          done.timed_out = true;
          return;
        }
      }
    });
  }

 private:
  // Launches the kernels of a round, which run concurrently.
  template <class Machine, class Queue, class Data>
  static void launch_all(Machine& machine, run_ref<Queue, Data, false> const& shared,
                         run_limits const& limits, fill_levels<Queue>& levels, int phase,
                         report& done) {
    int kernels = 0;
    int lane = 0;
    for (int type = 0; type < Queue::num_types; ++type) kernels += has_work(levels, type, phase);
    for_each_type<Queue>([&](auto tag) {
      using type = typename decltype(tag)::type;
      constexpr int index = Queue::template index_of<type>();
      if (!has_work(levels, index, phase)) return;
      std::uint32_t const waiting = levels.waiting(index);
      int const grid = blocks<type>(machine, limits, waiting);
      std::uint32_t const n =
          machine.is_host() ? waiting : std::min(waiting, tasks_for<type>(grid));
      type_kernel<run_ref<Queue, Data, false>, type> const kernel{shared, levels.take(index, n), n};
      done.blocks = std::max(done.blocks, grid);
      launch_shape const shape{grid, machine.is_host() ? 1 : type_kernel_threads<type>};
      if (kernels == 1) {
        machine.launch(shape, kernel);
      } else {
        machine.launch_beside(lane++, shape, kernel);
      }
    });
    machine.join_lanes(lane);
    done.launches += static_cast<std::uint64_t>(kernels);
  }
  template <class Queue>
  static bool has_work(fill_levels<Queue> const& levels, int type, int phase) {
    int const own = Queue::phase_of(type);
    return (own < 0 || own == phase) && levels.waiting(type) > 0;
  }
  // Returns the number of blocks with one worker per task, as in the thesis. The host or the caller
  // may limit this number. The next round executes the other tasks.
  template <class Type, class Machine>
  static int blocks(Machine const& machine, run_limits const& limits, std::uint32_t n) {
    std::uint32_t const needed = blocks_for<Type>(n, machine.is_host());
    int const most = limits.workers > 0  ? limits.workers
                     : machine.is_host() ? machine.properties().multiprocessors
                                         : 1 << 20;
    return static_cast<int>(std::min(needed, static_cast<std::uint32_t>(most)));
  }
};

}  // namespace gridloom::mhive
