#pragma once
// Tasks on the host without a kernel: in a loop on one thread, or as OpenMP tasks. This is what a
// user without a GPU would write.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "gridloom/device.hpp"
#include "gridloom/error.hpp"
#include "gridloom/taskgraph/block_task.hpp"
#include "gridloom/taskgraph/orders.hpp"
#include "gridloom/taskgraph/rivals/omp_graph.hpp"
#include "gridloom/taskgraph/run_checks.hpp"
#include "gridloom/watchdog.hpp"

namespace gridloom {

/// The common part: the tasks in a topological order, and what each thread did.
template <block_tasks Tasks>
class host_tasks : public executor {
 public:
  void require_done() override { require_all(dog_, finished(), order_.size()); }
  [[nodiscard]] std::uint64_t finished() override {
    std::uint64_t all = 0;
    for (own_words const& one : own_) all += one.executed;
    return all;
  }
  [[nodiscard]] load_range loads() override {
    load_range found{0, ~0U};
    for (own_words const& one : own_) {
      found.max = std::max(found.max, one.executed);
      found.min = std::min(found.min, one.executed);
    }
    return found;
  }
  [[nodiscard]] std::size_t bytes() const override { return order_.size() * sizeof(order_[0]); }
  [[nodiscard]] std::size_t launches() const override { return 1; }
  [[nodiscard]] int workers() const override { return threads_; }
  [[nodiscard]] kernel_facts facts() const override { return {}; }
  [[nodiscard]] set_up_times set_up() const override { return {0, set_up_ms_}; }

 protected:
  /// Throws unsupported unless the machine is the host, usage_error for settings out of range, and
  /// grid_error for too many threads.
  host_tasks(device& machine, csr_graph const& graph, Tasks const& tasks,
             executor_settings const& settings, int threads)
      : tasks_(tasks),
        threads_(checked(machine, settings, threads)),
        order_(timed(machine, set_up_ms_, [&] { return levels_by_number(graph).tasks; })),
        dog_(machine, threads_, settings.timeout_s) {}

  void begin(trace_ref trace) {
    trace_ = trace;
    own_.clear();
    watchdog_ref const stopper = dog_.arm();
    for (int thread = 0; thread < threads_; ++thread) own_.push_back({watch(stopper, thread)});
  }
  /// Executes a task on a thread. Returns false if time is up.
  bool execute(std::uint32_t task, int thread) {
    own_words& own = own_[static_cast<std::size_t>(thread)];
    direct_memory memory;
    if (own.patience.stop(memory, wait_kind::own_work, 0, own.executed, order_.size()))
      return false;
    std::uint64_t const begin_ns = traced_tasks<Tasks> && trace_.on() ? now_ns() : 0;
    typename Tasks::scratch scratch;
    auto const early = tasks_.read(task);
    tasks_.execute(host_block(thread, threads_, nullptr), task, early, scratch);
    if constexpr (traced_tasks<Tasks>) {
      if (trace_.on()) trace_.record(thread, {task, tasks_.type(task, early), begin_ns, now_ns()});
    }
    ++own.executed;
    return true;
  }

  Tasks tasks_;
  int threads_;
  double set_up_ms_ = 0;
  std::vector<std::uint32_t> order_;

 private:
  struct alignas(line_bytes) own_words {
    watch patience;
    std::uint32_t executed = 0;
  };

  static int checked(device const& machine, executor_settings const& settings, int threads) {
    require_in_range(settings, Tasks::max_threads);
    if (!machine.is_host())
      throw unsupported("the tasks run on the host, --backend host; this is " +
                        machine.properties().backend);
    if (threads == 0) threads = machine.properties().multiprocessors;
    if (threads > host_backend::max_workers)
      throw grid_error("--workers: " + std::to_string(threads) + " threads; the host has at most " +
                       std::to_string(host_backend::max_workers));
    return threads;
  }

  watchdog dog_;
  trace_ref trace_;
  std::vector<own_words> own_;
};

/// A loop over all tasks. Ignores settings.workers.
template <block_tasks Tasks>
class serial_loop final : public host_tasks<Tasks> {
  using base = host_tasks<Tasks>;

 public:
  serial_loop(device& machine, csr_graph const& graph, Tasks const& tasks,
              executor_settings const& settings)
      : base(machine, graph, tasks, settings, 1) {}

  void run(trace_ref trace) override {
    base::begin(trace);
    for (std::uint32_t const task : base::order_) {
      if (!base::execute(task, 0)) break;
    }
  }
};

/// One OpenMP task per task. settings.workers is the number of threads.
template <block_tasks Tasks>
class omp_tasks final : public host_tasks<Tasks> {
  using base = host_tasks<Tasks>;

 public:
  omp_tasks(device& machine, csr_graph const& graph, Tasks const& tasks,
            executor_settings const& settings)
      : base(machine, graph, tasks, settings, settings.workers),
        before_(transposed(graph)),
        graph_(before_, base::order_, base::threads_) {}

  void run(trace_ref trace) override {
    base::begin(trace);
    graph_.run([this](std::uint32_t task, int thread) { return base::execute(task, thread); });
  }
  [[nodiscard]] std::size_t bytes() const override {
    return base::bytes() + graph_.bytes() + before_.row_offsets.size() * sizeof(std::uint64_t) +
           before_.columns.size() * sizeof(std::uint32_t);
  }

 private:
  csr_graph before_;
  omp_graph graph_;
};

}  // namespace gridloom
