#pragma once
// Host side of tile_kernels.hpp: the order of the tiles, and the ways to run them. For sources that
// launch kernels.

#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "gridloom/device.hpp"
#include "gridloom/taskgraph/device_graph.hpp"
#include "gridloom/taskgraph/rivals/level_barriers.hpp"
#include "gridloom/taskgraph/rivals/level_launches.hpp"
#include "tile_kernels.hpp"
#include "tile_way.hpp"
#include "wavefront/graph_executor.hpp"

namespace gridloom::wavefront::tiles {

[[nodiscard]] inline std::optional<published_method> published_of(tile_way how) {
  if (how == tile_way::scanning) return published_method::scanning;
  if (how == tile_way::single_queue) return published_method::single_queue;
  if (how == tile_way::multi_queue) return published_method::multi_queue;
  return {};
}

/// Runs one body on one graph of tiles in one way. The machine must outlive the runner.
template <tile_body Body>
class tile_runner {
 public:
  /// `successors` must have no cycle.
  tile_runner(device& machine, csr_graph successors, Body const& body, tile_way how,
              launch_shape shape, double timeout_s)
      : machine_(machine),
        body_(body),
        how_(how),
        shape_(shape),
        levels_(published_of(how) ? listed{} : list_levels(machine, successors)),
        dog_(machine, shape.blocks, timeout_s) {
    if (auto const published = published_of(how_)) {
      executor_ = std::make_unique<graph_executor<tile_tasks<Body>>>(
          machine, std::move(successors), tile_tasks<Body>{body_}, *published,
          settings_of(timeout_s));
    } else if (is_in_order()) {
      tiles_ = machine.allocate_copy(levels_.numbers);
      offsets_ = machine.allocate_copy(levels_.offsets);
      predecessors_ = machine.allocate_copy(levels_.predecessors);
      words_ = machine.allocate<tagged<std::uint32_t>>(levels_.numbers.size());
      machine.fill_bytes(words_, 0);
      counter_ = machine.allocate<std::uint32_t>(1);
    } else {
      make_levels(timeout_s);
    }
  }
  tile_runner(tile_runner const&) = delete;
  tile_runner& operator=(tile_runner const&) = delete;

  /// Called before each run.
  void reset() {
    if (executor_) return executor_->reset();
    stopper_ = dog_.arm();
    machine_.fill_bytes(counter_, 0);
  }
  /// May return before the device is done.
  void run() {
    if (executor_) return executor_->run();
    if (++run_ == 0) {  // IO.R2 of in_order.hpp: after 2^32 runs
      machine_.fill_bytes(words_, 0);
      run_ = 1;
    }
    listed_order const order{static_cast<std::uint32_t>(tiles_.size()), tiles_.data(),
                             offsets_.data(), predecessors_.data()};
    bool const tickets = how_ == tile_way::in_order_ticket;
    in_order_ref<listed_order> const shared{order, words_.data(), run_,
                                            tickets ? counter_.data() : nullptr, !tickets};
    machine_.launch(shape_, in_order_tiles_kernel<Body>{shared, body_, stopper_});
  }
  void require_done(std::string_view what) {
    if (executor_) return executor_->require_done();
    dog_.require_in_time(what);
  }

  /// Number of levels; 0 for the published ways, which do not compute them.
  [[nodiscard]] std::uint32_t waves() const {
    return levels_.waves.empty() ? 0 : static_cast<std::uint32_t>(levels_.waves.size() - 1);
  }
  [[nodiscard]] std::uint64_t bytes() const {
    return tiles_.bytes() + offsets_.bytes() + predecessors_.bytes() + words_.bytes() +
           counter_.bytes() + (executor_ ? executor_->bytes() : 0);
  }

 private:
  struct listed {
    /// Tiles by position, level by level.
    std::vector<std::uint32_t> numbers;
    /// Array of number of levels + 1 entries: the first position of each level.
    std::vector<std::uint32_t> waves;
    /// For each position, the positions of its predecessors.
    std::vector<std::uint64_t> offsets;
    std::vector<std::uint32_t> predecessors;
  };
  static listed list_levels(device& machine, csr_graph const& successors) {
    csr_graph const before = transposed(successors);
    task_groups const levels = device_graph(machine, successors).find_levels();
    listed result{levels.tasks, levels.first, {0}, {}};
    std::vector<std::uint32_t> position_of(levels.tasks.size());
    for (std::uint32_t p = 0; p < levels.tasks.size(); ++p) position_of[levels.tasks[p]] = p;
    for (std::uint32_t const tile : levels.tasks) {
      for (std::uint32_t const predecessor : before.of(tile))
        result.predecessors.push_back(position_of[predecessor]);
      result.offsets.push_back(result.predecessors.size());
    }
    return result;
  }

  bool is_in_order() const {
    return how_ == tile_way::in_order || how_ == tile_way::in_order_ticket;
  }

  [[nodiscard]] executor_settings settings_of(double timeout_s) const {
    return {shape_.blocks, shape_.threads, timeout_s, worker_placing::blocks};
  }
  void make_levels(double timeout_s) {
    bool const is_free = how_ == tile_way::free;
    auto const all = static_cast<std::uint32_t>(levels_.numbers.size());
    auto levels = std::make_shared<device_levels const>(machine_, [&] {
      return task_groups{levels_.numbers, is_free ? std::vector{0U, all} : levels_.waves};
    });
    tile_tasks<Body> const tasks{body_};
    executor_settings const settings = settings_of(timeout_s);
    using plain = level_launches<tile_tasks<Body>, false>;
    using overlapping = level_launches<tile_tasks<Body>, true>;
    if (how_ == tile_way::barrier) {
      executor_ = std::make_unique<level_barriers<tile_tasks<Body>>>(machine_, levels, tasks,
                                                                     settings, graph_memory{});
    } else if (how_ == tile_way::graph_pdl) {
      executor_ =
          std::make_unique<overlapping>(machine_, levels, tasks, settings, graph_memory{}, true);
    } else {
      executor_ = std::make_unique<plain>(machine_, levels, tasks, settings, graph_memory{},
                                          how_ == tile_way::graph);
    }
  }

  device& machine_;
  Body body_;
  tile_way how_;
  launch_shape shape_;
  listed levels_;
  buffer<std::uint32_t> tiles_;
  buffer<std::uint64_t> offsets_;
  buffer<std::uint32_t> predecessors_;
  buffer<tagged<std::uint32_t>> words_;
  /// in_order_ticket: the next round.
  buffer<std::uint32_t> counter_;
  std::uint32_t run_ = 0;
  /// For published ways and those that run level by level.
  std::unique_ptr<executor> executor_;
  watchdog dog_;
  watchdog_ref stopper_{};
};

}  // namespace gridloom::wavefront::tiles
