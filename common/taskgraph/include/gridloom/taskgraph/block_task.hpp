#pragma once
// Tasks that a whole block executes, as the kernels of common/taskgraph see them. A scheduler knows
// only their numbers. What they do, and where their data is, is the artifact's.

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "gridloom/backend/host.hpp"
#include "gridloom/clock.hpp"
#include "gridloom/group.hpp"
#include "gridloom/taskgraph/graph_file.hpp"
#include "gridloom/trace.hpp"

namespace gridloom {

/// All tasks of a graph.
///
/// - `read(number)` returns the part of a task that no run writes, such as its parameters, so that
///   a block can read its next task early. `nothing_early` if there is no such part.
/// - `execute(block, number, early, scratch)` runs a task with all threads of a block, at most
///   `max_threads`. The caller synchronises the block afterwards. Independent tasks may run at the
///   same time. `scratch` is the block's shared memory, not initialised.
/// - `type(number, early)` is the type of the task in a trace. Without it there is no trace, which
///   saves registers.
template <class Tasks>
concept block_tasks = std::is_trivially_copyable_v<Tasks> &&
    requires(Tasks const tasks, host_block const block, typename Tasks::scratch& scratch) {
  { Tasks::max_threads } -> std::convertible_to<int>;
  tasks.execute(block, 0U, tasks.read(0U), scratch);
};

template <class Tasks>
concept traced_tasks = block_tasks<Tasks> && requires(Tasks const tasks) {
  { tasks.type(0U, tasks.read(0U)) } -> std::same_as<std::uint32_t>;
};

struct nothing_early {};

/// What `read` returns.
template <class Tasks>
using early_part = decltype(std::declval<Tasks const&>().read(0U));

/// Largest block of bodies that support any. It leaves 64 registers per thread.
inline constexpr int default_max_threads = 1024;

/// The optional member `min_blocks`: the number of blocks for which a multiprocessor must have
/// registers. Else 1.
template <class Tasks>
[[nodiscard]] constexpr int least_blocks_of() {
  if constexpr (requires { Tasks::min_blocks; }) {
    return Tasks::min_blocks;
  } else {
    return 1;
  }
}

/// A block's next task in a list, read early.
template <class Tasks>
class next_task {
 public:
  /// The task at place `at` of `numbers`, if that is before `end`.
  GRIDLOOM_FN next_task(Tasks const& tasks, std::uint32_t const* numbers, std::uint32_t at,
                        std::uint32_t end) {
    move_to(tasks, numbers, at, end);
  }
  GRIDLOOM_FN void move_to(Tasks const& tasks, std::uint32_t const* numbers, std::uint32_t at,
                           std::uint32_t end) {
    at_ = at;
    end_ = end;
    if (at_ >= end_) return;
    number_ = numbers[at_];
    early_ = tasks.read(number_);
  }
  GRIDLOOM_FN void advance(Tasks const& tasks, std::uint32_t const* numbers, std::uint32_t step) {
    move_to(tasks, numbers, at_ + step, end_);
  }
  GRIDLOOM_FN bool exists() const { return at_ < end_; }
  GRIDLOOM_FN std::uint32_t place() const { return at_; }

  /// Executes the task with all threads of a block, and synchronises the block. One thread calls
  /// `record(event)` if `traced`.
  template <thread_group Block, class Record>
  GRIDLOOM_FN void execute(Block const& block, Tasks const& tasks, typename Tasks::scratch& scratch,
                           bool traced, Record&& record) const {
    std::uint64_t const begin_ns = traced_tasks<Tasks> && traced ? now_ns() : 0;
    tasks.execute(block, number_, early_, scratch);
    block.sync();
    if constexpr (traced_tasks<Tasks>) {
      if (traced && block.thread_rank() == 0)
        record(trace_event{number_, tasks.type(number_, early_), begin_ns, now_ns()});
    }
  }

 private:
  std::uint32_t at_;
  std::uint32_t end_;
  std::uint32_t number_ = no_task;
  early_part<Tasks> early_{};
};

}  // namespace gridloom
