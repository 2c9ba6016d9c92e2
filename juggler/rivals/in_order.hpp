#pragma once
// The serial program: one worker executes all tasks in the order of serial_order.hpp, without
// queues. It is the baseline of the other methods. Launches a kernel: see run_runtime.hpp.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "gridloom/block_memory.hpp"
#include "gridloom/clock.hpp"
#include "gridloom/taskgraph/one_launch.hpp"
#include "juggler/app_store.hpp"
#include "juggler/executor.hpp"
#include "juggler/serial_order.hpp"

namespace gridloom::juggler {

template <application App>
struct in_order_kernel {
  static constexpr bool persistent = false;
  static constexpr int max_threads = App::max_threads;
  static constexpr int min_blocks = least_blocks_of<App>();
  using scratch = typename App::scratch;

  app_context_ref<typename App::task_data> tasks;
  std::uint32_t const* order;
  std::uint32_t* finished;
  App app;
  watchdog_ref dog;
  trace_ref trace;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    direct_memory memory;
    watch patience(dog, 0, true);
    std::uint32_t at = 0;
    for (; at < tasks.tasks; ++at) {
      bool const stops = block.thread_rank() == 0 &&
                         patience.stop(memory, wait_kind::own_work, 0, at, tasks.tasks);
      if (block.any(stops)) break;
      auto const& next = tasks.task_list[order[at]];
      std::uint64_t const begin_ns = trace.on() ? now_ns() : 0;
      app(block, next.kernel_type, next.data, shared);
      block.sync();
      if (trace.on() && block.thread_rank() == 0)
        trace.record(0, {order[at], next.kernel_type, begin_ns, now_ns()});
    }
    if (block.thread_rank() == 0) *finished = at;
  }
};

namespace detail {

template <application App>
class in_order_executor final : public one_launch<executor, in_order_kernel<App>> {
 public:
  using task_data = typename App::task_data;

  in_order_executor(device& machine, task_dag const& dag, std::vector<task_data> const& data,
                    execution_settings const& settings, App const& app)
      : one_launch<executor, in_order_kernel<App>>(machine,
                                                   {1, settings.threads, settings.timeout_s}),
        app_(app),
        tasks_(machine, dag, data),
        order_(machine.allocate_copy(serial_order(dag))),
        finished_(machine.allocate<std::uint32_t>(1)) {}

  void run(trace_ref trace) override {
    this->machine_->fill_bytes(finished_, 0);
    this->launch({tasks_.ref(), order_.data(), finished_.data(), app_, this->dog_.arm(), trace});
  }
  void require_done() override { require_all(this->dog_, finished(), tasks_.ref().tasks); }
  std::uint64_t finished() override { return this->machine_->copy_to_host(finished_)[0]; }
  load_range loads() override {
    auto const all = static_cast<std::uint32_t>(finished());
    return {all, all};
  }
  std::size_t bytes() const override { return tasks_.bytes() + order_.bytes(); }

 private:
  App app_;
  app_store<task_data> tasks_;
  buffer<std::uint32_t> order_, finished_;
};

}  // namespace detail

/// make() ignores settings.workers. It throws usage_error if the time limit is out of range.
struct in_order {
  static constexpr std::string_view name = "serial";

  template <application App>
  static std::unique_ptr<executor> make(device& machine, task_dag const& dag,
                                        std::vector<typename App::task_data> const& data,
                                        execution_settings const& settings, App const& app) {
    require_time_limit(settings);
    return std::make_unique<detail::in_order_executor<App>>(machine, dag, data, settings, app);
  }
};

}  // namespace gridloom::juggler
