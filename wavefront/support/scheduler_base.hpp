#pragma once
// Base of the executors that run one kernel, and the choice of graph and probe. Only sources that
// launch kernels include this header.

#include "gridloom/taskgraph/cluster.hpp"
#include "wavefront/support/scheduler.hpp"

namespace gridloom::wavefront {

/// Derived has `with_kernel(visit)`, which returns visit(kernel) for the kernel of the next run. The
/// grid is one cluster if Derived has a member type `is_cluster`.
template <class Derived>
class kernel_executor : public body_executor {
 public:
  using body_executor::body_executor;

  void prepare(any_body const& body, probe_ref const& observer) override {
    body_executor::prepare(body, observer);
    if constexpr (requires { typename Derived::is_cluster; }) {
      self().with_kernel(
          [&]<class Kernel>(Kernel const&) { prepare_cluster<Kernel>(setup_.machine, shape()); });
    }
  }
  [[nodiscard]] std::uint64_t finished() override {
    return setup_.machine.copy_to_host(setup_.memory.words)[0].finished;
  }
  [[nodiscard]] kernel_facts facts() const override {
    return self().with_kernel([&]<class Kernel>(Kernel const&) {
      return setup_.machine.template facts<Kernel>(setup_.config.threads);
    });
  }

 protected:
  launch_shape shape() const { return {setup_.config.blocks, setup_.config.threads}; }
  scheduler_words* words() const { return setup_.memory.words.data(); }

  void reset_state() override { setup_.machine.fill_bytes(setup_.memory.words, 0); }
  void launch() override {
    self().with_kernel([&](auto const& kernel) {
      if constexpr (requires { typename Derived::is_cluster; })
        launch_as_cluster(setup_.machine, shape(), kernel);
      else
        setup_.machine.launch(shape(), kernel);
    });
  }

 private:
  Derived const& self() const { return static_cast<Derived const&>(*this); }
};

/// Calls `make.template operator()<Graph, Probe>(graph)` with the set-up's graph. Probe is
/// full_probe if the set-up observes, else silent_probe.
template <class Make>
std::unique_ptr<body_executor> for_graph(scheduler_setup const& setup, Make&& make) {
  return std::visit(
      [&]<class Graph>(Graph const& graph) -> std::unique_ptr<body_executor> {
        if (setup.observe) return make.template operator()<Graph, full_probe>(graph);
        return make.template operator()<Graph, silent_probe>(graph);
      },
      setup.graph.view());
}

}  // namespace gridloom::wavefront
