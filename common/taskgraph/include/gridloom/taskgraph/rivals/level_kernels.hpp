#pragma once
// Level by level, as a user would write it without a task scheduler. A barrier separates two levels
// (the paper's waves). It is the end of a kernel, with one launch per level on a stream or in a
// CUDA graph. Or it is a barrier of the grid or of a cluster inside one persistent kernel.
//
// Rules of order, cited where they are served:
// LV.R1. A task sees the results of all earlier levels. The end of a kernel and the barrier of the
//     grid order all accesses before them against all later ones. The barrier of a cluster orders
//     the accesses of the cluster's threads, which are all threads of the launch.
// LV.R2. All blocks leave at the same barrier: SR.R1 to SR.R3 of stop_rule.hpp.
// LV.R3. Before a level begins, a group reads the data of its first task that no launch writes: the
//     list of levels and the graph. It reads results only after the barrier.

#include "gridloom/taskgraph/levels.hpp"
#include "gridloom/taskgraph/probe.hpp"
#include "gridloom/taskgraph/rivals/barriers.hpp"
#include "gridloom/taskgraph/rivals/next_launch.hpp"
#include "gridloom/taskgraph/rivals/stop_rule.hpp"
#include "gridloom/taskgraph/task_body.hpp"
#include "gridloom/watchdog.hpp"

namespace gridloom {

/// Words of a run with all levels in one kernel. Each has its own cache line.
struct level_words {
  /// Number of tasks executed.
  alignas(line_bytes) std::uint32_t finished;
  /// The first level that is not run (stop_rule.hpp); `no_task` at first.
  alignas(line_bytes) std::uint32_t stop_level;
};

/// Index of a group in a trace: that of the thread, or of the block if a block executes a task.
template <thread_group Block>
GRIDLOOM_FN int observer_of(Block const& block, task_width width) {
  return width == task_width::lane ? block.thread().index() : block.index();
}

/// The data of a group's first task in a level that may be read before the level begins (LV.R3).
template <task_graph Graph>
struct first_of_wave {
  /// Number of tasks of the level.
  std::uint32_t size = 0;
  /// The group's place in the level. It has a task there if the place is below `size`.
  std::uint32_t k = 0;
  std::uint32_t task = no_task;
  /// The predecessors whose results the task reads.
  first_read<decltype(Graph{}.predecessors(0))> from{};
};

template <class Waves, task_graph Graph, class Body, thread_group Block>
GRIDLOOM_FN first_of_wave<Graph> read_first(Block const& block, Waves const& waves,
                                            std::uint32_t wave, Graph const& graph,
                                            Body const& body, task_width width) {
  first_of_wave<Graph> mine;
  mine.size = waves.size(wave);
  bool const lane = width == task_width::lane;
  mine.k = static_cast<std::uint32_t>(lane ? block.thread().index() : block.index());
  if (mine.k >= mine.size) return mine;
  mine.task = waves.task(wave, mine.k);
  if (!body.needs_results() || (!lane && block.thread_rank() != 0)) return mine;
  mine.from = first_read(graph.predecessors(mine.task));
  return mine;
}

/// Runs the body of a task that read_first() has read.
template <thread_group Group, task_graph Graph, class Body>
GRIDLOOM_FN void run_first(Group const& group, Graph const& graph, Body const& body,
                           first_of_wave<Graph> const& mine) {
  if constexpr (Body::needs_results()) {
    if (group.thread_rank() == 0) body.gather(mine.task, mine.from);
  } else {
    body(group, graph, mine.task);
  }
}

/// Runs all tasks of one level, spread over the grid. Returns the number of tasks that this thread
/// has to count.
template <class Waves, task_graph Graph, class Body, class Probe, thread_group Block>
GRIDLOOM_FN std::uint32_t run_wave(Block const& block, Waves const& waves, std::uint32_t wave,
                                   Graph const& graph, Body const& body, task_width width,
                                   Probe& probe, first_of_wave<Graph> const& mine) {
  if (mine.k >= mine.size) return 0;
  if (width == task_width::lane) {
    thread_of_one const self(0, 1);
    probe.begin(mine.task);
    run_first(self, graph, body, mine);
    probe.end(mine.task);
    std::uint32_t executed = 1;
    auto const step = static_cast<std::uint32_t>(block.thread().count());
    for (std::uint32_t k = mine.k + step; k < mine.size; k += step) {
      std::uint32_t const task = waves.task(wave, k);
      probe.begin(task);
      body(self, graph, task);
      probe.end(task);
      ++executed;
    }
    return executed;
  }
  bool const first_thread = block.thread_rank() == 0;
  std::uint32_t executed = 0;
  auto const by_block = [&](std::uint32_t task, auto const& run) {
    if (first_thread) probe.begin(task);
    run();
    block.sync();
    if (!first_thread) return;
    probe.end(task);
    ++executed;
  };
  by_block(mine.task, [&] { run_first(block, graph, body, mine); });
  auto const step = static_cast<std::uint32_t>(block.count());
  for (std::uint32_t k = mine.k + step; k < mine.size; k += step) {
    std::uint32_t const task = waves.task(wave, k);
    by_block(task, [&] { body(block, graph, task); });
  }
  return executed;
}

/// One launch per level. With `Overlap`, programmatic dependent launch hides the launch latency of
/// a level behind the previous level.
template <class Waves, task_graph Graph, class Probe, class Body, bool Overlap>
struct wave_kernel {
  static constexpr bool persistent = false;
  static constexpr bool overlaps_previous = Overlap;
  static constexpr bool on_host = false;
  using scratch = no_scratch;

  Waves waves;
  Graph graph;
  Body body;
  task_width width;
  std::uint32_t wave;
  probe_ref observer;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    if constexpr (Overlap) let_next_launch_begin();
    auto const mine = read_first(block, waves, wave, graph, body, width);  // LV.R3
    if constexpr (Overlap) block.wait_for_previous_launch();               // LV.R1
    Probe probe(observer, observer_of(block, width));
    run_wave(block, waves, wave, graph, body, width, probe, mine);
    probe.flush();
  }
};

/// All levels in one persistent kernel, with a barrier after each.
template <class Waves, task_graph Graph, class Probe, class Body, class Barrier>
struct waves_kernel {
  static constexpr bool persistent = true;
  /// Levels of short tasks between two looks at the word of LV.R2.
  static constexpr std::uint32_t waves_per_look = 16;
  using scratch = no_scratch;

  Waves waves;
  Graph graph;
  Body body;
  task_width width;
  level_words* words;
  watchdog_ref dog;
  probe_ref observer;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    Probe probe(observer, observer_of(block, width));
    watch patience(dog, block.index(), body.takes_long());
    bool const asks = is_first_of_grid(block);
    wave_stop stop(body.takes_long() ? 1 : waves_per_look);
    std::uint32_t executed = 0;
    auto mine = read_first(block, waves, 0, graph, body, width);
    for (std::uint32_t wave = 0; wave < waves.count(); ++wave) {
      stop.look(probe, &words->stop_level, wave);  // LV.R2
      executed += run_wave(block, waves, wave, graph, body, width, probe, mine);
      if (wave + 1 < waves.count())
        mine = read_first(block, waves, wave + 1, graph, body, width);           // LV.R3
      stop.ask(probe, &words->stop_level, asks, patience, wave, waves.count());  // LV.R2
      Barrier::meet(block);                                                      // LV.R1, LV.R2
      if (stop.leaves(wave)) break;                                              // LV.R2
    }
    probe.fetch_add_relaxed(&words->finished, executed);
    probe.flush();
  }
};

}  // namespace gridloom
