#include "rivals/level_launches.hpp"

#include <algorithm>
#include <limits>

#include "rivals/schedulers.hpp"
#include "tiled_qr/levels.hpp"
#include "tiled_qr/scheduler.hpp"

namespace gridloom::tiled_qr {

namespace {

template <class T, bool Overlap>
class level_launches final : public scheduler<T> {
 public:
  level_launches(scheduler_setup const& setup, bool as_graph)
      : setup_(setup),
        as_graph_(as_graph),
        levels_(levels_of(setup.cut)),
        numbers_(setup.machine.allocate_copy(levels_.tasks)) {
    // The host's copy is no longer needed.
    levels_.tasks = {};
  }

  void reset() override {}
  /// Records the launches, unless they are recorded for this state already.
  void prepare(run_state<T> const& state) override {
    if (!as_graph_) return;
    // The rest of the state belongs to this scheduler and does not change.
    if (recorded_.launches && matrix_ == state.matrix && trace_ == state.trace) return;
    recorded_ = setup_.machine.record([&] { launch_all(state); });
    matrix_ = state.matrix;
    trace_ = state.trace;
  }
  void run(run_state<T> const& state) override {
    if (!as_graph_) return launch_all(state);
    prepare(state);
    setup_.machine.replay(recorded_);
  }
  [[nodiscard]] kernel_facts facts() const override {
    return for_tile(setup_.cut, [&]<int MaxTile>() {
      return setup_.machine.facts<level_kernel<T, MaxTile, Overlap>>(setup_.settings.threads);
    });
  }
  [[nodiscard]] std::size_t bytes() const override { return numbers_.bytes(); }

 private:
  void launch_all(run_state<T> const& state) {
    // A trace has room for only `blocks` workers.
    bool const bounded =
        setup_.machine.is_host() || setup_.settings.bounded_steps || state.trace.on();
    auto const most = static_cast<std::size_t>(bounded ? setup_.settings.blocks
                                                       : std::numeric_limits<int>::max());
    for_tile(setup_.cut, [&]<int MaxTile>() {
      for (std::size_t level = 0; level < levels_.groups(); ++level) {
        std::size_t const size = levels_.size(level);
        int const blocks = static_cast<int>(std::min(size, most));
        setup_.machine.launch(
            {blocks, setup_.settings.threads},
            level_kernel<T, MaxTile, Overlap>{state, numbers_.data() + levels_.first[level],
                                              static_cast<std::uint32_t>(size)});
      }
    });
  }

  scheduler_setup setup_;
  bool as_graph_;
  task_lists levels_;
  buffer<std::uint32_t> numbers_;
  launch_sequence recorded_;
  tiled_matrix_ref<T> matrix_{};
  trace_ref trace_;
};

}  // namespace

template <class T>
std::unique_ptr<scheduler<T>> make_launches(scheduler_setup const& setup) {
  return std::make_unique<level_launches<T, false>>(setup, false);
}
template <class T>
std::unique_ptr<scheduler<T>> make_graph(scheduler_setup const& setup) {
  return std::make_unique<level_launches<T, false>>(setup, true);
}
template <class T>
std::unique_ptr<scheduler<T>> make_graph_pdl(scheduler_setup const& setup) {
  return std::make_unique<level_launches<T, true>>(setup, true);
}

template std::unique_ptr<scheduler<float>> make_launches(scheduler_setup const&);
template std::unique_ptr<scheduler<double>> make_launches(scheduler_setup const&);
template std::unique_ptr<scheduler<float>> make_graph(scheduler_setup const&);
template std::unique_ptr<scheduler<double>> make_graph(scheduler_setup const&);
template std::unique_ptr<scheduler<float>> make_graph_pdl(scheduler_setup const&);
template std::unique_ptr<scheduler<double>> make_graph_pdl(scheduler_setup const&);

}  // namespace gridloom::tiled_qr
