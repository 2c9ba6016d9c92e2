#pragma once
// Synthetic tasks of a graph, for measuring and checking schedulers. Each task keeps its worker
// busy for a chosen time, stores a value computed from its predecessors' values, and counts its
// runs. The values are plain, so they are correct only if the scheduler orders them.

#include <cstdint>
#include <memory>
#include <vector>

#include "gridloom/atomic.hpp"
#include "gridloom/device.hpp"
#include "gridloom/group.hpp"
#include "gridloom/taskgraph/block_task.hpp"
#include "gridloom/taskgraph/graph_file.hpp"
#include "gridloom/taskgraph/synthetic_task.hpp"

namespace gridloom {

class device_graph;

/// View of the tasks for kernels.
struct synthetic_graph_ref {
  using scratch = no_scratch;
  static constexpr int max_threads = 256;

  drawn_ticks work;
  /// Null, or an array of the tasks' durations as multiples of the mean, which replaces work.kind.
  float const* multiples;
  /// Array of number of tasks + 1 offsets: where the predecessors of each task begin.
  std::uint64_t const* predecessor_offsets;
  std::uint32_t const* predecessors;
  /// Array of one value per task.
  std::uint32_t* values;
  std::uint32_t* runs;

  GRIDLOOM_FN static nothing_early read(std::uint32_t /*task*/) { return {}; }
  GRIDLOOM_FN static std::uint32_t type(std::uint32_t /*task*/, nothing_early) { return 0; }

  /// Runs one task with the block's first warp. The other warps wait at the block's barrier, so that
  /// busy blocks do not take instruction slots from each other. Each lane reads one predecessor's
  /// value at a time. So most tasks wait for three accesses in a row: offset, number, value.
  template <thread_group Block>
  GRIDLOOM_FN void execute(Block const& block, std::uint32_t task, nothing_early = {},
                           scratch const& = {}) const {
    auto const warp = block.warp();
    int const lanes = warp.num_threads();
    int const rank = warp.thread_rank();
    if (block.thread_rank() != rank) return;
    if (work.mean != 0) {
      keep_busy_for(
          [&] { return multiples != nullptr ? work.times(multiples[task]) : work.of(task); });
    }
    std::uint64_t const begin = predecessor_offsets[task];
    auto left = static_cast<int>(predecessor_offsets[task + 1] - begin);
    recurrence result(task);
    // Without unrolling, a kernel of these tasks needs few registers, so many blocks fit.
    GRIDLOOM_NO_UNROLL
    for (std::uint32_t const* from = predecessors + begin; left > 0; from += lanes, left -= lanes) {
      std::uint32_t const seen = rank < left ? values[from[rank]] : 0;
      GRIDLOOM_NO_UNROLL
      for (int k = 0; k < lanes && k < left; ++k) result.add(warp.shuffle(seen, k));
    }
    if (rank != 0) return;
    values[task] = result.value();
    // An update without a result does not wait, as a load would.
    direct_memory{}.fetch_add_relaxed(runs + task, 1U);
  }
};

static_assert(block_tasks<synthetic_graph_ref>);

/// The value that each task stores. `predecessors` must have no cycle. Cost: linear, one thread.
[[nodiscard]] std::vector<std::uint32_t> synthetic_values(csr_graph const& predecessors);

/// Owner of the tasks' memory. Used by one thread.
class synthetic_graph {
 public:
  /// `graph` must have passed read_dag or check_dag, and has a task. `work_ns` is at least 0.
  synthetic_graph(device& machine, csr_graph const& graph, std::int64_t work_ns = 0);
  /// The same with a copy that others may share.
  synthetic_graph(device& machine, std::shared_ptr<device_graph> graph, std::int64_t work_ns = 0);

  /// Sets the tasks' mean duration, and how they differ: as drawn by duration_of, or by the given
  /// multiples of the mean, one per task. Holds for views made from now on, and ends earlier ones.
  void set_work(std::int64_t mean_ns, task_durations kind, std::uint32_t seed);
  void set_work(std::int64_t mean_ns, std::vector<float> const& multiples);
  [[nodiscard]] synthetic_graph_ref ref() const;
  /// Resets values and counters.
  void clear();
  /// Copies the results to the host after all launches.
  void fetch();
  /// Compares the fetched results with those of a serial pass. Throws wrong_result naming the first
  /// task that did not run exactly once or did not see its predecessors' values.
  void verify();

 private:
  device* machine_;
  drawn_ticks work_;
  buffer<float> multiples_;
  std::shared_ptr<device_graph> graph_;
  buffer<std::uint32_t> values_, runs_;
  std::vector<std::uint32_t> found_, counts_;
};

}  // namespace gridloom
