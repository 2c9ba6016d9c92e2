#pragma once
// One launch per level of a task graph, with one block per task: what a user would write without a
// task scheduler. The launches go to a stream, or a CUDA graph replays them. With programmatic
// dependent launch, the blocks of a level start while the previous level runs. The header launches
// kernels (gridloom_kernel_sources).
//
// Rules of order, cited where they are served:
// LL.R1. A task sees what earlier levels wrote. All accesses of a launch come before those of the
//     next. With programmatic launch, the next launch waits for the end of its predecessor before
//     its first task. Before that it reads only tasks, which no launch writes.
// LL.R2. On host threads, a block checks the time before each task. Once the deadline has passed,
//     every later check finds so. So no block executes a task whose predecessors were left out.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "gridloom/atomic.hpp"
#include "gridloom/clock.hpp"
#include "gridloom/device.hpp"
#include "gridloom/error.hpp"
#include "gridloom/taskgraph/block_task.hpp"
#include "gridloom/taskgraph/executor.hpp"
#include "gridloom/taskgraph/rivals/device_levels.hpp"
#include "gridloom/taskgraph/rivals/next_launch.hpp"

namespace gridloom {

/// Executes the tasks of one level, with any number of blocks.
template <block_tasks Tasks, bool Overlap>
struct level_kernel {
  static constexpr bool persistent = false;
  static constexpr bool overlaps_previous = Overlap;
  static constexpr int max_threads = Tasks::max_threads;
  static constexpr int min_blocks = least_blocks_of<Tasks>();
  using scratch = typename Tasks::scratch;

  Tasks tasks;
  /// Array of the numbers of the level's tasks.
  std::uint32_t const* numbers;
  std::uint32_t size;
  /// One word: the number of tasks executed in all runs.
  std::uint64_t* finished;
  trace_ref trace;
  /// On host threads: the end of the run (LL.R2). Null on a GPU, where a launch cannot be stopped.
  std::uint64_t const* deadline_ns;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    if constexpr (Overlap) let_next_launch_begin();
    auto const me = static_cast<std::uint32_t>(block.index());
    auto const step = static_cast<std::uint32_t>(block.count());
    next_task<Tasks> next(tasks, numbers, me, size);
    if constexpr (Overlap) block.wait_for_previous_launch();  // LL.R1
    while (next.exists()) {
      if constexpr (std::is_base_of_v<thread_of_one, Block>) {
        if (deadline_ns != nullptr && now_ns() >= *deadline_ns) break;  // LL.R2
      }
      next.execute(block, tasks, shared, trace.on(),
                   [&](trace_event const& event) { trace.record_among(block.index(), event); });
      next.advance(tasks, numbers, step);
    }
    // A count would hold a register while tasks run.
    std::uint64_t const executed = (next.place() - me) / step;
    if (block.thread_rank() == 0) direct_memory{}.fetch_add_relaxed(finished, executed);
  }
};

/// Tasks of several kinds, whose levels have one kind each, and one kernel per kind. `kinds` is their
/// number, `kind_of_level` points to each level's kind in host memory, and `of_kind<K>()` returns the
/// block_tasks of kind K.
template <class Tasks>
concept tasks_by_kind = requires(Tasks const tasks, std::size_t level) {
  { tasks.kind_of_level[level] } -> std::convertible_to<std::uint32_t>;
  tasks.template of_kind<Tasks::kinds - 1>();
};

/// Calls visit(kind, tasks of this kind) for all kinds, or visit(0, tasks).
template <class Tasks, class Visit>
void for_each_kind(Tasks const& tasks, Visit const& visit) {
  if constexpr (tasks_by_kind<Tasks>) {
    [&]<std::uint32_t... Kind>(std::integer_sequence<std::uint32_t, Kind...>) {
      (visit(Kind, tasks.template of_kind<Kind>()), ...);
    }
    (std::make_integer_sequence<std::uint32_t, Tasks::kinds>());
  } else {
    visit(0U, tasks);
  }
}

