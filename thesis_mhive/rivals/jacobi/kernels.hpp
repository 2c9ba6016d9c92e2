#pragma once
// The kernels of the versions without MHive (thesis, 7.4.4).

#include <chrono>
#include <cstdint>
#include <string>

#include "gridloom/atomic.hpp"
#include "gridloom/clock.hpp"
#include "gridloom/collectives.hpp"
#include "gridloom/device.hpp"
#include "gridloom/error.hpp"
#include "gridloom/parse.hpp"
#include "row_body.hpp"
#include "thesis_mhive/apps/jacobi/stop_rules.hpp"
#include "thesis_mhive/apps/jacobi/task_body.hpp"

namespace gridloom::mhive::jacobi {

/// The sums of the blocks, and a counter that shows which block is the last to arrive. All are zero
/// at the beginning of a run.
struct block_sums_ref {
  /// Array of one sum per block.
  double* sums;
  /// Number of blocks that have arrived; zero between launches.
  std::uint32_t* arrived;
};

/// Sums a number of every thread of a launch, in an order that depends only on the shape of the
/// launch. The last block to arrive judges the iteration. All threads of all blocks call it once
/// per launch. Returns true in the thread that judged.
template <thread_group Block, int MaxThreads>
GRIDLOOM_FN bool sum_and_judge(Block const& block, collective_scratch<double, MaxThreads>& scratch,
                               block_sums_ref const& among, double own, run_state* state,
                               stop_rules const& rules) {
  direct_memory memory;
  double const of_block = reduce(block, scratch, own, sum_of{});
  bool const first = block.thread_rank() == 0;
  bool last = false;
  if (first) {
    among.sums[block.index()] = of_block;
    last = memory.fetch_add_acq_rel(among.arrived, 1U) + 1 ==
           static_cast<std::uint32_t>(block.count());
  }
  last = block.any(last);
  if (!last) return false;
  block.sync();
  double sum = 0;
  for (int i = block.thread_rank(); i < block.count(); i += block.num_threads()) {
    sum += among.sums[i];
  }
  double const residual = reduce(block, scratch, sum, sum_of{});
  if (!first) return false;
  *among.arrived = 0;
  state->iteration += 1;
  state->residual = residual;
  state->verdict = rules.judge(state->iteration, residual);
  return true;
}

/// The thesis's d_jacobi: one iteration, with one block per task.
template <class Value>
struct jacobi_kernel {
  static constexpr int max_threads = 128;
  /// With this value the kernel takes 48 registers on sm_90 and spills none.
  static constexpr int min_blocks = 10;
  static constexpr bool persistent = false;
  using scratch = task_scratch<Value>;

  system_ref<Value> of;
  run_state const* state;
  /// Number of the iteration modulo 2.
  std::uint32_t parity;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    if (state->verdict != outcome::running) return;
    auto const stride = static_cast<std::uint32_t>(block.count());
    for (auto t = static_cast<std::uint32_t>(block.index()); t < of.num_tasks; t += stride) {
      execute_task(block, shared, of, t, parity);
    }
  }
};

/// The thesis's d_check: computes the residual of the iteration, and decides whether it was the
/// last. The thesis names no grid, but describes one task of 256 threads. The times in its table 8.5
/// grow with the rows, not the entries, as those of a check by one block do.
template <class Value>
struct check_kernel {
  static constexpr int max_threads = 256;
  static constexpr bool persistent = false;
  using scratch = collective_scratch<double, max_threads>;

  system_ref<Value> of;
  run_state* state;
  block_sums_ref among;
  stop_rules rules;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    if (state->verdict != outcome::running) return;
    double change = 0;
    auto const stride = static_cast<std::uint32_t>(block.count() * block.num_threads());
    for (auto i =
             static_cast<std::uint32_t>(block.index() * block.num_threads() + block.thread_rank());
         i < of.num_rows; i += stride) {
      change += std::fabs(static_cast<double>(of.x[0][i]) - static_cast<double>(of.x[1][i]));
    }
    sum_and_judge(block, shared, among, change, state, rules);
  }
};

/// How the blocks of a fused kernel share an iteration: one block per task.
struct by_tasks {
  template <class Value>
  using scratch = task_scratch<Value>;
  /// With this value the kernel takes 48 registers on sm_90 and spills none.
  static constexpr int min_blocks = 10;

