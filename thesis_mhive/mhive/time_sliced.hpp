#pragma once
// Time-sliced kernels (chapters 3.2 and 6.1). A controller on the host works in rounds. It reads
// the fill levels of the queues. Then it launches one kernel for each task type of the current
// phase that has tasks. Each kernel has its own stream. The next round begins after all kernels
// have ended.
//
// No task runs between two rounds, so the fill levels are exact. A phase has ended when its queues
// are empty, and the program when all queues are empty.
//
// Departure: the device writes the fill levels to the host's memory, and the host waits for a
// notice, which takes less time than a copy. In small rounds the last block reports. In large ones,
// where counting the blocks would cost more, a kernel of its own does.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <span>

#include "gridloom/notice.hpp"
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
  /// Takes over the tails of all queues, read when no task ran.
  void read(std::span<std::uint32_t const, Queue::num_types> tails) {
    std::copy(tails.begin(), tails.end(), tails_.begin());
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

/// What the host reads between two rounds, in staging memory.
template <class Queue>
struct round_report {
  std::uint32_t tails[Queue::num_types];
  std::uint32_t fault;

  /// Reads the words of the run. Called by all threads of a group, which share the types.
  template <class Group>
  GRIDLOOM_FN void read(Group const& group, run_words<Queue>& words) {
    direct_memory memory;
    for (int t = group.thread_rank(); t < Queue::num_types; t += group.num_threads()) {
      tails[t] = memory.load_relaxed(&words.queues[t].tail);
    }
    if (group.thread_rank() == 0) fault = memory.load_relaxed(&words.control.fault);
  }
};

/// Reports to the host at the end of a round.
template <class Queue>
struct report_kernel {
  static constexpr int max_threads = unit_threads;
  static constexpr bool persistent = false;
  using scratch = no_scratch;

  run_words<Queue>* words;
  round_report<Queue>* report;
  notice told;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& /*shared*/) const {
    report->read(block, *words);
    block.sync();
    if (block.thread_rank() == 0) told.tell_after_writes(0);
  }
};

/// A type kernel of a round. If it has a notice, the round's last block reports to the host.
template <class Run, class Type>
struct reporting_type_kernel {
  static constexpr int max_threads = type_kernel_threads<Type>;
  static constexpr int min_blocks = type_kernel_blocks<Type>;
  static constexpr bool persistent = false;
  using scratch = typename type_kernel<Run, Type>::scratch;

  type_kernel<Run, Type> tasks;
  report_kernel<typename Run::queue_type> end;
  /// Number of counted blocks of the run that have ended, and the number at the end of the round.
  std::uint32_t* ended;
  std::uint32_t last;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& arena) const {
    tasks(block, arena);
    if (end.told.word == nullptr) return;
    block.sync();
    auto const warp = block.warp();
    if (block.thread_rank() >= warp.num_threads()) return;
    bool is_last = false;
    if (warp.thread_rank() == 0) {
      is_last = direct_memory{}.fetch_add_acq_rel(ended, std::uint32_t{1}) + 1 == last;
    }
    if (!warp.any(is_last)) return;
    warp.sync();
    end.report->read(warp, *end.words);
    warp.sync();
    if (warp.thread_rank() == 0) end.told.tell_after_writes(0);
  }
};

struct time_sliced {
  static constexpr std::string_view name = "time_sliced";
  static constexpr bool counts_tasks = false;

