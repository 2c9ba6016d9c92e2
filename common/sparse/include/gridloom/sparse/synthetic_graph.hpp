#pragma once
// The tasks of a graph as the client of a scheduler. Each keeps its worker busy for a while, then stores
// a value made of its predecessors' values and counts its runs. Both are plain accesses, which are right
// only if the scheduler orders them.

#include <cstdint>
#include <type_traits>
#include <vector>

#include "gridloom/device.hpp"
#include "gridloom/group.hpp"
#include "gridloom/sparse/graph_file.hpp"
#include "gridloom/sparse/synthetic_task.hpp"

namespace gridloom {

/// The memory of the tasks, as kernels see it.
struct synthetic_graph_ref {
  /// Time of one task, in ticks of now_ticks().
  std::uint64_t work_ticks;
  /// tasks + 1 offsets; the predecessors of task u stand from offset u to offset u + 1.
  std::uint64_t const* predecessor_offsets;
  std::uint32_t const* predecessors;
  /// One per task.
  std::uint32_t* values;
  std::uint32_t* runs;

  /// Runs one task by all threads of a block; only the first reads and writes. Tasks that do not
  /// depend on each other may run at the same time.
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

/// The value that each task of a graph stores, computed by one thread. `predecessors` has no cycle, as
/// read_dag promises. Cost: linear.
[[nodiscard]] std::vector<std::uint32_t> synthetic_values(csr_graph const& predecessors);

/// Owner. Used by one thread.
class synthetic_graph {
 public:
  /// `graph` is a DAG that passed read_dag or check_dag. `work_ns`, 0 or more: the time of a task.
  synthetic_graph(device& machine, csr_graph const& graph, std::int64_t work_ns);

  [[nodiscard]] synthetic_graph_ref ref() const;
  /// Forgets all runs.
  void clear();
  /// Copies the results to the host, after all launches.
  void fetch();
  /// Compares what was fetched with synthetic_values. Throws wrong_result with the first task that did
  /// not run once, or did not see its predecessors' values.
  void verify();
  /// Bytes on the device.
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
