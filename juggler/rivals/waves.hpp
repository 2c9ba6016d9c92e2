#pragma once
// What a user would write without a runtime: all tasks of one depth, then all of the next. Waves are
// launched one after the other (barriers), or are nodes of a CUDA graph (graph); with programmatic
// dependent launch the blocks of a wave come to the multiprocessors while the wave before still runs
// (graph_pdl). Or one launch does all, with a barrier of its whole grid after each wave (grid_sync).
//
// Rules of order, cited where they are served:
// L1. A task sees what the waves before wrote: the end of a launch orders all its accesses before
//     those of the next, and by programmatic launch the next waits for that end before its first task.
//     What it reads earlier, its tasks themselves, no launch writes. In one launch the barrier of the
//     grid orders the accesses.
// L2. Where time is up all blocks leave at the same barrier, so none waits there alone. Who finds it
//     executes no more of its wave, and names the wave and the run before the barrier at its end.
//     All read the word after that barrier. A block that is still between the barrier before and its
//     reading may see it, too: the wave that is named is not the one that it has behind itself.
// L3. Nobody executes a task whose parents were left out: a wave that was not finished is the last
//     (L2).
// L4. The word is not reset: it names the run, and runs follow each other.
// L5. On host threads, a block of wave_kernel looks at the time before each task. Once the deadline has passed, no later
//     look finds another answer, so no block executes a task whose parents were left out.

#include <type_traits>

#include "juggler/ours/worker_places.hpp"
#include "juggler/rivals/execute.hpp"

namespace gridloom::juggler {

/// The tasks of one wave, by as many blocks as there are.
template <application App, bool Overlap>
struct wave_kernel {
  static constexpr bool persistent = false;
  static constexpr bool overlaps_previous = Overlap;
  static constexpr int max_threads = App::max_threads;
  static constexpr int min_blocks = least_blocks_of<App>();
  using scratch = typename App::scratch;

  app_context_ref<typename App::task_data> tasks;
  App app;
  /// Numbers of the wave's tasks.
  std::uint32_t const* numbers;
  std::uint32_t size;
  /// Of all runs.
  std::uint64_t* finished;
  trace_ref trace;
  /// On host threads: when the run is to end (L5). Null on a GPU, where a launch cannot be stopped.
  std::uint64_t const* deadline_ns;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& own) const {
    auto k = static_cast<std::uint32_t>(block.index());
    listed_task<typename App::task_data> next{};
    if (k < size) next.read(tasks, numbers + k);
    if constexpr (Overlap) block.wait_for_previous_launch();  // L1
    std::uint64_t executed = 0;
    while (k < size) {
      if constexpr (std::is_base_of_v<thread_of_one, Block>) {
        if (deadline_ns != nullptr && now_ns() >= *deadline_ns) break;  // L5
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

/// View of all waves, for one launch.
struct waves_view {
  std::uint32_t const* numbers;
  /// Where each wave begins, and the end.
  std::uint32_t const* first;
  std::uint32_t waves;
  /// Number of this run.
  std::uint32_t run;
  /// The run (high half) and the wave that is its last because time is up (L2).
  std::uint64_t* last;
  /// One a worker: tasks that it executed in this run.
  std::uint32_t* executed;

  [[nodiscard]] GRIDLOOM_FN std::uint64_t ends_after(std::uint32_t wave) const {
    return std::uint64_t{run} << 32U | wave;
  }
};

/// All waves in one launch.
template <application App>
struct grid_sync_kernel {
  static constexpr bool persistent = true;
  static constexpr int max_threads = App::max_threads;
  static constexpr int min_blocks = least_blocks_of<App>();
  struct scratch {
    typename App::scratch app;
    /// Whether time is up, in turns for one task and the next: who is quick may be a task ahead.
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
  GRIDLOOM_FN void operator()(Block of_grid, scratch& own) const {
    auto const block = as_worker(of_grid, where, own.worker);
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
      // Of the next wave: asked for before the barrier.
      place = end + me;
      end = view.first[wave + 2];
      if (place < end) next.read(tasks, view.numbers + place);
      // Also a worker that had nothing to do in this wave.
      if (leads && (late || own_time.stops(memory, wave, executed, tasks.tasks)))
        memory.store_relaxed(view.last, view.ends_after(wave));               // L2
      block.grid_sync();                                                      // L1, L2
      if (memory.load_relaxed(view.last) != view.ends_after(wave)) continue;  // L3, L4
      if (leads && !late) patience.note(wait_kind::barrier, wave, wave + 1, view.waves);
      break;
    }
    if (leads) view.executed[block.index()] = executed;
  }
};

}  // namespace gridloom::juggler
