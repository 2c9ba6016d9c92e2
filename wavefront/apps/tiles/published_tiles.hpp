#pragma once
// Tiles as tasks of the paper's schedulers: scanning, one queue, and one queue per block with the
// paper's hash a. One block runs one tile, as it runs one task in the paper. Only for sources that
// launch kernels.

#include <utility>

#include "tile_kernels.hpp"
#include "tile_way.hpp"
#include "wavefront/locked_stacks.hpp"
#include "wavefront/multi_queue.hpp"
#include "wavefront/scanning.hpp"
#include "wavefront/single_queue.hpp"
#include "wavefront/task_hash.hpp"

namespace gridloom::wavefront::tiles {

/// A tile as a task of scanning, single_queue and multi_queue.
template <tile_body Body>
struct tile_task {
  static constexpr int max_threads = Body::max_threads;
  using scratch = typename Body::scratch;

  Body body;

  GRIDLOOM_FN static bool takes_long() { return true; }
  template <thread_group Block, class Graph>
  GRIDLOOM_FN void operator()(Block const& block, Graph const&, std::uint32_t tile,
                              scratch& local) const {
    body(block, local, tile);
  }
};

[[nodiscard]] inline bool is_published(tile_way how) {
  return how == tile_way::scanning || how == tile_way::single_queue || how == tile_way::multi_queue;
}

/// Runs one body on one graph of tiles by one of the paper's schedulers. The machine must outlive
/// the object.
template <tile_body Body>
class published_tiles {
 public:
  published_tiles(device& machine, csr_graph successors, Body const& body, tile_way how,
                  launch_shape shape)
      : machine_(machine),
        graph_(machine, std::move(successors)),
        body_{body},
        how_(how),
        shape_(shape),
        queues_(how == tile_way::multi_queue ? static_cast<std::uint32_t>(shape.blocks) : 1),
        stacks_(machine, graph_, hash_a{}, queues_),
        dependencies_(machine.allocate<std::uint32_t>(graph_.tasks())),
        locks_(machine.allocate<std::uint32_t>(how == tile_way::scanning ? graph_.tasks() : 0)),
        words_(machine.allocate<scheduler_words>(1)) {}

  /// Called before each run.
  void reset() {
    machine_.fill_bytes(words_, 0);
    machine_.fill_bytes(locks_, 0);
    bool const host = machine_.is_host();
    machine_.launch({host ? 1 : 4 * machine_.properties().multiprocessors, host ? 1 : 256},
                    count_dependencies_kernel<dag_ref>{graph(), dependencies_.data(), 0});
    stacks_.reset(machine_);
  }
  /// May return before the device is done.
  void run(watchdog_ref const& dog) {
    if (how_ == tile_way::scanning) {
      machine_.launch(
          shape_, scanning_kernel<dag_ref, silent_probe, tile_task<Body>>{
                      graph(), body_, dependencies_.data(), locks_.data(), words_.data(), dog, {}});
    } else if (how_ == tile_way::single_queue) {
      machine_.launch(
          shape_, single_queue_kernel<dag_ref, silent_probe, tile_task<Body>>{graph(),
                                                                              body_,
                                                                              dependencies_.data(),
                                                                              stacks_.words(),
                                                                              stacks_.items(),
                                                                              stacks_.capacity(),
                                                                              words_.data(),
                                                                              dog,
                                                                              {}});
    } else {
      machine_.launch(shape_, multi_queue_kernel<dag_ref, silent_probe, tile_task<Body>, hash_a>{
                                  graph(),
                                  body_,
                                  dependencies_.data(),
                                  stacks_.words(),
                                  stacks_.items(),
                                  queues_,
                                  stacks_.capacity(),
                                  hash_a{},
                                  words_.data(),
                                  dog,
                                  {}});
    }
  }
  [[nodiscard]] std::uint64_t bytes() const {
    return stacks_.bytes() + dependencies_.bytes() + locks_.bytes() + words_.bytes();
  }

 private:
  dag_ref graph() const { return std::get<dag_ref>(graph_.view()); }

  device& machine_;
  device_graph graph_;
  tile_task<Body> body_;
  tile_way how_;
  launch_shape shape_;
  std::uint32_t queues_;
  locked_stacks stacks_;
  buffer<std::uint32_t> dependencies_, locks_;
  buffer<scheduler_words> words_;
};

}  // namespace gridloom::wavefront::tiles
