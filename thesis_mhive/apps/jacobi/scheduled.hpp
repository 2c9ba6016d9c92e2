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

/// Where the tasks of a check add up the residual. The order of the sum is fixed.
struct check_ref {
  /// Number of tasks of a check.
  std::uint32_t tasks;
  /// Array of the tasks' sums.
  double* sums;
  /// Number of tasks that have ended; zero between checks.
  std::uint32_t* ended;
};

/// Number of tasks of a check of this many rows.
[[nodiscard]] constexpr std::uint32_t check_tasks(std::uint32_t num_rows) {
  return (num_rows + rows_per_check - 1) / rows_per_check;
}

/// Owns these words.
class check_memory {
 public:
  check_memory(device& machine, std::uint32_t tasks)
      : sums_(machine.allocate<double>(tasks)), ended_(machine.allocate<std::uint32_t>(1)) {}
  void reset(device& machine) { machine.fill_bytes(ended_, 0); }
  [[nodiscard]] check_ref ref() const {
    return {static_cast<std::uint32_t>(sums_.size()), sums_.data(), ended_.data()};
  }
  [[nodiscard]] std::size_t bytes() const { return sums_.bytes() + ended_.bytes(); }

 private:
  buffer<double> sums_;
  buffer<std::uint32_t> ended_;
};

/// Returns the sum of number(begin) .. number(end - 1), computed by one worker. All its threads
/// get the result.
template <thread_group Worker, class Number, int MaxThreads>
[[nodiscard]] GRIDLOOM_FN double sum_between(Worker const& worker, std::uint32_t begin,
                                             std::uint32_t end, Number const& number,
                                             collective_scratch<double, MaxThreads>& scratch) {
  double sum = 0;
  auto const threads = static_cast<std::uint32_t>(worker.num_threads());
  for (auto i = begin + static_cast<std::uint32_t>(worker.thread_rank()); i < end; i += threads) {
    sum += number(i);
  }
  return reduce(worker, scratch, sum, sum_of{});
}

/// Enqueues all tasks of an iteration. Called by all threads of a worker.
template <class Task, class Context>
GRIDLOOM_FN void enqueue_iteration(Context const& context, std::uint32_t num_tasks,
                                   std::uint32_t iteration) {
  context.template enqueue_many<Task>(static_cast<int>(num_tasks), [&](int task) {
    return turn{static_cast<std::uint32_t>(task), iteration};
  });
}

/// Adds a task's sum to the residual of its iteration. The last task to add judges the iteration.
/// Returns true in all threads of that task's worker if the run goes on, else false. Called by all
/// threads of a worker with the same sum.
template <class Context, int MaxThreads>
[[nodiscard]] GRIDLOOM_FN bool add_and_judge(Context const& context, turn item, double sum,
                                             collective_scratch<double, MaxThreads>& scratch) {
  auto const& data = context.data();
  auto const& worker = context.worker();
  check_ref const& check = data.check;
  bool last = false;
  if (worker.thread_rank() == 0) {
    direct_memory memory;
    check.sums[item.task] = sum;
    // Releases this task's sum, and acquires those of the tasks that ended before.
    last = memory.fetch_add_acq_rel(check.ended, 1U) + 1 == check.tasks;
    if (last) memory.store_relaxed(check.ended, 0U);
  }
  if (!worker.any(last)) return false;
  worker.sync();
  double const residual = sum_between(
      worker, 0, check.tasks, [&](std::uint32_t i) { return check.sums[i]; }, scratch);
  outcome const verdict = data.rules.judge(item.iteration, residual);
  if (worker.thread_rank() == 0) *data.state = {residual, item.iteration, verdict};
  // All threads return the same.
  return verdict == outcome::running;
}

/// The tasks that compute the residual ‖x(k) − x(k − 1)‖₁ of an iteration together. Task 0 enqueues
/// the others. The last one to end enqueues the `Jacobi` tasks of the next iteration, unless this
/// one was the last. The derived task type `Self` has a name.
template <class Self, class Jacobi>
struct check_task {
  using work_item = turn;
  using scratch = collective_scratch<double, check_threads>;
  using insert_policy = random_insert;
  static constexpr int worker_size = check_threads;

  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, turn item) {
    auto const& data = context.data();
    auto const& worker = context.worker();
    auto const& of = data.of;
    check_ref const& check = data.check;
    if (item.task == 0) {
      context.template enqueue_many<Self>(static_cast<int>(check.tasks) - 1, [&](int k) {
        return turn{static_cast<std::uint32_t>(k) + 1, item.iteration};
      });
    }
    std::uint32_t const begin = item.task * rows_per_check;
    std::uint32_t const left = of.num_rows - begin;
    double const sum = sum_between(
        worker, begin, begin + (left < rows_per_check ? left : rows_per_check),
        [&](std::uint32_t i) {
          return std::fabs(static_cast<double>(of.x[0][i]) - static_cast<double>(of.x[1][i]));
        },
        context.scratch());
    if (!add_and_judge(context, item, sum, context.scratch())) return;
    enqueue_iteration<Jacobi>(context, of.num_tasks, item.iteration + 1);
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
