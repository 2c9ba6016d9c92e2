#pragma once
// Code that the versions under MHive's schedulers share. For kernel sources.

#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device_system.hpp"
#include "gridloom/collectives.hpp"
#include "gridloom/error.hpp"
#include "mhive/insert_policy.hpp"
#include "mhive/program.hpp"
#include "solver.hpp"
#include "thesis_mhive/ours/schedulers.hpp"

namespace gridloom::mhive::jacobi {

/// Threads of a worker for Jacobi tasks and for checks, as in the thesis.
inline constexpr int task_threads = 64;
inline constexpr int check_threads = 256;

/// The work item of a Jacobi task: the task's number and its iteration (from 1).
struct turn {
  std::uint32_t task;
  std::uint32_t iteration;

  friend std::ostream& operator<<(std::ostream& out, turn const& of) {
    return out << of.task << " of iteration " << of.iteration;
  }
};

/// Returns ‖x(0) − x(1)‖₁ of the two arrays, computed by one worker. All its threads get the
/// result.
template <class Value, thread_group Worker>
[[nodiscard]] GRIDLOOM_FN double change_of_x(Worker const& worker, system_ref<Value> const& of,
                                             collective_scratch<double, check_threads>& scratch) {
  double change = 0;
  auto const threads = static_cast<std::uint32_t>(worker.num_threads());
  for (auto i = static_cast<std::uint32_t>(worker.thread_rank()); i < of.num_rows; i += threads) {
    change += std::fabs(static_cast<double>(of.x[0][i]) - static_cast<double>(of.x[1][i]));
  }
  return reduce(worker, scratch, change, sum_of{});
}

/// Enqueues all tasks of an iteration. Called by all threads of a worker.
template <class Task, class Context>
GRIDLOOM_FN void enqueue_iteration(Context const& context, std::uint32_t num_tasks,
                                   std::uint32_t iteration) {
  context.template enqueue_many<Task>(static_cast<int>(num_tasks), [&](int task) {
    return turn{static_cast<std::uint32_t>(task), iteration};
  });
}

/// A task that computes the residual of an iteration and, unless it was the last, enqueues the
/// `Jacobi` tasks of the next one. Derived task types have a name.
template <class Jacobi>
struct check_task {
  /// The number of the iteration.
  using work_item = std::uint32_t;
  using scratch = collective_scratch<double, check_threads>;
  using insert_policy = random_insert;
  static constexpr int worker_size = check_threads;

  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t iteration) {
    auto const& data = context.data();
    auto const& worker = context.worker();
    double const residual = change_of_x(worker, data.of, context.scratch());
    outcome const verdict = data.rules.judge(iteration, residual);
    if (worker.thread_rank() == 0) *data.state = {residual, iteration, verdict};
    // All threads return together.
    if (verdict != outcome::running) return;
    enqueue_iteration<Jacobi>(context, data.of.num_tasks, iteration + 1);
  }
};

/// Returns sizes for programs in which each task is in a queue or storage once, and running tasks
/// still hold their slots.
[[nodiscard]] inline program_options sizes(solver_options const& options, std::size_t tasks) {
  auto const room = static_cast<std::uint32_t>(2 * tasks + 64);
  return {.capacity = room,
          .waiting = room,
          .workers = options.workers,
          .timeout_s = options.timeout_s};
}

/// Returns the bytes of a program's queues and storages. As in mhive/type_memory.hpp, a queue keeps
/// its slots and a copy of their initial state. A waiting task has a state and an owner.
template <class Queue>
[[nodiscard]] std::size_t program_bytes(program_options const& sizes) {
  std::size_t bytes = sizeof(run_words<Queue>);
  for_each_type<Queue>([&](auto tag) {
    using type = typename decltype(tag)::type;
    using item = typename type::work_item;
    bytes += std::size_t{std::bit_ceil(sizes.capacity)} * 2 * sizeof(tagged<item>);
    if constexpr (waits_for_dependencies<type>) {
      bytes += std::size_t{std::bit_ceil(sizes.waiting)} *
               (sizeof(std::uint32_t) + sizeof(item) + sizeof(void*));
    }
  });
  return bytes;
}

/// Returns the Jacobi tasks of the first iteration.
[[nodiscard]] inline std::vector<turn> first_iteration(std::size_t tasks) {
  std::vector<turn> items;
  items.reserve(tasks);
  for (std::uint32_t task = 0; task < tasks; ++task) items.push_back({task, 1});
  return items;
}

/// Returns the result of a run. Throws run_error for a run that ended without a verdict.
[[nodiscard]] inline jacobi_result result_of(report const& done, run_state const& end) {
  if (end.verdict == outcome::running) {
    throw run_error(
        "internal error: the run ended without a result, and no task is left in iteration " +
        std::to_string(end.iteration));
  }
  jacobi_result result;
  result.iterations = end.iteration;
  result.residual = end.residual;
  result.verdict = end.verdict;
  result.elapsed_ms = done.elapsed_ms;
  result.launches = done.launches;
  result.rounds = done.rounds;
  result.phase_changes = done.phase_changes;
  for (kernel_report const& kernel : done.kernels) {
    if (kernel.facts.registers >= result.largest.registers) result.largest = kernel.facts;
  }
  return result;
}

/// Returns make(Scheduler{}) for the scheduler of this name; null for an unknown name.
template <class Make>
[[nodiscard]] std::unique_ptr<solver> make_under(std::string_view scheduler, Make const& make) {
  std::unique_ptr<solver> made;
  auto const offer = [&]<class Scheduler>(Scheduler which) {
    if (Scheduler::name == scheduler) made = make(which);
  };
  for_each_scheduler(offer);
  offer(bounded_megakernel<1024>{});
  return made;
}

}  // namespace gridloom::mhive::jacobi
