#pragma once
// Makes an executor from a user's body, with FR4's scheduler. The header launches kernels. So nvcc
// must compile the sources that include it, if the CUDA backend is built (gridloom_kernel_sources).

#include <memory>
#include <string>

#include "gridloom/error.hpp"
#include "tiled_qr/general/executor.hpp"
#include "tiled_qr/general/graph_store.hpp"
#include "tiled_qr/general/scheduled_kernel.hpp"

namespace gridloom::tiled_qr::general {

namespace detail {

/// Throws timeout_error with what each worker waited for, or wrong_result if tasks are left.
inline void require_all(watchdog& dog, std::uint64_t finished, std::uint64_t all) {
  std::string const of = std::to_string(finished) + " of " + std::to_string(all) + " tasks";
  dog.require_in_time(of + " finished");
  if (finished != all) throw wrong_result("only " + of + " were executed");
}

template <task_body Body>
class scheduled_executor final : public executor {
 public:
  scheduled_executor(device& machine, compiled_graph const& graph,
                     execution_settings const& settings, Body const& body)
      : machine_(&machine),
        settings_(settings),
        body_(body),
        store_(machine, graph),
        dog_(machine, settings.blocks, settings.timeout_s) {}

  void run(trace_ref trace) override {
    store_.reset();
    machine_->launch({settings_.blocks, settings_.threads},
                     scheduled_kernel<Body>{store_.dispatch(), body_, dog_.arm(), trace});
  }
  void require_done() override { require_all(dog_, finished(), store_.graph().tasks); }
  std::uint64_t finished() override { return store_.words().finished; }
  std::uint64_t put_backs() override { return store_.words().put_backs; }
  std::size_t bytes() const override { return store_.bytes(); }
  std::size_t launches() const override { return 1; }
  kernel_facts facts() const override {
    return machine_->facts<scheduled_kernel<Body>>(settings_.threads);
  }

 private:
  device* machine_;
  execution_settings settings_;
  Body body_;
  graph_store store_;
  watchdog dog_;
};

}  // namespace detail

/// Throws usage_error for settings out of range.
template <task_body Body>
void require_launchable(execution_settings const& settings) {
  if (settings.blocks < 1)
    throw usage_error("--workers: expected at least 1, got " + std::to_string(settings.blocks));
  if (settings.threads < 1 || settings.threads > max_threads_of_body<Body>()) {
    throw usage_error("--threads: expected 1 to " + std::to_string(max_threads_of_body<Body>()) +
                      " threads per block, got " + std::to_string(settings.threads));
  }
}

/// Prepares a graph and the body of its tasks to run. The machine must outlive the executor. Throws
/// as require_launchable does.
template <task_body Body>
std::unique_ptr<executor> make_executor(device& machine, compiled_graph const& graph,
                                        execution_settings const& settings, Body const& body) {
  require_launchable<Body>(settings);
  return std::make_unique<detail::scheduled_executor<Body>>(machine, graph, settings, body);
}

}  // namespace gridloom::tiled_qr::general
