// Host side of the rivals that run level by level: waves_stream, waves_graph, waves_graph_pdl,
// waves_barrier and waves_cluster.

#include <algorithm>
#include <chrono>

#include "gridloom/taskgraph/rivals/level_kernels.hpp"
#include "wavefront/support/scheduler_base.hpp"

namespace gridloom::wavefront {

namespace {

template <class Waves, class Graph, class Probe>
class waves_scheduler : public kernel_scheduler {
  template <class Body, class Barrier>
  using persistent_kernel = waves_kernel<Waves, Graph, Probe, Body, Barrier>;

 public:
  waves_scheduler(scheduler_setup const& setup, Waves const& waves, Graph const& graph)
      : kernel_scheduler(setup),
        how_(setup.config.algorithm->by_levels.value()),
        waves_(waves),
        graph_(graph),
        words_(setup.machine.allocate<level_words>(1)) {
    auto const& graph_levels = setup.graph;
    bool const computed = std::is_same_v<Waves, diagonal_levels>;
    list_bytes_ = computed ? 0 : 4ULL * (graph_levels.tasks() + 1);
    if (how_ != level_end::cluster_barrier) return;
    for_bodies(setup.config, [&]<class Body>() {
      prepare_cluster<persistent_kernel<Body, cluster_barrier>>(setup_.machine, shape());
    });
  }

  void reset() override {
    stopper_ = setup_.dog.arm();
    level_words const first{0, no_task};
    setup_.machine.copy_to_device(words_, std::span<level_words const>(&first, 1));
  }

  /// Records the launches with this body, unless this has been done.
  void prepare(any_body const& body, probe_ref const& observer) override {
    bool const overlaps = how_ == level_end::graph_pdl;
    if (how_ != level_end::graph && !overlaps) return;
    if (recorded_.launches && recorded_body_ == body && recorded_observer_ == observer) return;
    // The memory of the last recording is freed first.
    recorded_ = {};
    auto const begin = std::chrono::steady_clock::now();
    recorded_ = setup_.machine.record(
        [&] { overlaps ? launch_all<true>(body, observer) : launch_all<false>(body, observer); });
    // The upload of a CUDA graph to the device runs in the background.
    setup_.machine.synchronize();
    record_ms_ =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    recorded_body_ = body;
    recorded_observer_ = observer;
  }

  void run(any_body const& body, probe_ref const& observer) override {
    auto& machine = setup_.machine;
    if (is_persistent()) {
      std::visit(
          [&](auto const& own) {
            if (how_ == level_end::cluster_barrier)
              launch_as_cluster(machine, shape(), persistent<cluster_barrier>(own, observer));
            else
              machine.launch(shape(), persistent<grid_barrier>(own, observer));
          },
          body);
    } else if (how_ == level_end::launch) {
      launch_all<false>(body, observer);
    } else {
      prepare(body, observer);
      machine.replay(recorded_);
    }
  }

  /// A stream or a CUDA graph runs all launches or reports an error, so no task can be lost.
  std::uint64_t executed() override {
    return is_persistent() ? setup_.machine.copy_to_host(words_)[0].finished : setup_.graph.tasks();
  }
  std::uint64_t bytes() const override { return list_bytes_ + words_.bytes(); }
  int units() const override {
    return setup_.config.width == task_width::lane ? setup_.config.blocks * setup_.config.threads
                                                   : setup_.config.blocks;
  }
  int observers() const override { return units(); }
  double record_ms() const override { return record_ms_; }

 private:
  bool is_persistent() const {
    return how_ == level_end::grid_barrier || how_ == level_end::cluster_barrier;
  }
  template <class Barrier, class Body>
  persistent_kernel<Body, Barrier> persistent(Body const& body, probe_ref const& observer) {
    return {waves_, graph_, body, setup_.config.width, words_.data(), stopper_, observer};
  }
  template <bool Overlap>
  void launch_all(any_body const& body, probe_ref const& observer) {
    std::visit([&](auto const& own) { launch_waves<Overlap>(own, observer); }, body);
  }
  template <bool Overlap, class Body>
  void launch_waves(Body const& body, probe_ref const& observer) {
    auto const& config = setup_.config;
    auto const per_block = static_cast<std::uint32_t>(
        config.width == task_width::lane && !setup_.machine.is_host() ? config.threads : 1);
    for (std::uint32_t wave = 0; wave < count_; ++wave) {
      auto const wanted = (sizes_[wave] + per_block - 1) / per_block;
      int const blocks = static_cast<int>(
          std::min<std::uint32_t>(wanted, static_cast<std::uint32_t>(config.blocks)));
      setup_.machine.launch({blocks, config.threads},
                            wave_kernel<Waves, Graph, Probe, Body, Overlap>{
                                waves_, graph_, body, config.width, wave, observer});
    }
  }

 public:
  /// Sizes of the levels, known on the host.
  void set_sizes(std::vector<std::uint32_t> sizes) {
    sizes_ = std::move(sizes);
    count_ = static_cast<std::uint32_t>(sizes_.size());
  }

 private:
  level_end how_;
  Waves waves_;
  Graph graph_;
  buffer<level_words> words_;
  std::uint64_t list_bytes_ = 0;
  std::uint32_t count_ = 0;
  std::vector<std::uint32_t> sizes_;
  launch_sequence recorded_;
  double record_ms_ = 0;
  any_body recorded_body_;
  probe_ref recorded_observer_;
};

}  // namespace

std::unique_ptr<scheduler> make_waves(scheduler_setup const& setup) {
  bool const diagonal = setup.graph.is_lattice() && setup.graph.shape().depth() == 1;
  return for_graph(
      setup, [&]<class Graph, class Probe>(Graph const& graph) -> std::unique_ptr<scheduler> {
        std::vector<std::uint32_t> sizes;
        if constexpr (std::is_same_v<Graph, lattice>) {
          if (diagonal) {
            diagonal_levels const waves{graph};
            for (std::uint32_t w = 0; w < waves.count(); ++w) sizes.push_back(waves.size(w));
            auto result = std::make_unique<waves_scheduler<diagonal_levels, Graph, Probe>>(
                setup, waves, graph);
            result->set_sizes(std::move(sizes));
            return result;
          }
        }
        task_groups const& levels = setup.graph.levels();
        for (std::uint32_t w = 0; w < levels.groups(); ++w) sizes.push_back(levels.size(w));
        listed_levels const waves{static_cast<std::uint32_t>(sizes.size()),
                                  setup.graph.level_offsets().data(),
                                  setup.graph.level_tasks().data()};
        auto result =
            std::make_unique<waves_scheduler<listed_levels, Graph, Probe>>(setup, waves, graph);
        result->set_sizes(std::move(sizes));
        return result;
      });
}

}  // namespace gridloom::wavefront
