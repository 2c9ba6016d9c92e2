#pragma once
// The stages version (thesis, 7.4.1). All Jacobi tasks of an iteration alternate with one task
// CopyAndCheck. Phases keep this order, or an individual dependency of CopyAndCheck on all Jacobi
// tasks.
//
// Departures: the parity of an iterate's number chooses one of two fixed arrays, so no pointers are
// swapped. In the thesis, CopyAndCheck enqueues itself, but then it would run at once, within its
// own phase. Here the first Jacobi task enqueues it.

#include <cstdint>
#include <string_view>

#include "mhive/context.hpp"
#include "scheduled.hpp"
#include "task_body.hpp"

namespace gridloom::mhive::jacobi {

template <class Value, bool Phases>
struct copy_and_check;

template <class Value, bool Phases>
struct stages_data {
  system_ref<Value> of;
  stop_rules rules;
  run_state* state;
  /// The dependency of CopyAndCheck on all Jacobi tasks; unused with phases.
  dependency<copy_and_check<Value, Phases>>* all_done;
};

/// One task of Algorithm 7.5.
template <class Value, bool Phases>
struct stages_jacobi {
  using work_item = turn;
  using scratch = task_scratch<Value>;
  static constexpr int worker_size = task_threads;
  static constexpr std::string_view name = "Jacobi";

  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, turn item) {
    using check = copy_and_check<Value, Phases>;
    stages_data<Value, Phases> const& data = context.data();
    auto const& worker = context.worker();
    bool const first = worker.thread_rank() == 0;
    if (item.task == 0) {
      if (first) {
        if constexpr (Phases) {
          context.template enqueue<check>(item.iteration);
        } else {
          context.enqueue_with_dependencies(item.iteration, data.all_done,
                                            static_cast<std::int32_t>(data.of.num_tasks));
        }
      }
      worker.sync();
    }
    execute_task(worker, context.scratch(), data.of, item.task, item.iteration);
    if constexpr (!Phases) {
      if (first) context.reduce(data.all_done);
    }
  }
};

/// Computes the residual of an iteration and, unless it was the last, enqueues the next one.
template <class Value, bool Phases>
struct copy_and_check {
  /// The number of the iteration.
  using work_item = std::uint32_t;
  using scratch = collective_scratch<double, check_threads>;
  using insert_policy = random_insert;
  static constexpr int worker_size = check_threads;
  static constexpr std::string_view name = "CopyAndCheck";

  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t iteration) {
    stages_data<Value, Phases> const& data = context.data();
    auto const& worker = context.worker();
    double const residual = change_of_x(worker, data.of, context.scratch());
    outcome const verdict = data.rules.judge(iteration, residual);
    if (worker.thread_rank() == 0) *data.state = {residual, iteration, verdict};
    // All threads return together.
    if (verdict != outcome::running) return;
    enqueue_iteration<stages_jacobi<Value, Phases>>(context, data.of.num_tasks, iteration + 1);
  }
};

template <class Value, bool Phases>
struct stages_queue {
  using type = phase_queue<phaseless<stages_jacobi<Value, Phases>, copy_and_check<Value, Phases>>>;
};
template <class Value>
struct stages_queue<Value, true> {
  using type = phase_queue<phaseless<>, phase<stages_jacobi<Value, true>>,
                           phase<copy_and_check<Value, true>>>;
};

}  // namespace gridloom::mhive::jacobi
