#pragma once
// Synthetic tasks of a graph, for measuring and checking schedulers. Each task keeps its worker
// busy for a chosen time, stores a value computed from its predecessors' values, and counts its
// runs. These accesses are plain, so they are correct only if the scheduler orders them.

#include <cstdint>
#include <type_traits>
#include <vector>

#include "gridloom/device.hpp"
#include "gridloom/group.hpp"
#include "gridloom/taskgraph/graph_file.hpp"
#include "gridloom/taskgraph/synthetic_task.hpp"

namespace gridloom {

/// View of the tasks for kernels.
struct synthetic_graph_ref {
  /// Duration of one task in ticks of now_ticks().
  std::uint64_t work_ticks;
  /// Array of number of tasks + 1 offsets: where the predecessors of each task begin.
  std::uint64_t const* predecessor_offsets;
  std::uint32_t const* predecessors;
  /// Array of one value per task.
  std::uint32_t* values;
  std::uint32_t* runs;

  /// Runs one task. Called by all threads of a block; only the first thread reads and writes. Tasks
  /// that do not depend on each other may run at the same time.
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

/// The value that each task stores. `predecessors` must have no cycle. Cost: linear, one thread.
[[nodiscard]] std::vector<std::uint32_t> synthetic_values(csr_graph const& predecessors);

/// Owner of the tasks' memory. Used by one thread.
class synthetic_graph {
 public:
  /// `graph` must have passed read_dag or check_dag. `work_ns` is at least 0.
  synthetic_graph(device& machine, csr_graph const& graph, std::int64_t work_ns);

  [[nodiscard]] synthetic_graph_ref ref() const;
  /// Resets values and counters.
  void clear();
  /// Copies the results to the host after all launches.
  void fetch();
  /// Compares the fetched results with synthetic_values. Throws wrong_result naming the first task
  /// that did not run exactly once or did not see its predecessors' values.
  void verify();
  /// Size of the device memory in bytes.
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
