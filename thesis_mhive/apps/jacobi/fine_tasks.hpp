#pragma once
// The checkpoints and autonomous versions (thesis, 7.4.2 and 7.4.3). A Jacobi task waits for the
// units (preprocess.hpp) whose values it needs, not for the whole previous iteration.
//
// Departures. The thesis keeps all iterates or a ring of them. Here two iterates are enough,
// because dependencies are symmetric and keep neighbours within one iteration of each other
// (task_graph). A task has two dependency words, for odd and even iterations. Reductions for the
// next iteration may arrive before the last reduction for this one. In the autonomous version, the
// thesis clears the queues when x has converged, which leaves values of several iterations. Here
// all tasks continue to the highest iteration that any task has begun, so x is one iterate.

#include <cstdint>
#include <string_view>

#include "mhive/context.hpp"
#include "scheduled.hpp"
#include "task_body.hpp"

namespace gridloom::mhive::jacobi {

enum class fine_version { checkpoints, autonomous };

template <class Value, fine_version Version>
struct fine_jacobi;
template <class Value, fine_version Version>
struct checkpoint;

/// A task_graph (preprocess.hpp) in device memory.
struct graph_ref {
  std::uint32_t const* offsets;
  std::uint32_t const* followers;
  std::int32_t const* needed;
};

/// In the autonomous version, the highest iteration that tasks may begin. A flag says that it is
/// the last iteration.
namespace frontier {
inline constexpr std::uint32_t last = 1U << 31U;
GRIDLOOM_FN constexpr std::uint32_t iteration(std::uint32_t word) { return word & ~last; }

/// Whether a task may begin iteration `wanted`. Raises the word if necessary. If the result is
/// false, no task may ever begin that iteration.
template <class Memory>
[[nodiscard]] GRIDLOOM_FN bool admits(Memory& memory, std::uint32_t* word, std::uint32_t wanted) {
  std::uint32_t seen = memory.load_relaxed(word);
  while (iteration(seen) < wanted) {
    if ((seen & last) != 0) return false;
    std::uint32_t const before = memory.exchange_if_in_batch(word, seen, wanted);
    if (before == seen) return true;
    seen = before;
  }
  return true;
}
/// Sets the flag. Returns true in the thread that set it first.
template <class Memory>
[[nodiscard]] GRIDLOOM_FN bool close(Memory& memory, std::uint32_t* word) {
  std::uint32_t seen = memory.load_relaxed(word);
  while ((seen & last) == 0) {
    std::uint32_t const before = memory.exchange_if_in_batch(word, seen, seen | last);
    if (before == seen) return true;
    seen = before;
  }
  return false;
}
}  // namespace frontier

template <class Value, fine_version Version>
struct fine_data {
  system_ref<Value> of;
  graph_ref graph;
  stop_rules rules;
  run_state* state;
  /// Array of two dependencies per task: for even iterations, then for odd ones.
  dependency<fine_jacobi<Value, Version>>* waits;
  // The next three members belong to the checkpoints version.
  std::uint32_t check_every;
  check_ref check;
  /// The dependency of the checkpoint on all tasks.
  dependency<checkpoint<Value, Version>>* all_done;
  // The other members belong to the autonomous version: arrays of max_iterations + 1 elements,
  // indexed by iteration, and a word.
  double* residuals;
  /// For each iteration, the number of tasks that have added their share of its residual.
  std::uint32_t* finished;
  /// The word of namespace frontier.
  std::uint32_t* front;

  [[nodiscard]] GRIDLOOM_FN auto* waits_of(turn at) const {
    return waits + (at.iteration % 2) * of.num_tasks + at.task;
  }
  [[nodiscard]] GRIDLOOM_FN std::uint32_t next_checkpoint(std::uint32_t iteration) const {
    std::uint32_t const at = (iteration - 1) / check_every * check_every + check_every;
    return at < rules.max_iterations ? at : rules.max_iterations;
  }
};

/// One task of Algorithm 7.5, which enqueues itself for the next iteration.
template <class Value, fine_version Version>
struct fine_jacobi {
  static constexpr bool checked_by_itself = Version == fine_version::autonomous;
  struct scratch {
    task_scratch<Value> of_task;
    collective_scratch<double, task_threads> meeting;
  };
  using work_item = turn;
  using insert_policy = random_insert;
  static constexpr int worker_size = task_threads;
  static constexpr std::string_view name = "Jacobi";

  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, turn item) {
    fine_data<Value, Version> const& data = context.data();
    auto const& worker = context.worker();
    if constexpr (!checked_by_itself) announce_checkpoint(context, item);
    task_done const done =
        execute_task(worker, context.scratch().of_task, data.of, item.task, item.iteration);
    if (goes_on(context, item)) continue_with(context, item, done.unit_done);
    if constexpr (checked_by_itself) {
      add_to_residual(context, item.iteration, done.change);
    } else {
      if (worker.thread_rank() == 0 && at_checkpoint(data, item)) context.reduce(data.all_done);
    }
  }