  template <class Value>
  static std::uint32_t blocks(system_ref<Value> const& of, int /*threads*/) {
    return of.num_tasks;
  }
  template <thread_group Block, class Value>
  GRIDLOOM_FN static double compute(Block const& block, scratch<Value>& shared,
                                    system_ref<Value> const& of, std::uint32_t iteration) {
    double change = 0;
    auto const stride = static_cast<std::uint32_t>(block.count());
    for (auto t = static_cast<std::uint32_t>(block.index()); t < of.num_tasks; t += stride) {
      change += execute_task(block, shared, of, t, iteration).change;
    }
    return change;
  }
};
/// How the threads of a fused kernel share an iteration: one thread per row.
struct by_rows {
  template <class Value>
  struct scratch {};
  static constexpr int min_blocks = 8;

  template <class Value>
  static std::uint32_t blocks(system_ref<Value> const& of, int threads) {
    return (of.num_rows - 1) / static_cast<std::uint32_t>(threads) + 1;
  }
  template <thread_group Block, class Value>
  GRIDLOOM_FN static double compute(Block const& block, scratch<Value>& /*shared*/,
                                    system_ref<Value> const& of, std::uint32_t iteration) {
    return compute_by_rows(block, of, iteration);
  }
};

/// One kernel for both steps, which may begin before the previous launch has ended. Each block
/// computes its share of x and sums its changes.
template <class Value, class Work>
struct fused_kernel {
  static constexpr int max_threads = 128;
  static constexpr int min_blocks = Work::min_blocks;
  static constexpr bool persistent = false;
  static constexpr bool overlaps_previous = true;
  struct scratch {
    typename Work::template scratch<Value> work_scratch;
    collective_scratch<double, max_threads> meeting;
  };

  system_ref<Value> of;
  run_state* state;
  block_sums_ref among;
  stop_rules rules;
  std::uint32_t parity;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    iterate(block, shared);
  }
  /// Returns true in the thread that judged the iteration. Once the last iteration was judged,
  /// returns false in all threads.
  template <thread_group Block>
  GRIDLOOM_FN bool iterate(Block block, scratch& shared) const {
    block.wait_for_previous_launch();
    if (state->verdict != outcome::running) return false;
    double const change = Work::compute(block, shared.work_scratch, of, parity);
    return sum_and_judge(block, shared.meeting, among, change, state, rules);
  }
};

/// Does what fused_kernel does, in a recorded loop. The thread that judges the last iteration ends
/// the loop. It also checks the time limit, because the host sees nothing before the end.
template <class Value, class Work>
struct looped_kernel {
  using fused = fused_kernel<Value, Work>;
  static constexpr int max_threads = fused::max_threads;
  static constexpr int min_blocks = fused::min_blocks;
  static constexpr bool persistent = false;
  static constexpr bool overlaps_previous = true;
  using scratch = typename fused::scratch;

  fused one;
  loop_ref loop;
  /// Set when the first iteration is judged.
  std::uint64_t* begin_ns;
  std::uint64_t limit_ns;
  /// Whether this is the last launch of a pass, which checks the time limit.
  bool looks_at_clock;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    if (!one.iterate(block, shared)) return;
    run_state& state = *one.state;
    if (state.iteration == 1) *begin_ns = now_ns();
    if (looks_at_clock && state.verdict == outcome::running && now_ns() - *begin_ns > limit_ns) {
      state.verdict = outcome::timed_out;
    }
    if (state.verdict != outcome::running) end_loop(block, loop);
  }
};

/// Data of the cooperative kernels below.
struct grid_words {
  run_state* state;
  /// Array of two sums per block.
  double* sums;
  /// Array of two words, zero at first, used in turn: 1 if the time limit has passed.
  std::uint32_t* late;
  stop_rules rules;
  std::uint64_t limit_ns;
};

