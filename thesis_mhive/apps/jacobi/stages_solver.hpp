#pragma once
// Runs of the stages version. For kernel sources.

#include "stages_tasks.hpp"

namespace gridloom::mhive::jacobi {

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
        all_done_(machine_.allocate<dependency<copy_and_check<Value, Phases>>>(1)) {
    program_.template enqueue<task_type>(first_iteration(options.plan.tasks.size()));
  }

  void reset() override {
    system_.reset();
    machine_.fill_bytes(state_, 0);
    machine_.fill_bytes(all_done_, 0);
  }
  jacobi_result run() override {
    stages_data<Value, Phases> const data{system_.ref(), rules_, state_.data(), all_done_.data()};
    report const done = program_.template run<Scheduler>(data);
    return result_of(done, machine_.copy_to_host(state_)[0]);
  }
  [[nodiscard]] std::vector<double> x(std::uint32_t iterations) const override {
    return system_.x(iterations);
  }
  [[nodiscard]] std::size_t bytes() const override {
    return system_.bytes() + program_bytes<queue>(sizes_) + state_.bytes() + all_done_.bytes();
  }

 private:
  device& machine_;
  stop_rules rules_;
  program_options sizes_;
  device_system<Value> system_;
  program<queue> program_;
  buffer<run_state> state_;
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
