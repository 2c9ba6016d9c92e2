#pragma once
// Makes an executor for a user's body. It launches kernels, so it is for sources that nvcc compiles
// where the CUDA backend is built in (gridloom_kernel_sources).

#include <algorithm>
#include <limits>
#include <memory>
#include <string>

#include "gridloom/error.hpp"
#include "tiled_qr/general/executor.hpp"
#include "tiled_qr/general/graph_store.hpp"
#include "tiled_qr/general/kernels.hpp"

namespace gridloom::tiled_qr::general {

namespace detail {

template <task_body Body>
class body_executor final : public executor {
 public:
  body_executor(device& machine, compiled_graph const& graph, execution_settings const& settings,
                Body const& body)
      : machine_(&machine),
        settings_(settings),
        body_(body),
        store_(machine, graph, settings.how),
        dog_(machine, settings.blocks, settings.timeout_s),
        stopper_(dog_.arm()) {
    if (settings.how != execution::waves && settings.how != execution::waves_graph) return;
    wave_list const waves = waves_of(graph);
    offsets_ = waves.offsets;
    waves_ = machine.allocate_copy(waves.tasks);
    if (settings.how == execution::waves_graph)
      recorded_ = machine.record([this] { launch_waves({}); });
  }

  void run(trace_ref trace) override {
    store_.reset();
    stopper_ = dog_.arm();
    switch (settings_.how) {
      case execution::scheduled:
        machine_->launch({settings_.blocks, settings_.threads},
                         scheduled_kernel<Body>{store_.dispatch(), body_, stopper_, trace});
        break;
      case execution::in_order:
        machine_->launch({1, settings_.threads},
                         in_order_kernel<Body>{store_.graph(), store_.order(),
                                               store_.dispatch().words, body_, stopper_, trace});
        break;
      case execution::waves: launch_waves(trace); break;
      case execution::waves_graph:
        if (trace.on()) {
          launch_waves(trace);  // what was recorded has none
        } else {
          machine_->replay(recorded_);
        }
        break;
    }
  }
  void require_done() override {
    std::uint64_t const all = store_.graph().tasks;
    std::string const of = std::to_string(finished()) + " of " + std::to_string(all) + " tasks";
    dog_.require_in_time(of + " finished");
    if (finished() != all) throw wrong_result("only " + of + " were executed");
  }
  std::uint64_t finished() override { return store_.words().finished; }
  std::uint64_t put_backs() override { return store_.words().put_backs; }
  std::size_t bytes() const override { return store_.bytes() + waves_.bytes(); }
  std::size_t launches() const override { return offsets_.empty() ? 1 : offsets_.size() - 1; }
  kernel_facts facts() const override {
    switch (settings_.how) {
      case execution::scheduled: return machine_->facts<scheduled_kernel<Body>>(settings_.threads);
      case execution::in_order: return machine_->facts<in_order_kernel<Body>>(settings_.threads);
      default: return machine_->facts<wave_kernel<Body>>(settings_.threads);
    }
  }

 private:
  void launch_waves(trace_ref trace) {
    // A GPU takes a block a task, which wait for nobody; a trace has a stretch a worker.
    bool const by_workers = machine_->is_host() || trace.on();
    int const most = by_workers ? settings_.blocks : std::numeric_limits<int>::max();
    for (std::size_t wave = 0; wave + 1 < offsets_.size(); ++wave) {
      std::uint32_t const size = offsets_[wave + 1] - offsets_[wave];
      int const blocks = std::min(static_cast<int>(size), most);
      machine_->launch({blocks, settings_.threads},
                       wave_kernel<Body>{store_.graph(), waves_.data() + offsets_[wave], size,
                                         store_.dispatch().words, body_, trace});
    }
  }

  device* machine_;
  execution_settings settings_;
  Body body_;
  graph_store store_;
  watchdog dog_;
  watchdog_ref stopper_;
  buffer<std::uint32_t> waves_;
  std::vector<std::uint32_t> offsets_;
  launch_sequence recorded_;
};

}  // namespace detail

/// A graph and the body of its tasks, ready to run on a machine, which outlives it. Throws
/// usage_error where the settings are out of range.
template <task_body Body>
std::unique_ptr<executor> make_executor(device& machine, compiled_graph const& graph,
                                        execution_settings const& settings, Body const& body) {
  if (settings.blocks < 1)
    throw usage_error("--workers: expected at least 1, got " + std::to_string(settings.blocks));
  if (settings.threads < 1 || settings.threads > max_threads_of_body<Body>()) {
    throw usage_error("--threads: expected 1 to " + std::to_string(max_threads_of_body<Body>()) +
                      " of a block, got " + std::to_string(settings.threads));
  }
  return std::make_unique<detail::body_executor<Body>>(machine, graph, settings, body);
}

}  // namespace gridloom::tiled_qr::general
