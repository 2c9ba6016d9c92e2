#pragma once
// Runs of the checkpoints and autonomous versions. For kernel sources.

#include "fine_tasks.hpp"

namespace gridloom::mhive::jacobi {

template <class Scheduler, class Value, fine_version Version>
class fine_solver final : public solver {
  using queue = typename fine_queue<Value, Version>::type;
  using task_type = fine_jacobi<Value, Version>;
  static constexpr bool autonomous = Version == fine_version::autonomous;

 public:
  fine_solver(system<Value> const& of, solver_options const& options, dependency_count count)
      : machine_(options.machine),
        options_(options),
        sizes_(sizes(options, options.plan.tasks.size())),
        system_(options.machine, of, options.plan),
        program_(options.machine, sizes_),
        state_(machine_.allocate<run_state>(1)),
        check_(machine_, check_tasks(of.num_rows())),
        all_done_(machine_.allocate<dependency<checkpoint<Value, Version>>>(1)) {
    std::size_t const tasks = options.plan.tasks.size();
    task_graph const graph = make_graph(of.matrix, options.plan, count);
    offsets_ = machine_.allocate_copy(graph.offsets);
    followers_ = machine_.allocate_copy(graph.followers);
    needed_ = machine_.allocate_copy(graph.needed);
    waits_ = machine_.allocate<dependency<task_type>>(2 * tasks);
    if (autonomous) {
      std::size_t const iterations = std::size_t{options.rules.max_iterations} + 1;
      residuals_ = machine_.allocate<double>(iterations);
      finished_ = machine_.allocate<std::uint32_t>(iterations);
      front_ = machine_.allocate<std::uint32_t>(1);
    }
    program_.template enqueue<task_type>(first_iteration(tasks));
  }

  void reset() override {
    system_.reset();
    machine_.fill_bytes(state_, 0);
    check_.reset(machine_);
    machine_.fill_bytes(waits_, 0);
    machine_.fill_bytes(all_done_, 0);
    if (autonomous) {
      machine_.fill_bytes(residuals_, 0);
      machine_.fill_bytes(finished_, 0);
      machine_.copy_to_device(front_, std::span<std::uint32_t const>{&first_, 1});
    }
  }
  jacobi_result run() override {
    report const done = program_.template run<Scheduler>(data());
    run_state end = machine_.copy_to_host(state_)[0];
    if (autonomous) end = end_of_autonomous(end);
    return result_of(done, end);
  }
  [[nodiscard]] std::vector<double> x(std::uint32_t iterations) const override {
    return system_.x(iterations);
  }
  [[nodiscard]] std::size_t bytes() const override {
    return system_.bytes() + program_bytes<queue>(sizes_) + state_.bytes() + check_.bytes() +
           all_done_.bytes() + offsets_.bytes() + followers_.bytes() + needed_.bytes() +
           waits_.bytes() + residuals_.bytes() + finished_.bytes() + front_.bytes();
  }

 private:
  fine_data<Value, Version> data() const {
    return {system_.ref(),     {offsets_.data(), followers_.data(), needed_.data()},
            options_.rules,    state_.data(),
            waits_.data(),     options_.check_every,
            check_.ref(),      all_done_.data(),
            residuals_.data(), finished_.data(),
            front_.data()};
  }
  // The verdict belongs to one iteration, but x belongs to the last iteration that any task had
  // begun.
  run_state end_of_autonomous(run_state judged) const {
    if (judged.verdict == outcome::running) return judged;
    std::uint32_t const last = frontier::iteration(machine_.copy_to_host(front_)[0]);
    std::uint32_t const finished = machine_.copy_to_host(finished_.data() + last);
    if (finished != system_.ref().num_tasks) {
      throw run_error("internal error: " + std::to_string(finished) + " tasks of iteration " +
                      std::to_string(last) + " were executed");
    }
    return {machine_.copy_to_host(residuals_.data() + last), last, judged.verdict};
  }

  static constexpr std::uint32_t first_ = 1;

  device& machine_;
  solver_options options_;
  program_options sizes_;
  device_system<Value> system_;
  program<queue> program_;
  buffer<run_state> state_;
  check_memory check_;
  buffer<dependency<checkpoint<Value, Version>>> all_done_;
  buffer<std::uint32_t> offsets_;
  buffer<std::uint32_t> followers_;
  buffer<std::int32_t> needed_;
  buffer<dependency<task_type>> waits_;
  buffer<double> residuals_;
  buffer<std::uint32_t> finished_;
  buffer<std::uint32_t> front_;
};

template <class Value, fine_version Version>
[[nodiscard]] std::unique_ptr<solver> make_fine_of(system<Value> const& of,
                                                   solver_options const& options,
                                                   std::string_view scheduler,
                                                   dependency_count count) {
  return make_under(scheduler, [&]<class Scheduler>(Scheduler) -> std::unique_ptr<solver> {
    return std::make_unique<fine_solver<Scheduler, Value, Version>>(of, options, count);
  });
}

}  // namespace gridloom::mhive::jacobi
