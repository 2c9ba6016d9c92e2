#pragma once
// Runs of the stages version. For kernel sources.

#include <cstdint>
#include <string_view>

#include "mhive/context.hpp"
#include "scheduled.hpp"
#include "task_body.hpp"

namespace gridloom::mhive::jacobi {

// The stages version (thesis, 7.4.1). All Jacobi tasks of an iteration alternate with one task
// CopyAndCheck. Phases keep this order, or an individual dependency of CopyAndCheck on all Jacobi
// tasks.
//
// Departures: the parity of an iterate's number chooses one of two fixed arrays, so no pointers are
// swapped. In the thesis, CopyAndCheck enqueues itself, but then it would run at once, within its
// own phase. Here the first Jacobi task enqueues it. Several tasks share its rows (check_task).

template <class Value, bool Phases>
struct copy_and_check;

template <class Value, bool Phases>
struct stages_data {
  system_ref<Value> of;
  stop_rules rules;
  run_state* state;
  check_ref check;
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
          context.template enqueue<check>(item);
        } else {
          context.enqueue_with_dependencies(item, data.all_done,
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

/// The check of each iteration.
template <class Value, bool Phases>
struct copy_and_check : check_task<copy_and_check<Value, Phases>, stages_jacobi<Value, Phases>> {
  static constexpr std::string_view name = "CopyAndCheck";
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

template <class Scheduler, class Value, bool Phases>
class stages_solver final : public solver {
  using queue = typename stages_queue<Value, Phases>::type;
  using task_type = stages_jacobi<Value, Phases>;

 public:
  stages_solver(system<Value> const& of, solver_options const& options)
      : machine_(options.machine),
        rules_(options.rules),
        sizes_(sizes(options, options.plan.tasks.size())),
        system_(options.machine, of, options.plan),
        program_(options.machine, sizes_),
        state_(machine_.allocate<run_state>(1)),
        check_(machine_, check_tasks(of.num_rows())),
        all_done_(machine_.allocate<dependency<copy_and_check<Value, Phases>>>(1)) {
    program_.template enqueue<task_type>(first_iteration(options.plan.tasks.size()));
  }

  void reset() override {
    system_.reset();
    machine_.fill_bytes(state_, 0);
    check_.reset(machine_);
    machine_.fill_bytes(all_done_, 0);
  }
  jacobi_result run() override {
    stages_data<Value, Phases> const data{system_.ref(), rules_, state_.data(), check_.ref(),
                                          all_done_.data()};
    report const done = program_.template run<Scheduler>(data);
    return result_of(done, machine_.copy_to_host(state_)[0]);
  }
  [[nodiscard]] std::vector<double> x(std::uint32_t iterations) const override {
    return system_.x(iterations);
  }
  [[nodiscard]] std::size_t bytes() const override {
    return system_.bytes() + program_bytes<queue>(sizes_) + state_.bytes() + check_.bytes() +
           all_done_.bytes();
  }

 private:
  device& machine_;
  stop_rules rules_;
  program_options sizes_;
  device_system<Value> system_;
  program<queue> program_;
  buffer<run_state> state_;
  check_memory check_;
  buffer<dependency<copy_and_check<Value, Phases>>> all_done_;
};

template <class Value, bool Phases>
[[nodiscard]] std::unique_ptr<solver> make_stages_of(system<Value> const& of,
                                                     solver_options const& options,
                                                     std::string_view scheduler) {
  return make_under(scheduler, [&]<class Scheduler>(Scheduler) -> std::unique_ptr<solver> {
    return std::make_unique<stages_solver<Scheduler, Value, Phases>>(of, options);
  });
}

}  // namespace gridloom::mhive::jacobi
