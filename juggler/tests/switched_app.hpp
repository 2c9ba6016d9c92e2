#pragma once
// Tasks that can exceed the time limit, to test the state after a stopped run.

#include <cstdint>
#include <vector>

#include "gridloom/atomic.hpp"
#include "gridloom/device.hpp"
#include "gridloom/taskgraph/synthetic_task.hpp"

namespace gridloom::juggler::test {

/// Tasks that count their executions. They are slow while a word on the device is set.
struct switched_app {
  struct task_data {
    std::uint32_t number;
  };
  using scratch = no_scratch;
  static constexpr int max_threads = 256;
  std::uint32_t const* slow;
  std::uint64_t ticks;
  std::uint32_t* runs;

  static std::vector<task_data> data(std::uint32_t tasks) {
    std::vector<task_data> made;
    for (std::uint32_t t = 0; t < tasks; ++t) made.push_back({t});
    return made;
  }

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block const& block, std::uint32_t, task_data const& of,
                              scratch&) const {
    if (*slow != 0) keep_busy(ticks);
    if (block.thread_rank() == 0) direct_memory{}.fetch_add_relaxed(runs + of.number, 1U);
  }
};

/// The memory of such tasks on a machine.
struct switch_board {
  device* machine;
  buffer<std::uint32_t> slow, runs;

  switch_board(device& on, std::uint32_t tasks)
      : machine(&on),
        slow(on.allocate<std::uint32_t>(1)),
        runs(on.allocate<std::uint32_t>(tasks)) {}
  void set(bool is_slow) {
    machine->fill_bytes(slow, is_slow ? 0xff : 0);
    machine->fill_bytes(runs, 0);
  }
  /// `seconds` is the duration of a slow task.
  [[nodiscard]] switched_app app(double seconds) const {
    double const ticks = machine->properties().ticks_per_ns * 1e9 * seconds;
    return {slow.data(), static_cast<std::uint64_t>(ticks), runs.data()};
  }
};

}  // namespace gridloom::juggler::test
