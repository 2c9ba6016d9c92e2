#pragma once
// The tasks of any graph as a scheduler's client: each keeps its worker busy for a while, and leaves
// what shows the scheduler's faults: a value of its predecessors' values, and a count of its runs, both
// by plain accesses, which are right only if the scheduler orders them.

#include <cstdint>
#include <type_traits>
#include <vector>

#include "gridloom/device.hpp"
#include "gridloom/group.hpp"
#include "gridloom/sparse/graph_file.hpp"
#include "gridloom/sparse/synthetic_task.hpp"

namespace gridloom {

/// What tasks work on, as kernels see it.
struct synthetic_graph_ref {
  /// That a task takes, on the clock of now_ticks().
  std::uint64_t work_ticks;
  /// tasks + 1, and the tasks between two of them, which come before one task.
  std::uint64_t const* predecessor_offsets;
  std::uint32_t const* predecessors;
  /// One a task.
  std::uint32_t* values;
  std::uint32_t* runs;

  /// One task, by all threads of a block; only the first one reads and writes. Calls for tasks that do
  /// not depend on each other may run at the same time.
  template <thread_group Block>
  GRIDLOOM_FN void execute(Block const& block, std::uint32_t task) const {
    if (work_ticks != 0) keep_busy(work_ticks);
    if (block.thread_rank() != 0) return;
    recurrence result(task);
    for (std::uint64_t e = predecessor_offsets[task]; e < predecessor_offsets[task + 1]; ++e)
      result.add(values[predecessors[e]]);
    values[task] = result.value();
    ++runs[task];
  }
};

static_assert(std::is_trivially_copyable_v<synthetic_graph_ref>);

/// The value that each task of a graph leaves, computed by one thread. `predecessors` has no cycle, as
/// read_dag promises. Cost: linear.
[[nodiscard]] std::vector<std::uint32_t> synthetic_values(csr_graph const& predecessors);

/// Owner. Used by one thread.
class synthetic_graph {
 public:
  /// `graph` is a DAG: read_dag or check_dag said so. `work_ns`, 0 or more: of a task.
  synthetic_graph(device& machine, csr_graph const& graph, std::int64_t work_ns);

  [[nodiscard]] synthetic_graph_ref ref() const;
  /// No task has run.
  void clear();
  /// The results to the host, after all launches.
  void fetch();
  /// What was fetched against synthetic_values: throws wrong_result with the first task that did not
  /// run once, or did not see its predecessors' values.
  void verify();
  /// On the device.
  [[nodiscard]] std::size_t bytes() const;

 private:
  device* machine_;
  std::uint64_t work_ticks_;
  csr_graph before_;
  buffer<std::uint64_t> offsets_;
  buffer<std::uint32_t> predecessors_, values_, runs_;
  std::vector<std::uint32_t> expected_, found_, counts_;
};

}  // namespace gridloom
