#pragma once
// All levels of a task graph in one persistent kernel, with a barrier of the grid or of a cluster
// after each level and one block per task. The header launches kernels (gridloom_kernel_sources).
//
// Rules of order, cited where they are served:
// BL.R1. A task sees what earlier levels wrote: the barrier orders all accesses before it against
//     all later ones. Before the barrier, a block reads only what no launch writes.
// BL.R2. When time is up, all blocks leave at the same barrier: SR.R1 to SR.R3 of stop_rule.hpp.
//     Until then they execute whole levels, except the last one, which no task waits for. So no
//     block executes a task whose predecessors were left out.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gridloom/device.hpp"
#include "gridloom/taskgraph/block_task.hpp"
#include "gridloom/taskgraph/cluster.hpp"
#include "gridloom/taskgraph/executed_counts.hpp"
#include "gridloom/taskgraph/one_launch.hpp"
#include "gridloom/taskgraph/rivals/barriers.hpp"
#include "gridloom/taskgraph/rivals/device_levels.hpp"
#include "gridloom/taskgraph/rivals/stop_rule.hpp"
#include "gridloom/taskgraph/task_watch.hpp"
#include "gridloom/taskgraph/worker_places.hpp"
#include "gridloom/watchdog.hpp"

namespace gridloom {

template <block_tasks Tasks, class Barrier>
struct level_barrier_kernel {
  static constexpr bool persistent = true;
  static constexpr int max_threads = Tasks::max_threads;
  static constexpr int min_blocks = least_blocks_of<Tasks>();
  struct scratch {
    typename Tasks::scratch tasks;
    int worker;
    /// Whether time is up, at index task % 2: fast threads may be one task ahead.
    bool late[2];
  };

  Tasks tasks;
  std::uint32_t const* numbers;
  /// Array of number of levels + 1 places: the first task of each level in `numbers`, and the end.
  std::uint32_t const* first;
  std::uint32_t levels;
  /// The first level that is not run (BL.R2); `no_task` before a run.
  std::uint32_t* stop_level;
  /// Array of one count per worker: the tasks that it executed in this run.
  std::uint32_t* executed;
  watchdog_ref dog;
  trace_ref trace;
  worker_places_ref where;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block grid_block, scratch& shared) const {
    auto const block = as_worker(grid_block, where, shared.worker);
    direct_memory memory;
    watch patience(dog, block.index(), true);
    bool const asks = is_first_of_grid(block);
    wave_stop stop(1);
    auto const me = static_cast<std::uint32_t>(block.index());
    auto const step = static_cast<std::uint32_t>(block.count());
    bool const leads = block.thread_rank() == 0;
    task_watch own_time(patience);
    std::uint32_t done = 0;
    next_task<Tasks> next(tasks, numbers, me, first[1]);
    for (std::uint32_t level = 0; level < levels; ++level) {
      stop.look(memory, stop_level, level);  // BL.R2
      bool late = false;
      while (next.exists() && !late) {
        if (leads)
          shared.late[done & 1U] =
              level + 1 == levels && own_time.stops(memory, level, done, levels);  // BL.R2
        next.execute(block, tasks, shared.tasks, trace.on(),
                     [&](trace_event const& event) { trace.record(block.index(), event); });
        late = shared.late[done & 1U];
        ++done;
        next.advance(tasks, numbers, step);
      }
      if (level + 1 == levels) break;
      next.move_to(tasks, numbers, first[level + 1] + me, first[level + 2]);  // BL.R1
      stop.ask(memory, stop_level, asks, patience, level, levels);            // BL.R2
      Barrier::meet(block);                                                   // BL.R1, BL.R2
      if (stop.leaves(level)) break;                                          // BL.R2
    }
    if (leads) executed[block.index()] = done;
  }
};

/// Executor with all levels in one kernel. With cluster_barrier, the grid is one cluster.
template <block_tasks Tasks, class Barrier = grid_barrier>
class level_barriers final : public one_launch<level_barrier_kernel<Tasks, Barrier>> {
  using kernel = level_barrier_kernel<Tasks, Barrier>;
  using base = one_launch<kernel>;
  static constexpr bool is_cluster = std::is_same_v<Barrier, cluster_barrier>;

 public:
  /// Throws usage_error for settings out of range, grid_error if no block fits, and for a cluster
  /// as prepare_cluster does. 0 workers are the largest cluster.
  level_barriers(device& machine, std::shared_ptr<device_levels const> levels, Tasks const& tasks,
                 executor_settings const& settings, graph_memory graph)
      : base(machine, sized(machine, settings)),
        graph_(std::move(graph)),
        levels_(std::move(levels)),
        tasks_(tasks),
        first_(machine.allocate_copy(levels_->first)),
        stop_level_(machine.allocate<std::uint32_t>(1)),
        executed_(machine, base::shape_.blocks),
        places_(machine, base::shape_.blocks, machine.resident_blocks<kernel>(settings.threads),
                settings) {
    machine.fill_bytes(stop_level_, 0xff);
    if constexpr (is_cluster) prepare_cluster<kernel>(machine, base::shape_);
  }

  void run(trace_ref trace) override {
    watchdog_ref const stopper = base::dog_.arm();
    if (levels_->count() == 0) return;
    kernel const whole{tasks_,
                       levels_->tasks.data(),
                       first_.data(),
                       static_cast<std::uint32_t>(levels_->count()),
                       stop_level_.data(),
                       executed_.data(),
                       stopper,
                       trace,
                       places_.ref()};
    if constexpr (is_cluster) {
      launch_as_cluster(*base::machine_, base::shape_, whole);
    } else {
      base::launch(whole);
    }
  }
  void require_done() override {
    if (base::dog_.fired()) base::machine_->fill_bytes(stop_level_, 0xff);
    require_all(base::dog_, finished(), levels_->tasks.size());
  }
  [[nodiscard]] std::uint64_t finished() override { return executed_.finished(); }
  [[nodiscard]] load_range loads() override { return executed_.loads(); }
  [[nodiscard]] std::size_t bytes() const override {
    return graph_.bytes + levels_->tasks.bytes() + first_.bytes() + stop_level_.bytes() +
           executed_.bytes() + places_.bytes();
  }
  [[nodiscard]] std::string_view placing() const override { return places_.name(); }
  [[nodiscard]] set_up_times set_up() const override { return {graph_.copy_ms, levels_->ms}; }

 private:
  static executor_settings sized(device& machine, executor_settings const& settings) {
    executor_settings fitting = settled<kernel>(machine, settings);
    if constexpr (is_cluster) {
      device_properties const& own = machine.properties();
      if (settings.workers == 0)
        fitting.workers = std::min(fitting.workers, most_cluster_blocks_of(own));
      if (std::string const why = why_no_cluster(own, fitting.workers); !why.empty())
        throw grid_error(why);
    }
    return fitting;
  }

  graph_memory graph_;
  std::shared_ptr<device_levels const> levels_;
  Tasks tasks_;
  buffer<std::uint32_t> first_, stop_level_;
  executed_counts executed_;
  worker_places places_;
};

}  // namespace gridloom
