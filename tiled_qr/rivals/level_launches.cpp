#include "gridloom/taskgraph/rivals/level_launches.hpp"

#include "rivals/level_tasks.hpp"
#include "rivals/schedulers.hpp"
#include "tiled_qr/levels.hpp"
#include "tiled_qr/scheduler.hpp"

namespace gridloom::tiled_qr {

namespace {

template <class T, int MaxTile, bool Overlap>
class launches final : public scheduler<T> {
 public:
  launches(scheduler_setup const& setup, bool as_graph)
      : machine_(setup.machine),
        as_graph_(as_graph),
        levels_(machine_, [&] { return levels_of(setup.cut); }),
        bounded_(machine_, levels_, setup.settings.threads, setup.settings.blocks),
        free_(machine_, levels_, setup.settings.threads, 0),
        is_bounded_(machine_.is_host() || setup.settings.bounded_steps) {}

  void reset() override {}
  /// Records the launches, unless they are recorded for this state already.
  void prepare(run_state<T> const& state) override {
    if (!as_graph_) return;
    // The rest of the state belongs to this scheduler and does not change.
    if (recorded_.launches && matrix_ == state.matrix && trace_ == state.trace) return;
    recorded_ = machine_.record([&] { launch_all(state); });
    matrix_ = state.matrix;
    trace_ = state.trace;
  }
  void run(run_state<T> const& state) override {
    if (!as_graph_) return launch_all(state);
    prepare(state);
    machine_.replay(recorded_);
  }
  [[nodiscard]] kernel_facts facts() const override { return free_.facts(); }
  [[nodiscard]] std::size_t bytes() const override { return levels_.tasks.bytes(); }

 private:
  void launch_all(run_state<T> const& state) {
    // A trace has one row per worker.
    auto const& launcher = is_bounded_ || state.trace.on() ? bounded_ : free_;
    for (std::size_t level = 0; level < levels_.count(); ++level)
      launcher.launch(level, {state.matrix}, &state.words->finished, state.trace);
  }

  device& machine_;
  bool as_graph_;
  device_levels levels_;
  level_launcher<level_tasks<T, MaxTile>, Overlap> bounded_, free_;
  bool is_bounded_;
  launch_sequence recorded_;
  tiled_matrix_ref<T> matrix_{};
  trace_ref trace_;
};

template <class T, bool AsGraph, bool Overlap = false>
std::unique_ptr<scheduler<T>> make(scheduler_setup const& setup) {
  return for_tile(setup.cut, [&]<int MaxTile>() -> std::unique_ptr<scheduler<T>> {
    return std::make_unique<launches<T, MaxTile, Overlap>>(setup, AsGraph);
  });
}

}  // namespace

constinit scheduling_kind const by::launches_kind{.in_float = make<float, false>,
                                                  .in_double = make<double, false>,
                                                  .waits_inside = false,
                                                  .launches_steps = true};
constinit scheduling_kind const by::graph_kind{.in_float = make<float, true>,
                                               .in_double = make<double, true>,
                                               .waits_inside = false,
                                               .launches_steps = true};
constinit scheduling_kind const by::graph_pdl_kind{.in_float = make<float, true, true>,
                                                   .in_double = make<double, true, true>,
                                                   .waits_inside = false,
                                                   .launches_steps = true};

}  // namespace gridloom::tiled_qr
