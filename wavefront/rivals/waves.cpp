// The rivals that run level by level: waves_stream, waves_graph, waves_graph_pdl, waves_barrier and
// waves_cluster.

#include <algorithm>

#include "gridloom/taskgraph/rivals/level_kernels.hpp"
#include "wavefront/support/scheduler_base.hpp"

namespace gridloom::wavefront {

namespace {

template <class Waves, class Graph, class Probe>
class waves final : public body_executor {
  template <class Body, class Barrier>
  using persistent_kernel = waves_kernel<Waves, Graph, Probe, Body, Barrier>;

 public:
  /// `sizes` has the number of tasks of each level.
  waves(scheduler_setup const& setup, Graph const& graph, Waves const& levels,
        std::vector<std::uint32_t> sizes)
      : body_executor(setup),
        how_(setup.config.algorithm->by_levels.value()),
        graph_(graph),
        levels_(levels),
        sizes_(std::move(sizes)),
        words_(setup.machine.allocate<level_words>(1)) {}

  /// Records the launches with this body, unless this has been done.
  void prepare(any_body const& body, probe_ref const& observer) override {
    body_executor::prepare(body, observer);
    if (how_ == level_end::cluster_barrier) {
      with_kernel(0, [&]<class Kernel>(Kernel const&) {
        prepare_cluster<Kernel>(setup_.machine, shape());
      });
    }
    if (how_ == level_end::graph || how_ == level_end::graph_pdl) record();
  }
  /// A stream or a CUDA graph runs all launches or reports an error, so no task can be lost.
  [[nodiscard]] std::uint64_t finished() override {
    return is_persistent() ? setup_.machine.copy_to_host(words_)[0].finished : setup_.graph.tasks();
  }
  [[nodiscard]] std::size_t bytes() const override {
    bool const computed = std::is_same_v<Waves, diagonal_levels>;
    return words_.bytes() + (computed ? 0 : 4ULL * (setup_.graph.tasks() + 1));
  }
  [[nodiscard]] std::size_t launches() const override {
    return is_persistent() ? 1 : sizes_.size();
  }
  [[nodiscard]] kernel_facts facts() const override {
    return with_kernel(0, [&]<class Kernel>(Kernel const&) {
      return setup_.machine.template facts<Kernel>(setup_.config.threads);
    });
  }
  [[nodiscard]] set_up_times set_up() const override {
    return {0, setup_.graph.levels_ms() + record_ms_};
  }

 private:
  void reset_state() override {
    level_words const first{0, no_task};
    setup_.machine.copy_to_device(words_, std::span<level_words const>(&first, 1));
  }
  void launch() override {
    auto& machine = setup_.machine;
    if (how_ == level_end::cluster_barrier) {
      with_kernel(0, [&](auto const& kernel) { launch_as_cluster(machine, shape(), kernel); });
    } else if (how_ == level_end::grid_barrier) {
      with_kernel(0, [&](auto const& kernel) { machine.launch(shape(), kernel); });
    } else if (how_ == level_end::launch) {
      launch_levels();
    } else {
      record();
      machine.replay(recorded_);
    }
  }
  void record() {
    if (recorded_.launches && recorded_body_ == body_ && recorded_observer_ == observer_) return;
    // The memory of the last recording is freed first.
    recorded_ = {};
    // The upload of a CUDA graph to the device runs in the background.
    recorded_ = timed(setup_.machine, record_ms_,
                      [&] { return setup_.machine.record([&] { launch_levels(); }); });
    recorded_body_ = body_;
    recorded_observer_ = observer_;
  }
  void launch_levels() {
    auto const& config = setup_.config;
    auto const per_block = static_cast<std::uint32_t>(
        config.width == task_width::lane && !setup_.machine.is_host() ? config.threads : 1);
    for (std::uint32_t level = 0; level < sizes_.size(); ++level) {
      auto const wanted = static_cast<int>((sizes_[level] + per_block - 1) / per_block);
      with_kernel(level, [&](auto const& kernel) {
        setup_.machine.launch({std::min(wanted, config.blocks), config.threads}, kernel);
      });
    }
  }
  /// Returns visit(kernel) for the kernel of a level, or of all levels if there is only one.
  template <class Visit>
  auto with_kernel(std::uint32_t level, Visit const& visit) const {
    return std::visit(
        [&]<class Body>(Body const& own) {
          auto const width = setup_.config.width;
          if (how_ == level_end::cluster_barrier)
            return visit(persistent_kernel<Body, cluster_barrier>{
                levels_, graph_, own, width, words_.data(), stopper_, observer_});
          if (how_ == level_end::grid_barrier)
            return visit(persistent_kernel<Body, grid_barrier>{levels_, graph_, own, width,
                                                               words_.data(), stopper_, observer_});
          if (how_ == level_end::graph_pdl)
            return visit(wave_kernel<Waves, Graph, Probe, Body, true>{levels_, graph_, own, width,
                                                                      level, observer_});
          return visit(wave_kernel<Waves, Graph, Probe, Body, false>{levels_, graph_, own, width,
                                                                     level, observer_});
        },
        body_);
  }
  [[nodiscard]] bool is_persistent() const {
    return how_ == level_end::grid_barrier || how_ == level_end::cluster_barrier;
  }
  [[nodiscard]] launch_shape shape() const { return {setup_.config.blocks, setup_.config.threads}; }

  level_end how_;
  Graph graph_;
  Waves levels_;
  std::vector<std::uint32_t> sizes_;
  buffer<level_words> words_;
  launch_sequence recorded_;
  double record_ms_ = 0;
  any_body recorded_body_;
  probe_ref recorded_observer_;
};

}  // namespace

std::unique_ptr<body_executor> make_waves(scheduler_setup const& setup) {
  return for_graph(
      setup, [&]<class Graph, class Probe>(Graph const& graph) -> std::unique_ptr<body_executor> {
        auto const make = [&]<class Waves>(Waves const& levels, auto const& size) {
          std::vector<std::uint32_t> sizes;
          for (std::uint32_t w = 0; w < levels.count(); ++w) sizes.push_back(size(w));
          return std::make_unique<waves<Waves, Graph, Probe>>(setup, graph, levels,
                                                              std::move(sizes));
        };
        if constexpr (std::is_same_v<Graph, lattice>) {
          diagonal_levels const levels{graph};
          if (graph.depth() == 1) return make(levels, [&](auto w) { return levels.size(w); });
        }
        task_groups const& groups = setup.graph.levels();
        return make(listed_levels{groups.groups(), setup.graph.level_offsets().data(),
                                  setup.graph.level_tasks().data()},
                    [&](auto w) { return groups.size(w); });
      });
}

}  // namespace gridloom::wavefront
