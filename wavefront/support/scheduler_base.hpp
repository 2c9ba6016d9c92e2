#pragma once
// Base of the schedulers' host sides: the words of a run, and the choice of graph and probe.

#include "wavefront/support/scheduler.hpp"

namespace gridloom::wavefront {

/// Base of all schedulers that run as kernels.
class kernel_scheduler : public scheduler {
 public:
  explicit kernel_scheduler(scheduler_setup const& setup) : setup_(setup) {}

  std::uint64_t executed() override {
    return setup_.machine.copy_to_host(setup_.memory.words)[0].finished;
  }
  int units() const override { return setup_.config.blocks; }
  int observers() const override { return setup_.config.blocks; }

 protected:
  launch_shape shape() const { return {setup_.config.blocks, setup_.config.threads}; }
  std::uint32_t* dependencies() const { return setup_.memory.dependencies.data(); }
  scheduler_words* words() const { return setup_.memory.words.data(); }

  void reset_words() {
    setup_.machine.fill_bytes(setup_.memory.words, 0);
    stopper_ = setup_.dog.arm();
  }
  /// Sets every task's counter to its number of dependencies, or to `entry_mark` if it has none.
  template <class Graph>
  void count_dependencies(Graph const& graph, std::uint32_t entry_mark) {
    int const blocks =
        setup_.machine.is_host() ? 1 : 4 * setup_.machine.properties().multiprocessors;
    setup_.machine.launch({blocks, setup_.machine.is_host() ? 1 : 256},
                          count_dependencies_kernel<Graph>{graph, dependencies(), entry_mark});
  }
  std::uint64_t counter_bytes() const { return 4ULL * setup_.graph.tasks(); }

  scheduler_setup setup_;
  watchdog_ref stopper_{};
};

/// Calls `visit.template operator()<Body>()` for each type of body that the configuration allows.
template <class Visit>
void for_bodies(configuration const& config, Visit const& visit) {
  auto const among = [&]<class... Body>(std::variant<Body...> const& /*any*/) {
    auto const one = [&]<class Own>() {
      if (std::is_same_v<Own, wide_body> == config.wide_results) visit.template operator()<Own>();
    };
    (one.template operator()<Body>(), ...);
  };
  among(any_body{});
}

/// Calls `make.template operator()<Graph, Probe>(graph)` with the set-up's graph. Probe is
/// full_probe if the set-up observes, else silent_probe.
template <class Make>
std::unique_ptr<scheduler> for_graph(scheduler_setup const& setup, Make&& make) {
  return std::visit(
      [&]<class Graph>(Graph const& graph) -> std::unique_ptr<scheduler> {
        if (setup.observe) return make.template operator()<Graph, full_probe>(graph);
        return make.template operator()<Graph, silent_probe>(graph);
      },
      setup.graph.view());
}

}  // namespace gridloom::wavefront
