#pragma once
// The paper's schedulers for tasks of a user, on any task graph: scanning, one queue, and one queue
// per block with the paper's hash a. The header launches kernels (gridloom_kernel_sources).

#include <cstdint>
#include <memory>

#include "gridloom/taskgraph/block_task.hpp"
#include "gridloom/taskgraph/executor.hpp"
#include "gridloom/taskgraph/run_checks.hpp"
#include "gridloom/taskgraph/shared_graph.hpp"
#include "wavefront/published_state.hpp"
#include "wavefront/support/scheduler_words.hpp"
#include "wavefront/task_hash.hpp"

namespace gridloom::wavefront {

// The host side of schedulers for tasks of a user, on any task graph. One block runs one task. The
// header launches kernels (gridloom_kernel_sources).

/// Tasks of common/taskgraph as the body of the schedulers' kernels.
template <block_tasks Tasks>
struct user_body {
  static constexpr int max_threads = Tasks::max_threads;
  using scratch = typename Tasks::scratch;

  Tasks tasks;
  trace_ref trace;

  GRIDLOOM_FN static bool takes_long() { return true; }
  template <thread_group Block, class Graph>
  GRIDLOOM_FN void operator()(Block const& block, Graph const&, std::uint32_t task,
                              scratch& local) const {
    std::uint64_t const begin_ns = traced_tasks<Tasks> && trace.on() ? now_ns() : 0;
    auto const early = tasks.read(task);
    tasks.execute(block, task, early, local);
    if constexpr (traced_tasks<Tasks>) {
      if (!trace.on()) return;
      block.sync();
      if (block.thread_rank() == 0)
        trace.record(block.index(), {task, tasks.type(task, early), begin_ns, now_ns()});
    }
  }
};

/// Runs the tasks of one graph by the scheduler whose words and kernel are a `State`.
template <block_tasks Tasks, class State>
class state_executor : public executor {
 public:
  /// `graph` has passed check_dag and has a task. `settings` are settled for the kernel. `more` are
  /// the last arguments of the State's constructor.
  template <class... More>
  state_executor(device& machine, csr_graph const& graph, Tasks const& tasks,
                 executor_settings const& settings, More const&... more)
      : machine_(&machine),
        owner_(dag_on(machine, graph, settings)),
        graph_(*owner_),
        body_{tasks, {}},
        shape_{settings.workers, settings.threads},
        state_(machine, graph_, memory_, static_cast<std::uint32_t>(settings.workers), more...),
        dog_(machine, settings.workers, settings.timeout_s) {
    memory_.dependencies = machine.allocate<std::uint32_t>(graph_.tasks());
    memory_.words = machine.allocate<scheduler_words>(1);
  }

  void reset() override {
    stopper_ = dog_.arm();
    state_.reset();
    is_reset_ = true;
  }
  void run(trace_ref trace) override {
    if (!is_reset_) reset();
    is_reset_ = false;
    body_.trace = trace;
    with_kernel([&](auto const& kernel) { machine_->launch(shape_, kernel); });
  }
  void require_done() override { require_all(dog_, finished(), graph_.tasks()); }
  [[nodiscard]] std::uint64_t finished() override { return state_.finished(); }
  [[nodiscard]] std::size_t bytes() const override { return graph_.bytes() + state_.bytes(); }
  [[nodiscard]] std::size_t launches() const override { return 1; }
  [[nodiscard]] int workers() const override { return shape_.blocks; }
  [[nodiscard]] kernel_facts facts() const override {
    return with_kernel([&]<class Kernel>(Kernel const&) {
      return machine_->template facts<Kernel>(shape_.threads);
    });
  }

 private:
  template <class Visit>
  auto with_kernel(Visit const& visit) const {
    return state_.template with_kernel<silent_probe>(body_, stopper_, {}, visit);
  }
  device* machine_;
  std::shared_ptr<device_graph> owner_;
  device_graph& graph_;
  workspace memory_;
  user_body<Tasks> body_;
  launch_shape shape_;
  State state_;
  watchdog dog_;
  watchdog_ref stopper_{};
  bool is_reset_ = false;
};

/// Runs the tasks of one graph by one of the paper's schedulers. The paper does not time reset().
template <block_tasks Tasks>
class graph_executor final : public state_executor<Tasks, published_state<dag_ref, hash_a>> {
 public:
  /// `graph` has passed check_dag and has a task. Throws usage_error for settings out of range,
  /// grid_error if no block fits.
  graph_executor(device& machine, csr_graph const& graph, Tasks const& tasks, published_method how,
                 executor_settings const& settings)
      : state_executor<Tasks, published_state<dag_ref, hash_a>>(
            machine, graph, tasks, settled_for(machine, how, settings), how, hash_a{}) {}

 private:
  static executor_settings settled_for(device& machine, published_method how,
                                       executor_settings const& settings) {
    using body = user_body<Tasks>;
    if (how == published_method::scanning)
      return settled<scanning_kernel<dag_ref, silent_probe, body>>(machine, settings);
    if (how == published_method::single_queue)
      return settled<single_queue_kernel<dag_ref, silent_probe, body>>(machine, settings);
    return settled<multi_queue_kernel<dag_ref, silent_probe, body, hash_a>>(machine, settings);
  }
};

}  // namespace gridloom::wavefront
