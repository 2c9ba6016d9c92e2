#pragma once
// Synthetic tasks of a graph, for measuring and checking schedulers. Each task keeps its worker
// busy for a chosen time, stores a value computed from its predecessors' values, and counts its
// runs. These accesses are plain, so they are correct only if the scheduler orders them.

#include <cstdint>
#include <vector>

#include "gridloom/device.hpp"
#include "gridloom/group.hpp"
#include "gridloom/taskgraph/block_task.hpp"
#include "gridloom/taskgraph/graph_file.hpp"
#include "gridloom/taskgraph/synthetic_task.hpp"

namespace gridloom {

/// View of the tasks for kernels.
struct synthetic_graph_ref {
  using scratch = no_scratch;
  static constexpr int max_threads = 256;

  /// Duration of one task in ticks of now_ticks().
  std::uint64_t work_ticks;
  /// Array of number of tasks + 1 offsets: where the predecessors of each task begin.
  std::uint64_t const* predecessor_offsets;
  std::uint32_t const* predecessors;
  /// Array of one value per task.
  std::uint32_t* values;
  std::uint32_t* runs;

  GRIDLOOM_FN static nothing_early read(std::uint32_t /*task*/) { return {}; }
  GRIDLOOM_FN static std::uint32_t type(std::uint32_t /*task*/, nothing_early) { return 0; }

  /// Runs one task. The first warp computes its value; each lane reads one predecessor's value at a
  /// time. So most tasks wait for three accesses in a row: offset, predecessor's number, value.
  template <thread_group Block>
  GRIDLOOM_FN void execute(Block const& block, std::uint32_t task, nothing_early = {},
                           scratch const& = {}) const {
    if (work_ticks != 0) keep_busy(work_ticks);
    auto const warp = block.warp();
    if (block.thread_rank() != warp.thread_rank()) return;
    auto const lanes = static_cast<std::uint64_t>(warp.num_threads());
    auto const lane = static_cast<std::uint64_t>(warp.thread_rank());
    std::uint32_t const before = runs[task];
    std::uint64_t const end = predecessor_offsets[task + 1];
    recurrence result(task);
    for (std::uint64_t first = predecessor_offsets[task]; first < end; first += lanes) {
      std::uint32_t value = 0;
      if (first + lane < end) value = values[predecessors[first + lane]];
      for (std::uint64_t k = 0; k < lanes && first + k < end; ++k)
        result.add(warp.shuffle(value, static_cast<int>(k)));
    }
    if (lane != 0) return;
    values[task] = result.value();
    runs[task] = before + 1;
  }
};

static_assert(block_tasks<synthetic_graph_ref>);

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
