#pragma once
// Kernels and executors that run FR4's graphs without its scheduler (graph_runs.hpp). Included by
// sources that launch kernels.

#include <algorithm>
#include <memory>

#include "gridloom/taskgraph/shape.hpp"
#include "rivals/graph_runs.hpp"
#include "tiled_qr/general/launch.hpp"

namespace gridloom::tiled_qr::general {

/// One block executes all tasks in one order.
template <task_body Body>
struct in_order_kernel {
  static constexpr bool persistent = false;
  static constexpr int max_threads = max_threads_of_body<Body>();
  using scratch = typename Body::scratch;

  graph_ref graph;
  std::uint32_t const* order;
  dispatch_words* words;
  Body body;
  watchdog_ref dog;
  trace_ref trace;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    direct_memory memory;
    watch patience(dog, 0, true);
    for (std::uint32_t at = 0; at < graph.tasks; ++at) {
      bool const stops = block.thread_rank() == 0 &&
                         patience.stop(memory, wait_kind::own_work, 0, at, graph.tasks);
      if (block.any(stops)) return;
      execute(block, graph, order[at], body, shared, trace);
      if (block.thread_rank() == 0) memory.fetch_add_relaxed(&words->finished, 1U);
    }
  }
};

/// Executes the tasks of one level, spread over the blocks. A level's launch ends before the next
/// begins.
template <task_body Body>
struct level_kernel {
  static constexpr bool persistent = false;
  static constexpr int max_threads = max_threads_of_body<Body>();
  using scratch = typename Body::scratch;

  graph_ref graph;
  /// Numbers of this level's tasks.
  std::uint32_t const* tasks;
  std::uint32_t size;
  dispatch_words* words;
  Body body;
  trace_ref trace;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    direct_memory memory;
    std::uint32_t done = 0;
    for (auto at = static_cast<std::uint32_t>(block.index()); at < size;
         at += static_cast<std::uint32_t>(block.count())) {
      execute(block, graph, tasks[at], body, shared, trace);
      ++done;
    }
    if (block.thread_rank() == 0) memory.fetch_add_relaxed(&words->finished, done);
  }
};

namespace detail {

/// The common part of the executors below: the tasks, the number of finished tasks, and the time
/// limit.
class rival_executor : public executor {
 public:
  rival_executor(device& machine, compiled_graph const& graph, executor_settings const& settings)
      : machine_(&machine),
        settings_(settings),
        tasks_(machine, graph),
        words_(machine.allocate<dispatch_words>(1)),
        dog_(machine, settings.workers, settings.timeout_s),
        stopper_(dog_.arm()) {}

  void require_done() override { require_all(dog_, finished(), tasks_.graph().tasks); }
  std::uint64_t finished() override { return machine_->copy_to_host(words_)[0].finished; }
  std::size_t bytes() const override { return tasks_.bytes() + words_.bytes() + numbers_.bytes(); }

 protected:
  void start() {
    machine_->fill_bytes(words_, 0);
    stopper_ = dog_.arm();
  }

  device* machine_;
  executor_settings settings_;
  task_memory tasks_;
  buffer<dispatch_words> words_;
  buffer<std::uint32_t> numbers_;
  watchdog dog_;
  watchdog_ref stopper_;
};

template <task_body Body>
class in_order_executor final : public rival_executor {
 public:
  in_order_executor(device& machine, compiled_graph const& graph, executor_settings const& settings,
                    Body const& body)
      : rival_executor(machine, graph, settings), body_(body) {
    numbers_ = machine.allocate_copy(graph.order);
  }
  void run(trace_ref trace) override {
    start();
    machine_->launch({1, settings_.threads},
                     in_order_kernel<Body>{tasks_.graph(), numbers_.data(), words_.data(), body_,
                                           stopper_, trace});
  }
  std::size_t launches() const override { return 1; }
  int workers() const override { return 1; }
  kernel_facts facts() const override {
    return machine_->facts<in_order_kernel<Body>>(settings_.threads);
  }

 private:
  Body body_;
};

template <task_body Body>
class level_executor final : public rival_executor {
 public:
  level_executor(device& machine, compiled_graph const& graph, bool recorded,
                 executor_settings const& settings, Body const& body)
      : rival_executor(machine, graph, settings), body_(body), levels_(levels_of(graph)) {
    numbers_ = machine.allocate_copy(levels_.tasks);
    if (recorded) recorded_ = machine.record([this] { launch_all({}); });
  }
  void run(trace_ref trace) override {
    start();
    // Recorded launches do not write a trace.
    if (recorded_.launches && !trace.on()) {
      machine_->replay(recorded_);
    } else {
      launch_all(trace);
    }
  }
  std::size_t launches() const override { return levels_.groups(); }
  int workers() const override { return blocks_for(shape_of(levels_).widest_level, {}); }
  kernel_facts facts() const override {
    return machine_->facts<level_kernel<Body>>(settings_.threads);
  }

 private:
  /// On a GPU each task gets its own block, because no block waits for another. A trace has room
  /// for only `workers` blocks.
  [[nodiscard]] int blocks_for(std::int64_t tasks, trace_ref trace) const {
    int const blocks = static_cast<int>(tasks);
    return machine_->is_host() || trace.on() ? std::min(blocks, settings_.workers) : blocks;
  }
  void launch_all(trace_ref trace) {
    for (std::uint32_t level = 0; level < levels_.groups(); ++level) {
      machine_->launch({blocks_for(levels_.size(level), trace), settings_.threads},
                       level_kernel<Body>{tasks_.graph(), numbers_.data() + levels_.first[level],
                                          levels_.size(level), words_.data(), body_, trace});
    }
  }

  Body body_;
  task_groups levels_;
  launch_sequence recorded_;
};

}  // namespace detail

/// As make_executor of launch.hpp, with FR4's scheduler or one of its rivals.
template <task_body Body>
std::unique_ptr<executor> make_executor(device& machine, compiled_graph const& graph, execution how,
                                        executor_settings const& settings, Body const& body) {
  if (how == execution::scheduled) return make_executor(machine, graph, settings, body);
  if (how == execution::in_order)
    return std::make_unique<detail::in_order_executor<Body>>(
        machine, graph, settled<in_order_kernel<Body>>(machine, settings), body);
  return std::make_unique<detail::level_executor<Body>>(
      machine, graph, how == execution::waves_graph, settled<level_kernel<Body>>(machine, settings),
      body);
}

}  // namespace gridloom::tiled_qr::general
