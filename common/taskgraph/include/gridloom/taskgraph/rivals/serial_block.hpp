#pragma once
// One block executes all tasks in one topological order: the serial program on a device. The header
// launches kernels (gridloom_kernel_sources).

#include <cstdint>
#include <utility>
#include <vector>

#include "gridloom/device.hpp"
#include "gridloom/taskgraph/block_task.hpp"
#include "gridloom/taskgraph/one_launch.hpp"
#include "gridloom/watchdog.hpp"

namespace gridloom {

template <block_tasks Tasks>
struct serial_kernel {
  static constexpr bool persistent = false;
  static constexpr int max_threads = Tasks::max_threads;
  static constexpr int min_blocks = least_blocks_of<Tasks>();
  using scratch = typename Tasks::scratch;

  Tasks tasks;
  /// Array of all task numbers in a topological order.
  std::uint32_t const* order;
  std::uint32_t size;
  /// One word: the number of tasks that this run executed.
  std::uint32_t* finished;
  watchdog_ref dog;
  trace_ref trace;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    direct_memory memory;
    watch patience(dog, 0, true);
    std::uint32_t done = 0;
    for (next_task<Tasks> next(tasks, order, 0, size); next.exists();
         next.advance(tasks, order, 1)) {
      bool const stops =
          block.thread_rank() == 0 && patience.stop(memory, wait_kind::own_work, 0, done, size);
      if (block.any(stops)) break;
      next.execute(block, tasks, shared, trace.on(),
                   [&](trace_event const& event) { trace.record(0, event); });
      ++done;
    }
    if (block.thread_rank() == 0) *finished = done;
  }
};

template <block_tasks Tasks>
class serial_block final : public one_launch<serial_kernel<Tasks>> {
  using base = one_launch<serial_kernel<Tasks>>;

 public:
  /// Ignores settings.workers. Throws usage_error for other settings out of range.
  serial_block(device& machine, std::vector<std::uint32_t> const& order, Tasks const& tasks,
               executor_settings const& settings, graph_memory graph)
      : base(machine, {.workers = 1, .threads = settings.threads, .timeout_s = settings.timeout_s}),
        graph_(std::move(graph)),
        tasks_(tasks),
        order_(machine.allocate_copy(order)),
        finished_(machine.allocate<std::uint32_t>(1)) {
    require_in_range(settings, Tasks::max_threads);
  }

  void run(trace_ref trace) override {
    base::machine_->fill_bytes(finished_, 0);
    base::launch({tasks_, order_.data(), static_cast<std::uint32_t>(order_.size()),
                  finished_.data(), base::dog_.arm(), trace});
  }
  void require_done() override { require_all(base::dog_, finished(), order_.size()); }
  [[nodiscard]] std::uint64_t finished() override {
    return base::machine_->copy_to_host(finished_)[0];
  }
  [[nodiscard]] load_range loads() override {
    auto const all = static_cast<std::uint32_t>(finished());
    return {all, all};
  }
  [[nodiscard]] std::size_t bytes() const override {
    return graph_.bytes + order_.bytes() + finished_.bytes();
  }
  [[nodiscard]] set_up_times set_up() const override { return {graph_.copy_ms, 0}; }

 private:
  graph_memory graph_;
  Tasks tasks_;
  buffer<std::uint32_t> order_, finished_;
};

}  // namespace gridloom