  template <class Queue, class Data, class Machine>
  static void run(Machine& machine, run_ref<Queue, Data, false> const& shared,
                  buffer<run_words<Queue>> const& words, run_limits const& limits, report& done) {
    for_each_type<Queue>([&](auto tag) {
      using type = typename decltype(tag)::type;
      add_facts<reporting_type_kernel<run_ref<Queue, Data, false>, type>>(
          machine, display_name<Queue, type>(), type_kernel_threads<type>, done);
    });
    auto const report = machine.template allocate_staging<round_report<Queue>>(1);
    auto const ended = machine.template allocate<std::uint32_t>(1);
    machine.fill_bytes(ended, 0);
    notice_board board{machine};
    auto bounded = shared;
    bounded.deadline_ns = deadline_in(machine, shared.dog.limit_ns);
    rounds<Queue> state{report.data(), ended.data()};
    run_words<Queue> at_start = machine.copy_to_host(words)[0];
    state.report->read(thread_of_one{0, 1}, at_start);
    auto const begin = std::chrono::steady_clock::now();
    done.elapsed_ms = machine.time_ms([&] {
      int phase = 0;
      for (;; ++done.rounds) {
        if (state.report->fault != 0) break;
        state.levels.read(state.report->tails);
        int const next = state.levels.phase_after(phase);
        if (next < 0) break;
        std::chrono::duration<double> const passed = std::chrono::steady_clock::now() - begin;
        if (passed.count() > limits.timeout_s) {
          done.timed_out = true;
          break;
        }
        done.phase_changes += next != phase && done.rounds > 0 ? 1 : 0;
        phase = next;
        state.told = board.next();
        launch_all(machine, bounded, limits, state, phase, done);
        (void)board.wait(state.told.number, state.lanes);
      }
      machine.join_lanes(state.lanes);
    });
  }

 private:
  /// What the rounds of a run share.
  template <class Queue>
  struct rounds {
    round_report<Queue>* report;
    std::uint32_t* ended;
    fill_levels<Queue> levels{};
    /// Number of blocks counted, which wraps around.
    std::uint32_t counted = 0;
    /// Largest number of lanes of a round.
    int lanes = 0;
    notice told{};
  };

  /// Largest number of blocks that are counted: about as many as are resident.
  template <class Machine>
  static std::uint32_t most_counted(Machine const& machine) {
    return static_cast<std::uint32_t>(machine.is_host() ? 2
                                                        : 4 * machine.properties().multiprocessors);
  }
  // Launches the kernels of a round, which run concurrently.
  template <class Machine, class Queue, class Data>
  static void launch_all(Machine& machine, run_ref<Queue, Data, false> const& shared,
                         run_limits const& limits, rounds<Queue>& state, int phase, report& done) {
    int kernels = 0;
    int lane = 0;
    int grids[Queue::num_types] = {};
    std::uint32_t blocks_of_round = 0;
    for_each_type<Queue>([&](auto tag) {
      using type = typename decltype(tag)::type;
      constexpr int index = Queue::template index_of<type>();
      if (!has_work(state.levels, index, phase)) return;
      grids[index] = blocks<type>(machine, limits, state.levels.waiting(index));
      blocks_of_round += static_cast<std::uint32_t>(grids[index]);
      ++kernels;
    });
    report_kernel<Queue> const end{shared.words, state.report, state.told};
    bool const counts = blocks_of_round <= most_counted(machine);
    report_kernel<Queue> const own = counts ? end : report_kernel<Queue>{};
    if (counts) state.counted += blocks_of_round;
    for_each_type<Queue>([&](auto tag) {
      using type = typename decltype(tag)::type;
      constexpr int index = Queue::template index_of<type>();
      int const grid = grids[index];
      if (grid == 0) return;
      std::uint32_t const waiting = state.levels.waiting(index);
      std::uint32_t const n =
          machine.is_host() ? waiting : std::min(waiting, tasks_for<type>(grid));
      reporting_type_kernel<run_ref<Queue, Data, false>, type> const kernel{
          {shared, state.levels.take(index, n), n}, own, state.ended, state.counted};
      done.blocks = std::max(done.blocks, grid);
      launch_shape const shape{grid, machine.is_host() ? 1 : type_kernel_threads<type>};
      if (kernels == 1) {
        machine.launch(shape, kernel);
      } else {
        machine.launch_beside(lane++, shape, kernel);
      }
    });
    state.lanes = std::max(state.lanes, lane);
    if (!counts) {
      machine.join_lanes(lane);
      machine.launch({1, machine.is_host() ? 1 : unit_threads}, end);
    }
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
