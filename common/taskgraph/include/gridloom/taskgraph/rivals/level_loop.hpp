#pragma once
// One kernel that runs one level, in the body of a CUDA graph's conditional node. The device counts
// the levels, so the graph has one kernel node for any number of levels. On host threads, the same
// loop launches the kernel. The header launches kernels (gridloom_kernel_sources).
//
// Rules of order, cited where they are served:
// LP.R1. A task sees what earlier levels wrote, because each pass of the loop is a launch.
// LP.R2. All threads of a pass read the words of the loop before the last block to arrive changes
//     them. A barrier of the block lies before its arrival, which releases; the last one acquires.
// LP.R3. A block that leaves a level early says so when it arrives, and the last block ends the
//     loop. So no block executes a task whose predecessors were left out.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "gridloom/atomic.hpp"
#include "gridloom/clock.hpp"
#include "gridloom/taskgraph/block_task.hpp"
#include "gridloom/taskgraph/executed_counts.hpp"
#include "gridloom/taskgraph/one_launch.hpp"
#include "gridloom/taskgraph/rivals/device_levels.hpp"
#include "gridloom/taskgraph/task_watch.hpp"
#include "gridloom/watchdog.hpp"

namespace gridloom {

/// The state of a loop. The last block of a run leaves zeros.
struct level_loop_words {
  static constexpr std::uint32_t early = std::uint32_t{1} << 16U;

  std::uint32_t level;
  /// Number of blocks that have finished the level; plus `early` for each that left tasks out.
  std::uint32_t arrived;
  /// When the time of the run is up; 0 in the first level.
  std::uint64_t end_ns;
};

template <block_tasks Tasks>
struct level_loop_kernel {
  static constexpr bool persistent = false;
  static constexpr int max_threads = Tasks::max_threads;
  static constexpr int min_blocks = least_blocks_of<Tasks>();
  struct scratch {
    typename Tasks::scratch tasks;
    /// Whether time is up, at index task % 2: fast threads may be one task ahead.
    bool late[2];
  };

  Tasks tasks;
  std::uint32_t const* numbers;
  /// Array of number of levels + 1 places: the first task of each level in `numbers`, and the end.
  std::uint32_t const* first;
  std::uint32_t levels;
  level_loop_words* words;
  /// Array of one count per block: the tasks that it executed in this run.
  std::uint32_t* executed;
  watchdog_ref dog;
  trace_ref trace;
  loop_ref loop;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    direct_memory memory;
    auto const me = static_cast<std::uint32_t>(block.index());
    bool const leads = block.thread_rank() == 0;
    std::uint32_t const level = words->level;
    std::uint64_t const begin_ns = now_ns();
    std::uint64_t const end_ns = level == 0 ? begin_ns + dog.limit_ns : words->end_ns;
    watchdog_ref rest = dog;
    rest.limit_ns = end_ns > begin_ns ? end_ns - begin_ns : 0;
    watch patience(rest, block.index(), true);
    task_watch own_time(patience);
    std::uint32_t done = 0;
    bool late = false;
    next_task<Tasks> next(tasks, numbers, first[level] + me, first[level + 1]);
    while (next.exists() && !late) {
      if (leads) shared.late[done & 1U] = own_time.stops(memory, level, done, levels);  // LP.R3
      next.execute(block, tasks, shared.tasks, trace.on(),
                   [&](trace_event const& event) { trace.record(block.index(), event); });
      late = shared.late[done & 1U];
      ++done;
      next.advance(tasks, numbers, static_cast<std::uint32_t>(block.count()));
    }
    block.sync();  // LP.R2
    if (!leads) return;
    executed[me] = level == 0 ? done : executed[me] + done;
    std::uint32_t const own = late ? 1 + level_loop_words::early : 1;                // LP.R3
    std::uint32_t const all = memory.fetch_add_acq_rel(&words->arrived, own) + own;  // LP.R2
    if (all % level_loop_words::early != static_cast<std::uint32_t>(block.count())) return;
    bool const stops = all >= level_loop_words::early || now_ns() >= end_ns;
    if (stops) {
      memory.store_relaxed(dog.stop, 1U);
      patience.note(wait_kind::own_work, level, done, levels);
    }
    if (stops || level + 1 == levels) {
      *words = {};
      end_loop(block, loop);
    } else {
      *words = {level + 1, 0, end_ns};
    }
  }
};

/// Executor of the loop. settings.workers is the number of blocks of each pass. 0 means as many as
/// the device holds at once, at most one per task of the widest level. Throws run_error if the
/// driver has no such graphs.
template <block_tasks Tasks>
class level_loop final : public one_launch<level_loop_kernel<Tasks>> {
  using kernel = level_loop_kernel<Tasks>;
  using base = one_launch<kernel>;

 public:
  level_loop(device& machine, std::shared_ptr<device_levels const> levels, Tasks const& tasks,
             executor_settings const& settings, graph_memory graph)
      : base(machine, sized(machine, *levels, settings)),
        graph_(std::move(graph)),
        levels_(std::move(levels)),
        tasks_(tasks),
        first_(machine.allocate_copy(levels_->first)),
        words_(machine.allocate<level_loop_words>(1)),
        executed_(machine, base::shape_.blocks) {
    machine.fill_bytes(words_, 0);
    record({});
  }

  void run(trace_ref trace) override {
    (void)base::dog_.arm();
    if (trace != recorded_for_) record(trace);
    if (levels_->count() != 0) base::machine_->replay(recorded_.launches);
  }
  void require_done() override { require_all(base::dog_, finished(), levels_->tasks.size()); }
  [[nodiscard]] std::uint64_t finished() override { return executed_.finished(); }
  [[nodiscard]] load_range loads() override { return executed_.loads(); }
  [[nodiscard]] std::size_t launches() const override { return levels_->count(); }
  [[nodiscard]] std::size_t bytes() const override {
    return graph_.bytes + levels_->tasks.bytes() + first_.bytes() + words_.bytes() +
           executed_.bytes() + recorded_.bytes;
  }
  [[nodiscard]] set_up_times set_up() const override {
    return {graph_.copy_ms, levels_->ms + recorded_.ms};
  }

 private:
  static executor_settings sized(device& machine, device_levels const& levels,
                                 executor_settings const& settings) {
    executor_settings fitting = settled<kernel>(machine, settings);
    std::uint32_t widest = 1;
    for (std::size_t level = 0; level < levels.count(); ++level)
      widest = std::max(widest, levels.size(level));
    auto const most = static_cast<int>(std::min(widest, level_loop_words::early - 1));
    fitting.workers = std::min(fitting.workers, most);
    return fitting;
  }
  void record(trace_ref trace) {
    recorded_for_ = trace;
    if (levels_->count() == 0) return;
    watchdog_ref const stopper = base::dog_.arm();
    recorded_ = recorded_with_costs(*base::machine_, [&] {
      return base::machine_->record_loop([&](loop_ref loop) {
        base::launch({tasks_, levels_->tasks.data(), first_.data(),
                      static_cast<std::uint32_t>(levels_->count()), words_.data(), executed_.data(),
                      stopper, trace, loop});
      });
    });
  }

  graph_memory graph_;
  std::shared_ptr<device_levels const> levels_;
  Tasks tasks_;
  buffer<std::uint32_t> first_;
  buffer<level_loop_words> words_;
  executed_counts executed_;
  recording recorded_;
  trace_ref recorded_for_;
};

}  // namespace gridloom