 private:
  static GRIDLOOM_FN bool at_checkpoint(fine_data<Value, Version> const& data, turn item) {
    return item.iteration == data.next_checkpoint(item.iteration);
  }

  // The first task of the first iteration after a checkpoint enqueues the next checkpoint.
  template <class Context>
  static GRIDLOOM_FN void announce_checkpoint(Context& context, turn item) {
    fine_data<Value, Version> const& data = context.data();
    if (item.task != 0 || (item.iteration - 1) % data.check_every != 0) return;
    if (context.worker().thread_rank() == 0) {
      context.enqueue_with_dependencies(turn{0, data.next_checkpoint(item.iteration)},
                                        data.all_done,
                                        static_cast<std::int32_t>(data.of.num_tasks));
    }
    context.worker().sync();
  }

  // Whether the task may enqueue itself for the next iteration. Called by all threads.
  template <class Context>
  static GRIDLOOM_FN bool goes_on(Context& context, turn item) {
    fine_data<Value, Version> const& data = context.data();
    if constexpr (checked_by_itself) {
      if (item.iteration >= data.rules.max_iterations) return false;
      direct_memory memory;
      auto const& worker = context.worker();
      bool admitted = false;
      if (worker.thread_rank() == 0) {
        admitted = frontier::admits(memory, data.front, item.iteration + 1);
      }
      return worker.any(admitted);
    } else {
      return !at_checkpoint(data, item);
    }
  }

  template <class Context>
  static GRIDLOOM_FN void continue_with(Context& context, turn item, bool unit_done) {
    fine_data<Value, Version> const& data = context.data();
    auto const& worker = context.worker();
    std::uint32_t const next = item.iteration + 1;
    if (worker.thread_rank() == 0) {
      turn const own{item.task, next};
      context.enqueue_with_dependencies(own, data.waits_of(own), data.graph.needed[item.task]);
    }
    worker.sync();
    if (!unit_done) return;
    std::uint32_t const unit = data.of.tasks[item.task].unit;
    std::uint32_t const end = data.graph.offsets[unit + 1];
    auto const threads = static_cast<std::uint32_t>(worker.num_threads());
    auto const rank = static_cast<std::uint32_t>(worker.thread_rank());
    for (std::uint32_t begin = data.graph.offsets[unit]; begin < end; begin += threads) {
      bool const has = begin + rank < end;
      std::uint32_t const follower = data.graph.followers[has ? begin + rank : begin];
      context.reduce_each(has, data.waits_of({follower, next}));
    }
  }

  // The task that adds the last share judges the iteration. Called by all threads.
  template <class Context>
  static GRIDLOOM_FN void add_to_residual(Context& context, std::uint32_t iteration,
                                          double change) {
    fine_data<Value, Version> const& data = context.data();
    auto const& worker = context.worker();
    double const share = reduce(worker, context.scratch().meeting, change, sum_of{});
    if (worker.thread_rank() != 0) return;
    direct_memory memory;
    memory.fetch_add_acquire(data.residuals + iteration, share);
    std::uint32_t const before = memory.fetch_add_acq_rel(data.finished + iteration, 1U);
    if (before + 1 != data.of.num_tasks) return;
    double const residual = memory.load_relaxed(data.residuals + iteration);
    outcome const verdict = data.rules.judge(iteration, residual);
    if (verdict == outcome::running || !frontier::close(memory, data.front)) return;
    *data.state = {residual, iteration, verdict};
  }
};

/// The check of every `check_every`-th iteration.
template <class Value, fine_version Version>
struct checkpoint : check_task<checkpoint<Value, Version>, fine_jacobi<Value, Version>> {
  static constexpr std::string_view name = "Checkpoint";
};

template <class Value, fine_version Version>
struct fine_queue {
  using type = phase_queue<phaseless<fine_jacobi<Value, Version>, checkpoint<Value, Version>>>;
};
template <class Value>
struct fine_queue<Value, fine_version::autonomous> {
  using type = phase_queue<phaseless<fine_jacobi<Value, fine_version::autonomous>>>;
};

}  // namespace gridloom::mhive::jacobi
