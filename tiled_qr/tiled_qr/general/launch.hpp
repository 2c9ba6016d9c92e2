#pragma once
// Makes an executor from a user's body, with FR4's scheduler. The header launches kernels. So nvcc
// must compile the sources that include it, if the CUDA backend is built (gridloom_kernel_sources).

#include <memory>

#include "gridloom/taskgraph/run_checks.hpp"
#include "tiled_qr/general/executor.hpp"
#include "tiled_qr/general/graph_store.hpp"
#include "tiled_qr/general/scheduled_kernel.hpp"

namespace gridloom::tiled_qr::general {

namespace detail {

template <task_body Body>
class scheduled_executor final : public executor {
 public:
  scheduled_executor(device& machine, compiled_graph const& graph,
                     executor_settings const& settings, Body const& body)
      : machine_(&machine),
        shape_{settings.workers, settings.threads},
        body_(body),
        store_(machine, graph),
        dog_(machine, settings.workers, settings.timeout_s) {}

  void run(trace_ref trace) override {
    store_.reset();
    machine_->launch(shape_, scheduled_kernel<Body>{store_.dispatch(), body_, dog_.arm(), trace});
  }
  void require_done() override { require_all(dog_, finished(), store_.graph().tasks); }
  std::uint64_t finished() override { return store_.words().finished; }
  std::uint64_t put_backs() override { return store_.words().put_backs; }
  std::size_t bytes() const override { return store_.bytes(); }
  std::size_t launches() const override { return 1; }
  int workers() const override { return shape_.blocks; }
  kernel_facts facts() const override {
    return machine_->facts<scheduled_kernel<Body>>(shape_.threads);
  }

 private:
  device* machine_;
  launch_shape shape_;
  Body body_;
  graph_store store_;
  watchdog dog_;
};

}  // namespace detail

/// Prepares a graph and the body of its tasks to run. The machine must outlive the executor. Throws
/// as settled() does.
template <task_body Body>
std::unique_ptr<executor> make_executor(device& machine, compiled_graph const& graph,
                                        executor_settings const& settings, Body const& body) {
  return std::make_unique<detail::scheduled_executor<Body>>(
      machine, graph, settled<scheduled_kernel<Body>>(machine, settings), body);
}

}  // namespace gridloom::tiled_qr::general
