#pragma once
// Makes an executor from a user's body, with FR4's scheduler. The header launches kernels. So nvcc
// must compile the sources that include it, if the CUDA backend is built (gridloom_kernel_sources).

#include <memory>

#include "gridloom/taskgraph/one_launch.hpp"
#include "tiled_qr/general/graph_store.hpp"
#include "tiled_qr/general/scheduled_kernel.hpp"

namespace gridloom::tiled_qr::general {

namespace detail {

template <task_body Body>
class scheduled_executor final : public one_launch<scheduled_kernel<Body>> {
 public:
  scheduled_executor(device& machine, compiled_graph const& graph,
                     executor_settings const& settings, Body const& body)
      : one_launch<scheduled_kernel<Body>>(machine, settings),
        body_(body),
        store_(machine, graph) {}

  void run(trace_ref trace) override {
    store_.reset();
    this->launch({store_.dispatch(), body_, this->dog_.arm(), trace});
  }
  void require_done() override { require_all(this->dog_, finished(), store_.graph().tasks); }
  std::uint64_t finished() override { return store_.words().finished; }
  std::uint64_t put_backs() override { return store_.words().put_backs; }
  std::size_t bytes() const override { return store_.bytes(); }

 private:
  Body body_;
  graph_store store_;
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
