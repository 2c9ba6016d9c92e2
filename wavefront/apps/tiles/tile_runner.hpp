#pragma once
// Host side of tile_kernels.hpp: the order of the tiles, and the ways to run them. For sources that
// launch kernels.

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "gridloom/device.hpp"
#include "gridloom/taskgraph/device_graph.hpp"
#include "published_tiles.hpp"

namespace gridloom::wavefront::tiles {

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
        levels_(is_published(how) ? listed{} : list_levels(machine, successors)),
        tiles_(machine.allocate_copy(levels_.numbers)),
        wave_offsets_(machine.allocate_copy(levels_.waves)),
        dog_(machine, shape.blocks, timeout_s) {
    if (is_published(how_)) {
      published_.emplace(machine, std::move(successors), body_, how_, shape_);
      return;
    }
    if (is_in_order()) {
      offsets_ = machine.allocate_copy(levels_.offsets);
      predecessors_ = machine.allocate_copy(levels_.predecessors);
      words_ = machine.allocate<tagged<std::uint32_t>>(levels_.numbers.size());
      machine.fill_bytes(words_, 0);
    }
    counter_ = machine.allocate<std::uint32_t>(1);
    if (how_ == tile_way::graph) recorded_ = machine.record([this] { launch_waves<false>(); });
    if (how_ == tile_way::graph_pdl) recorded_ = machine.record([this] { launch_waves<true>(); });
  }
  tile_runner(tile_runner const&) = delete;
  tile_runner& operator=(tile_runner const&) = delete;

  /// Called before each run.
  void reset() {
    stopper_ = dog_.arm();
    if (published_) return published_->reset();
    machine_.fill_bytes(counter_, is_in_order() ? 0 : 0xff);
  }
  /// May return before the device is done.
  void run() {
    if (published_) return published_->run(stopper_);
    if (is_in_order()) {
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
    } else if (how_ == tile_way::barrier) {
      machine_.launch(
          shape_, waves_of_tiles_kernel<Body>{body_, tiles_.data(), waves(), wave_offsets_.data(),
                                              counter_.data(), stopper_});
    } else if (how_ == tile_way::launches) {
      launch_waves<false>();
    } else if (how_ == tile_way::free) {
      machine_.launch(shape_,
                      wave_of_tiles_kernel<Body, false>{body_, tiles_.data(), 0,
                                                        static_cast<std::uint32_t>(tiles_.size())});
    } else {
      machine_.replay(recorded_);
    }
  }
  void require_done(std::string_view what) { dog_.require_in_time(what); }

  /// Number of levels; 0 for the published ways, which do not compute them.
  [[nodiscard]] std::uint32_t waves() const {
    return levels_.waves.empty() ? 0 : static_cast<std::uint32_t>(levels_.waves.size() - 1);
  }
  [[nodiscard]] std::uint64_t bytes() const {
    return tiles_.bytes() + wave_offsets_.bytes() + offsets_.bytes() + predecessors_.bytes() +
           words_.bytes() + counter_.bytes() + (published_ ? published_->bytes() : 0);
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

  template <bool Overlap>
  void launch_waves() {
    for (std::uint32_t wave = 0; wave < waves(); ++wave) {
      std::uint32_t const begin = levels_.waves[wave];
      std::uint32_t const end = levels_.waves[wave + 1];
      machine_.launch({std::min(static_cast<int>(end - begin), shape_.blocks), shape_.threads},
                      wave_of_tiles_kernel<Body, Overlap>{body_, tiles_.data(), begin, end});
    }
  }

  device& machine_;
  Body body_;
  tile_way how_;
  launch_shape shape_;
  listed levels_;
  buffer<std::uint32_t> tiles_, wave_offsets_;
  buffer<std::uint64_t> offsets_;
  buffer<std::uint32_t> predecessors_;
  buffer<tagged<std::uint32_t>> words_;
  /// in_order_ticket: the next round. Level by level: the level before which the run stops.
  buffer<std::uint32_t> counter_;
  std::uint32_t run_ = 0;
  launch_sequence recorded_;
  std::optional<published_tiles<Body>> published_;
  watchdog dog_;
  watchdog_ref stopper_{};
};

}  // namespace gridloom::wavefront::tiles
