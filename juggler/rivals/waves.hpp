#pragma once
// What a user would write without a runtime: execute all tasks of one depth (a wave), then all of
// the next. There are four methods:
//
//  barriers   launches one wave after another;
//  graph      replays these launches as a CUDA graph;
//  graph_pdl  adds programmatic dependent launch: blocks of a wave start while the last wave runs;
//  grid_sync  is a single launch with a barrier of the whole grid after each wave.
//
// Rules of order, cited where they are served:
// WV.R1. A task sees what earlier waves wrote. The end of a launch orders all its accesses before
//        those of the next. With programmatic launch, the next launch waits for that end before its
//        first task. Before that it reads only the tasks themselves, which no launch writes. In a
//        single launch, the barrier of the grid orders the accesses.
// WV.R2. When time is up, all blocks leave at the same barrier, so none waits there alone. The
//        block that notices executes no more of its wave. Before the barrier at the wave's end, it
//        writes the wave and the run to a word. All blocks read the word after that barrier. A
//        block may also read the word early, between two barriers, but then it has finished another
//        wave and continues.
// WV.R3. No block executes a task whose parents were left out: an unfinished wave is last (WV.R2).
// WV.R4. The word is not reset: it names the run, and runs follow each other.
// WV.R5. On host threads, a block of wave_kernel checks the time before each task. Once the
//        deadline has passed, every later check finds so. So no block executes a task whose parents
//        were left out.

#include <type_traits>

#include "juggler/ours/worker_places.hpp"
#include "juggler/rivals/execute.hpp"

namespace gridloom::juggler {

/// Executes the tasks of one wave, with any number of blocks.
template <application App, bool Overlap>
struct wave_kernel {
  static constexpr bool persistent = false;
  static constexpr bool overlaps_previous = Overlap;
  static constexpr int max_threads = App::max_threads;
  static constexpr int min_blocks = least_blocks_of<App>();
  using scratch = typename App::scratch;

  app_context_ref<typename App::task_data> tasks;
  App app;
  /// Array of the wave's task numbers.
  std::uint32_t const* numbers;
  std::uint32_t size;
  /// One word: the number of tasks finished in all runs.
  std::uint64_t* finished;
  trace_ref trace;
  /// On host threads: the end of the run (WV.R5). Null on a GPU, where a launch cannot be stopped.
  std::uint64_t const* deadline_ns;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& own) const {
    auto k = static_cast<std::uint32_t>(block.index());
    listed_task<typename App::task_data> next{};
    if (k < size) next.read(tasks, numbers + k);
    if constexpr (Overlap) block.wait_for_previous_launch();  // WV.R1
    std::uint64_t executed = 0;
    while (k < size) {
      if constexpr (std::is_base_of_v<thread_of_one, Block>) {
        if (deadline_ns != nullptr && now_ns() >= *deadline_ns) break;  // WV.R5
      }
      execute_task(block, app, next, own, trace.on(),
                   [&](trace_event const& event) { trace.record_among(block.index(), event); });
      ++executed;
      k += static_cast<std::uint32_t>(block.count());
      if (k < size) next.read(tasks, numbers + k);
    }
    if (block.thread_rank() == 0) direct_memory{}.fetch_add_relaxed(finished, executed);
  }
};

/// View of all waves, for a single launch.
struct waves_view {
  std::uint32_t const* numbers;
  /// Array of waves + 1 places: the beginning of each wave in the list of tasks, and the end.
  std::uint32_t const* first;
  std::uint32_t waves;
  std::uint32_t run;
  /// One word: a run (high half), and the wave after which the run ends because time is up (WV.R2).
  std::uint64_t* last;
  /// Array of one word per worker: the number of tasks that it executed in this run.
  std::uint32_t* executed;

  [[nodiscard]] GRIDLOOM_FN std::uint64_t ends_after(std::uint32_t wave) const {
    return std::uint64_t{run} << 32U | wave;
  }
};

/// Executes all waves in one launch.
template <application App>
struct grid_sync_kernel {
  static constexpr bool persistent = true;
  static constexpr int max_threads = App::max_threads;
  static constexpr int min_blocks = least_blocks_of<App>();
  struct scratch {
    typename App::scratch app;
    /// Whether time is up, at index task % 2: fast threads may be one task ahead.
    bool late[2];
    int worker;
  };

  waves_view view;
  app_context_ref<typename App::task_data> tasks;
  App app;
  watchdog_ref dog;
  trace_ref trace;
  worker_places_ref where;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block grid_block, scratch& own) const {
    auto const block = as_worker(grid_block, where, own.worker);
    direct_memory memory;
    watch patience(dog, block.index(), true);
    task_watch own_time(patience);
    bool const leads = block.thread_rank() == 0;
    auto const me = static_cast<std::uint32_t>(block.index());
    std::uint32_t executed = 0;
    std::uint32_t place = me;
    std::uint32_t end = view.first[1];
    listed_task<typename App::task_data> next{};
    if (place < end) next.read(tasks, view.numbers + place);
    for (std::uint32_t wave = 0;; ++wave) {
      bool late = false;
      while (place < end && !late) {
        if (leads) own.late[executed & 1U] = own_time.stops(memory, wave, executed, tasks.tasks);
        execute_task(block, app, next, own.app, trace.on(),
                     [&](trace_event const& event) { trace.record(block.index(), event); });
        late = own.late[executed & 1U];
        ++executed;
        place += static_cast<std::uint32_t>(block.count());
        if (place < end) next.read(tasks, view.numbers + place);
      }
      if (wave + 1 == view.waves) break;
      // Reads the next wave's first task before the barrier.
      place = end + me;
      end = view.first[wave + 2];
      if (place < end) next.read(tasks, view.numbers + place);
      // A worker without a task in this wave checks the time, too.
      if (leads && (late || own_time.stops(memory, wave, executed, tasks.tasks)))
        memory.store_relaxed(view.last, view.ends_after(wave));               // WV.R2
      block.grid_sync();                                                      // WV.R1, WV.R2
      if (memory.load_relaxed(view.last) != view.ends_after(wave)) continue;  // WV.R3, WV.R4
      if (leads && !late) patience.note(wait_kind::barrier, wave, wave + 1, view.waves);
      break;
    }
    if (leads) view.executed[block.index()] = executed;
  }
};

}  // namespace gridloom::juggler