/// Launches single levels of a graph.
template <block_tasks Tasks, bool Overlap>
class level_launcher {
 public:
  /// At most `most_blocks` blocks per level. 0 means one block per task on a GPU, and one per
  /// processor of a host. `block_per_task`: see executor_settings.
  level_launcher(device& machine, device_levels const& levels, int threads, int most_blocks,
                 bool block_per_task = false)
      : machine_(&machine), levels_(&levels), threads_(threads), most_blocks_(most_blocks) {
    if (block_per_task && most_blocks != 0 && !machine.is_host()) {
      int const units = machine.properties().multiprocessors;
      most_resident_ = (most_blocks + units - 1) / units;
      if constexpr (!tasks_by_kind<Tasks>) {
        padding_ = machine.padding_for<level_kernel<Tasks, Overlap>>(threads, most_resident_);
        most_blocks_ = 0;
      }
    }
    if (most_blocks_ == 0)
      most_blocks_ = machine.is_host() ? machine.properties().multiprocessors
                                       : std::numeric_limits<int>::max();
  }

  [[nodiscard]] int blocks_of(std::size_t level) const {
    return static_cast<int>(std::min<std::uint32_t>(levels_->size(level), most_blocks_));
  }
  /// `finished` and `deadline_ns`: see level_kernel.
  void launch(std::size_t level, Tasks const& tasks, std::uint64_t* finished, trace_ref trace,
              std::uint64_t const* deadline_ns = nullptr) const {
    for_each_kind(tasks, [&]<class Own>(std::uint32_t kind, Own const& own) {
      if constexpr (tasks_by_kind<Tasks>) {
        if (tasks.kind_of_level[level] != kind) return;
      }
      machine_->launch({blocks_of(level), threads_, padding_},
                       level_kernel<Own, Overlap>{
                           own, levels_->tasks.data() + levels_->first[level], levels_->size(level),
                           finished, trace, machine_->is_host() ? deadline_ns : nullptr});
    });
  }
  /// The facts of the kernel with the most registers, if there are several.
  [[nodiscard]] kernel_facts facts(Tasks const& tasks = {}) const {
    kernel_facts found;
    for_each_kind(tasks, [&]<class Own>(std::uint32_t kind, Own const&) {
      auto const one = machine_->template facts<level_kernel<Own, Overlap>>(threads_);
      if (kind == 0 || one.registers > found.registers) found = one;
    });
    if (padding_ != 0) found.blocks_per_multiprocessor = most_resident_;
    return found;
  }

 private:
  device* machine_;
  device_levels const* levels_;
  int threads_;
  int most_blocks_;
  /// Per multiprocessor, if padding_ is not 0.
  int most_resident_ = 0;
  std::size_t padding_ = 0;
};

/// Executor with one launch per level. settings.workers limits the blocks per level, or with
/// settings.block_per_task those that run at once. 0 means one block per task on a GPU, and one per
/// processor of a host. No block waits for another, so there is no watchdog. The host checks the
/// time between launches. Launches that a GPU has received run to their end, and so does a recorded
/// graph.
template <block_tasks Tasks, bool Overlap>
class level_launches final : public executor {
 public:
  /// If `is_graph`, the launches are recorded before the first run, and again for another trace. If
  /// `is_synchronous`, the host waits for the end of each launch before it makes the next.
  level_launches(device& machine, std::shared_ptr<device_levels const> levels, Tasks const& tasks,
                 executor_settings const& settings, graph_memory graph, bool is_graph,
                 bool is_synchronous = false)
      : machine_(&machine),
        graph_(std::move(graph)),
        levels_(std::move(levels)),
        launcher_(machine, *levels_, settings.threads, settings.workers, settings.block_per_task),
        tasks_(tasks),
        timeout_s_(settings.timeout_s),
        is_graph_(is_graph),
        is_synchronous_(is_synchronous),
        finished_(machine.allocate<std::uint64_t>(1)) {
    machine.fill_bytes(finished_, 0);
    if (is_graph_) record({});
  }