/// Waits at the iteration's only barrier of the grid. After the barrier, every block adds the sums
/// of all blocks in the same order, so all reach the same verdict. Returns true after the last
/// iteration.
template <thread_group Block, int MaxThreads>
GRIDLOOM_FN bool meet_and_judge(Block const& block, collective_scratch<double, MaxThreads>& scratch,
                                grid_words const& words, std::uint32_t iteration, double change,
                                std::uint64_t begin_ns) {
  bool const first = block.index() == 0 && block.thread_rank() == 0;
  std::uint32_t const turn = iteration % 2;
  double* const turn_sums = words.sums + turn * static_cast<std::uint32_t>(block.count());
  double const of_block = reduce(block, scratch, change, sum_of{});
  if (block.thread_rank() == 0) turn_sums[block.index()] = of_block;
  if (first && now_ns() - begin_ns > words.limit_ns) words.late[turn] = 1;
  block.grid_sync();
  double sum = 0;
  for (int i = block.thread_rank(); i < block.count(); i += block.num_threads()) {
    sum += turn_sums[i];
  }
  double const residual = reduce(block, scratch, sum, sum_of{});
  outcome verdict = words.rules.judge(iteration, residual);
  if (verdict == outcome::running && words.late[turn] != 0) verdict = outcome::timed_out;
  if (verdict == outcome::running) return false;
  if (first) *words.state = {residual, iteration, verdict};
  return true;
}

/// Runs all iterations in one cooperative launch, divided into tasks.
template <class Value>
struct grid_sync_kernel {
  static constexpr int worker_threads = 64;
  /// Largest number of workers of a block.
  static constexpr int most_workers = 8;
  static constexpr int max_threads = worker_threads * most_workers;
  /// With one block per multiprocessor, half of the multiprocessor would be idle on an H200.
  static constexpr int min_blocks = 2;
  static constexpr bool persistent = true;
  struct scratch {
    task_scratch<Value> of_worker[most_workers];
    collective_scratch<double, max_threads> meeting;
  };

  system_ref<Value> of;
  grid_words words;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    auto const worker = block.template tile<worker_threads / 32>();
    int const size = worker.num_threads();
    int const workers = block.num_threads() / size;
    int const own = block.thread_rank() / size;
    std::uint64_t const begin = now_ns();
    for (std::uint32_t iteration = 1;; ++iteration) {
      double change = 0;
      auto const stride = static_cast<std::uint32_t>(block.count() * workers);
      // Neighbouring tasks go to different blocks, so that even few tasks are spread over all
      // blocks.
      for (auto t = static_cast<std::uint32_t>(own * block.count() + block.index());
           t < of.num_tasks; t += stride) {
        change += execute_task(worker, shared.of_worker[own], of, t, iteration).change;
      }
      if (meet_and_judge(block, shared.meeting, words, iteration, change, begin)) return;
    }
  }
};

/// Runs all iterations in one cooperative launch, with one thread per row.
template <class Value>
struct grid_sync_rows_kernel {
  static constexpr int max_threads = 256;
  static constexpr int min_blocks = 4;
  static constexpr bool persistent = true;
  using scratch = collective_scratch<double, max_threads>;

  system_ref<Value> of;
  grid_words words;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    std::uint64_t const begin = now_ns();
    for (std::uint32_t iteration = 1;; ++iteration) {
      double const change = compute_by_rows(block, of, iteration);
      if (meet_and_judge(block, shared, words, iteration, change, begin)) return;
    }
  }
};

inline timeout_error timeout(double limit_s, std::uint32_t iteration) {
  return timeout_error(timeout_text(limit_s) + ", in iteration " + std::to_string(iteration));
}

/// Calls launch() for `look_every` iterations at a time, while the state that the host then reads
/// is `running`. Counts these iterations in `launched`. Returns the time in ms. Throws
/// timeout_error.
template <class Launch>
double run_with_looks(device& machine, buffer<run_state> const& state,
                      buffer<run_state> const& seen, double timeout_s, std::uint32_t& launched,
                      std::uint32_t look_every, Launch const& launch) {
  auto const begin = std::chrono::steady_clock::now();
  return machine.time_ms([&] {
    do {
      launch();
      launched += look_every;
      machine.copy_to_staging(seen, state);
      std::chrono::duration<double> const passed = std::chrono::steady_clock::now() - begin;
      if (passed.count() > timeout_s) throw timeout(timeout_s, launched);
    } while (seen.data()->verdict == outcome::running);
  });
}

}  // namespace gridloom::mhive::jacobi
