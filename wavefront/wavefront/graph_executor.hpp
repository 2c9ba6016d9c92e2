#pragma once
// The paper's schedulers for tasks of a user, on any task graph: scanning, one queue, and one queue
// per block with the paper's hash a. One block runs one task. The header launches kernels
// (gridloom_kernel_sources).

#include <cstdint>
#include <memory>

#include "gridloom/taskgraph/block_task.hpp"
#include "gridloom/taskgraph/executor.hpp"
#include "gridloom/taskgraph/run_checks.hpp"
#include "gridloom/taskgraph/shared_graph.hpp"
#include "wavefront/locked_stacks.hpp"
#include "wavefront/multi_queue.hpp"
#include "wavefront/scanning.hpp"
#include "wavefront/single_queue.hpp"
#include "wavefront/task_hash.hpp"

namespace gridloom::wavefront {

enum class published_method { scanning, single_queue, multi_queue };

/// Tasks of common/taskgraph as the body of the paper's kernels.
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

/// Runs the tasks of one graph by one of the paper's schedulers. The paper does not time reset().
template <block_tasks Tasks>
class graph_executor final : public executor {
  using body = user_body<Tasks>;
  using scanning = scanning_kernel<dag_ref, silent_probe, body>;
  using single_queue = single_queue_kernel<dag_ref, silent_probe, body>;
  using multi_queue = multi_queue_kernel<dag_ref, silent_probe, body, hash_a>;

 public:
  /// `graph` has passed check_dag and has a task. Throws usage_error for settings out of range,
  /// grid_error if no block fits.
  graph_executor(device& machine, csr_graph const& graph, Tasks const& tasks, published_method how,
                 executor_settings const& settings)
      : machine_(&machine),
        owner_(dag_on(machine, graph, settings)),
        graph_(*owner_),
        tasks_(tasks),
        how_(how),
        settings_(settled_for(machine, how, settings)),
        queues_(how == published_method::multi_queue ? static_cast<std::uint32_t>(settings_.workers)
                                                     : 1),
        stacks_(machine, graph_, hash_a{}, queues_),
        dependencies_(machine.allocate<std::uint32_t>(graph_.tasks())),
        locks_(machine.allocate<std::uint32_t>(how == published_method::scanning ? graph_.tasks()
                                                                                 : 0)),
        words_(machine.allocate<scheduler_words>(1)),
        dog_(machine, settings_.workers, settings_.timeout_s) {}

  void reset() override {
    stopper_ = dog_.arm();
    machine_->fill_bytes(words_, 0);
    machine_->fill_bytes(locks_, 0);
    bool const host = machine_->is_host();
    machine_->launch({host ? 1 : 4 * machine_->properties().multiprocessors, host ? 1 : 256},
                     count_dependencies_kernel<dag_ref>{view(), dependencies_.data(), 0});
    stacks_.reset(*machine_);
    is_reset_ = true;
  }
  void run(trace_ref trace) override {
    if (!is_reset_) reset();
    is_reset_ = false;
    launch_shape const shape{settings_.workers, settings_.threads};
    body const own{tasks_, trace};
    std::uint32_t* const open = dependencies_.data();
    auto* const words = words_.data();
    if (how_ == published_method::scanning) {
      machine_->launch(shape, scanning{view(), own, open, locks_.data(), words, stopper_, {}});
    } else if (how_ == published_method::single_queue) {
      machine_->launch(shape, single_queue{view(),
                                           own,
                                           open,
                                           stacks_.words(),
                                           stacks_.items(),
                                           stacks_.capacity(),
                                           words,
                                           stopper_,
                                           {}});
    } else {
      machine_->launch(shape, multi_queue{view(),
                                          own,
                                          open,
                                          stacks_.words(),
                                          stacks_.items(),
                                          queues_,
                                          stacks_.capacity(),
                                          hash_a{},
                                          words,
                                          stopper_,
                                          {}});
    }
  }
  void require_done() override { require_all(dog_, finished(), graph_.tasks()); }
  [[nodiscard]] std::uint64_t finished() override {
    return machine_->copy_to_host(words_)[0].finished;
  }
  [[nodiscard]] std::size_t bytes() const override {
    return graph_.bytes() + stacks_.bytes() + dependencies_.bytes() + locks_.bytes() +
           words_.bytes();
  }
  [[nodiscard]] std::size_t launches() const override { return 1; }
  [[nodiscard]] int workers() const override { return settings_.workers; }
  [[nodiscard]] kernel_facts facts() const override {
    return with_kernel(
        how_, [&]<class Kernel>() { return machine_->template facts<Kernel>(settings_.threads); });
  }

 private:
  template <class Visit>
  static auto with_kernel(published_method how, Visit const& visit) {
    if (how == published_method::scanning) return visit.template operator()<scanning>();
    if (how == published_method::single_queue) return visit.template operator()<single_queue>();
    return visit.template operator()<multi_queue>();
  }
  static executor_settings settled_for(device& machine, published_method how,
                                       executor_settings const& settings) {
    return with_kernel(how, [&]<class Kernel>() { return settled<Kernel>(machine, settings); });
  }
  [[nodiscard]] dag_ref view() const { return std::get<dag_ref>(graph_.view()); }

  device* machine_;
  std::shared_ptr<device_graph> owner_;
  device_graph& graph_;
  Tasks tasks_;
  published_method how_;
  executor_settings settings_;
  std::uint32_t queues_;
  locked_stacks stacks_;
  buffer<std::uint32_t> dependencies_, locks_;
  buffer<scheduler_words> words_;
  watchdog dog_;
  watchdog_ref stopper_{};
  bool is_reset_ = false;
};

}  // namespace gridloom::wavefront
