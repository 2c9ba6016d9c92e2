// The shares version: one hop of the scheduler per iteration, whatever the number of tasks.
//
// In the thesis's versions a queue hands out every Jacobi task. In large systems this takes longer
// than the tasks themselves. Here the tasks of an iteration are shared out beforehand among as many
// workers as the machine holds at once. A work item is a share: the tasks of one worker. The last
// share to end judges the iteration and enqueues the shares of the next one, so there are no phases
// and no dependencies.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>

#include "mhive/context.hpp"
#include "thesis_mhive/apps/jacobi/scheduled.hpp"
#include "thesis_mhive/apps/jacobi/task_body.hpp"

namespace gridloom::mhive::jacobi {
namespace {

template <class Value>
struct shares_data {
  system_ref<Value> of;
  stop_rules rules;
  run_state* state;
  /// Where the shares, as tasks of a check, add up the residual.
  check_ref check;
};

/// The tasks `item.task`, `item.task` + n, `item.task` + 2 n, ..., if there are n shares. Each part
/// of the worker executes one task at a time. Parts are as large as the workers of other versions.
/// Workers are as large as eight parts, since a block has named barriers for no more: the larger
/// the workers, the fewer shares are enqueued.
template <class Value>
struct share {
  static constexpr int worker_size = 512;
  /// The compiler would take 95 registers, with which half as many threads fit.
  static constexpr int resident_threads = 1024;
  static constexpr int most_parts = worker_size / task_threads;
  struct scratch {
    task_scratch<Value> of_part[most_parts];
    collective_scratch<double, worker_size> meeting;
  };
  using work_item = turn;
  static constexpr std::string_view name = "Share";

  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, turn item) {
    shares_data<Value> const& data = context.data();
    scratch& shared = context.scratch();
    auto const& worker = context.worker();
    auto const part = worker.template tile<task_threads / unit_threads>();
    auto const parts = static_cast<std::uint32_t>(worker.num_threads() / part.num_threads());
    auto const own = static_cast<std::uint32_t>(worker.thread_rank() / part.num_threads());
    std::uint32_t const shares = data.check.tasks;
    double change = 0;
    for (std::uint32_t t = own * shares + item.task; t < data.of.num_tasks; t += parts * shares) {
      change += execute_task(part, shared.of_part[own], data.of, t, item.iteration).change;
    }
    double const sum = reduce(worker, shared.meeting, change, sum_of{});
    if (!add_and_judge(context, item, sum, shared.meeting)) return;
    enqueue_iteration<share>(context, shares, item.iteration + 1);
  }
};

template <class Scheduler, class Value>
class shares_solver final : public solver {
  using task_type = share<Value>;
  using queue = phase_queue<phaseless<task_type>>;

 public:
  shares_solver(system<Value> const& of, solver_options const& options)
      : machine_(options.machine),
        rules_(options.rules),
        shares_(num_shares(options)),
        sizes_(sizes(options, shares_)),
        system_(options.machine, of, options.plan),
        program_(options.machine, sizes_),
        state_(machine_.allocate<run_state>(1)),
        check_(machine_, shares_) {
    program_.template enqueue<task_type>(first_iteration(shares_));
  }

  void reset() override {
    system_.reset();
    machine_.fill_bytes(state_, 0);
    check_.reset(machine_);
  }
  jacobi_result run() override {
    shares_data<Value> const data{system_.ref(), rules_, state_.data(), check_.ref()};
    report const done = program_.template run<Scheduler>(data);
    return result_of(done, machine_.copy_to_host(state_)[0]);
  }
  [[nodiscard]] std::vector<double> x(std::uint32_t iterations) const override {
    return system_.x(iterations);
  }
  [[nodiscard]] std::size_t bytes() const override {
    return system_.bytes() + program_bytes<queue>(sizes_) + state_.bytes() + check_.bytes();
  }

 private:
  // Returns the number of workers that the machine holds at once. A run without tasks reports it.
  static int resident_workers(solver_options const& options) {
    device& machine = options.machine;
    int const processors = machine.properties().multiprocessors;
    if (options.workers > 0) return options.workers;
    if (machine.is_host()) return processors;
    program<queue> empty{machine, sizes(options, 0)};
    report const done = empty.template run<Scheduler>(shares_data<Value>{});
    int const blocks = processors * done.kernels.back().facts.blocks_per_multiprocessor;
    if constexpr (requires { Scheduler::controllers; }) return blocks - Scheduler::controllers;
    return blocks;
  }
  // Returns how many shares keep the machine busy. Few tasks are spread over all multiprocessors,
  // before a share has a task for each of its parts.
  static std::uint32_t num_shares(solver_options const& options) {
    auto const tasks = static_cast<std::uint32_t>(options.plan.tasks.size());
    auto const resident = static_cast<std::uint32_t>(resident_workers(options));
    auto const processors =
        static_cast<std::uint32_t>(options.machine.properties().multiprocessors);
    std::uint32_t const parts = options.machine.is_host() ? 1 : task_type::most_parts;
    return std::min({resident, tasks, std::max(processors, (tasks - 1) / parts + 1)});
  }

  device& machine_;
  stop_rules rules_;
  std::uint32_t shares_;
  program_options sizes_;
  device_system<Value> system_;
  program<queue> program_;
  buffer<run_state> state_;
  check_memory check_;
};

}  // namespace

template <typename Value>
std::unique_ptr<solver> make_shares(system<Value> const& of, solver_options const& options,
                                    std::string_view scheduler) {
  return make_under(scheduler, [&]<class Scheduler>(Scheduler) -> std::unique_ptr<solver> {
    return std::make_unique<shares_solver<Scheduler, Value>>(of, options);
  });
}

template std::unique_ptr<solver> make_shares(system<float> const&, solver_options const&,
                                             std::string_view);
template std::unique_ptr<solver> make_shares(system<double> const&, solver_options const&,
                                             std::string_view);

}  // namespace gridloom::mhive::jacobi