  void run(trace_ref trace) override {
    if (machine_->is_host())
      finished_before_ = machine_->copy_to_host(finished_)[0];
    else
      finished_before_ += levels_->first[launched_];
    launched_ = 0;
    deadline_ns_ = now_ns() + static_cast<std::uint64_t>(timeout_s_ * 1e9);
    if (!is_graph_) return launch_in_time(trace);
    if (trace != recorded_for_) record(trace);
    if (launches() != 0) machine_->replay(recorded_.launches);
    launched_ = launches();
  }
  void require_done() override {
    std::uint64_t const all = levels_->tasks.size();
    std::uint64_t const done = finished();
    std::string const of = std::to_string(done) + " of " + std::to_string(all) + " tasks";
    bool const ended_early = machine_->is_host() && done != all && now_ns() >= deadline_ns_;
    if (launched_ < launches() || ended_early) {
      std::ostringstream text;
      text << "timeout after " << timeout_s_ << " s (--timeout-s): " << of << " finished";
      if (launched_ < launches())
        text << "; the host launched " << launched_ << " of " << launches() << " levels";
      throw timeout_error(text.str());
    }
    if (done != all) throw wrong_result("only " + of + " were executed");
  }
  /// The device never resets its count, which covers all runs.
  [[nodiscard]] std::uint64_t finished() override {
    return machine_->copy_to_host(finished_)[0] - finished_before_;
  }
  [[nodiscard]] std::size_t bytes() const override {
    return graph_.bytes + levels_->tasks.bytes() + finished_.bytes() + recorded_.bytes;
  }
  [[nodiscard]] std::size_t launches() const override { return levels_->count(); }
  [[nodiscard]] int workers() const override {
    int most = 0;
    for (std::size_t level = 0; level < launches(); ++level)
      most = std::max(most, launcher_.blocks_of(level));
    return most;
  }
  [[nodiscard]] kernel_facts facts() const override { return launcher_.facts(tasks_); }
  [[nodiscard]] set_up_times set_up() const override {
    return {graph_.copy_ms, levels_->ms + recorded_.ms};
  }

 private:
  void launch(std::size_t level, trace_ref trace) {
    launcher_.launch(level, tasks_, finished_.data(), trace, &deadline_ns_);
  }
  /// On a GPU, a launch returns at once until about a thousand launches wait. So checking the time
  /// at every launch would find nothing earlier, unless the host waits for each.
  void launch_in_time(trace_ref trace) {
    std::size_t const between_looks = machine_->is_host() || is_synchronous_ ? 1 : 64;
    for (; launched_ < launches(); ++launched_) {
      if (launched_ % between_looks == 0 && now_ns() >= deadline_ns_) return;
      launch(launched_, trace);
      if (is_synchronous_) machine_->synchronize();
    }
  }
  void record(trace_ref trace) {
    if (launches() == 0) return;
    recorded_ = recorded_with_costs(*machine_, [&] {
      return machine_->record([&] {
        for (std::size_t level = 0; level < launches(); ++level) launch(level, trace);
      });
    });
    recorded_for_ = trace;
  }

  device* machine_;
  graph_memory graph_;
  std::shared_ptr<device_levels const> levels_;
  level_launcher<Tasks, Overlap> launcher_;
  Tasks tasks_;
  double timeout_s_;
  bool is_graph_;
  bool is_synchronous_;
  buffer<std::uint64_t> finished_;
  std::size_t launched_ = 0;
  std::uint64_t finished_before_ = 0;
  std::uint64_t deadline_ns_ = 0;
  recording recorded_;
  trace_ref recorded_for_;
};

}  // namespace gridloom
