#pragma once
// Any task graph as a program of MHive with phases (chapter 4): one phase per level, by the longest
// path from an entry. The compiler knows two phases, which alternate as the levels do. Every task
// but the entries has a predecessor in the level before; the first of those enqueues it. So no task
// has a dependency: a phase begins when all tasks of the last one have ended.
//
// The header launches kernels (gridloom_kernel_sources).

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gridloom/taskgraph/orders.hpp"
#include "mhive/graph_executor.hpp"

namespace gridloom::mhive {

template <block_tasks Tasks>
struct level_data {
  Tasks tasks;
  /// Array of number of tasks + 1 offsets into `enqueued`.
  std::uint32_t const* offsets;
  /// For each task, the tasks of the next level that it enqueues.
  std::uint32_t const* enqueued;
  trace_ref trace;
};

/// A task of an even (0) or odd (1) level.
template <block_tasks Tasks, int Size, int Parity>
struct level_task {
  using work_item = std::uint32_t;
  using scratch = typename Tasks::scratch;
  static constexpr int worker_size = Size;
  static constexpr std::string_view name = Parity == 0 ? "even task" : "odd task";

  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t number) {
    auto const& data = context.data();
    // These loads overlap the body.
    std::uint32_t const begin = data.offsets[number];
    std::uint32_t const end = data.offsets[number + 1];
    execute_body(context, number);
    context.template enqueue_many<level_task<Tasks, Size, 1 - Parity>>(
        static_cast<int>(end - begin),
        [&](int k) { return data.enqueued[begin + static_cast<std::uint32_t>(k)]; });
  }
};

/// The form of a graph with two phases.
template <block_tasks Tasks, int Size>
class by_phases {
 public:
  using task = level_task<Tasks, Size, 0>;
  using queue = phase_queue<phaseless<>, phase<task>, phase<level_task<Tasks, Size, 1>>>;

  by_phases(device& machine, csr_graph const& graph) {
    task_groups const levels = levels_of(graph);
    std::vector<std::uint32_t> level_of(graph.tasks());
    for (std::uint32_t level = 0; level < levels.groups(); ++level) {
      queue_size = std::max(queue_size, levels.size(level));
      for (std::uint32_t at = levels.first[level]; at < levels.first[level + 1]; ++at)
        level_of[levels.tasks[at]] = level;
    }
    entries.assign(levels.tasks.begin(), levels.tasks.begin() + levels.first[1]);
    std::vector<std::uint32_t> offsets{0}, enqueued;
    std::vector<bool> is_enqueued(graph.tasks());
    for (std::uint32_t from = 0; from < graph.tasks(); ++from) {
      for (std::uint32_t const to : graph.of(from)) {
        if (level_of[to] != level_of[from] + 1 || is_enqueued[to]) continue;
        is_enqueued[to] = true;
        enqueued.push_back(to);
      }
      offsets.push_back(static_cast<std::uint32_t>(enqueued.size()));
    }
    offsets_ = machine.allocate_copy(offsets);
    enqueued_ = machine.allocate_copy(enqueued);
  }

  void reset() {}
  [[nodiscard]] level_data<Tasks> data(Tasks const& tasks, trace_ref trace) {
    return {tasks, offsets_.data(), enqueued_.data(), trace};
  }
  [[nodiscard]] std::size_t bytes() const { return offsets_.bytes() + enqueued_.bytes(); }

  /// Room of each queue: the tasks of the widest level.
  std::uint32_t queue_size = 0;
  /// Tasks in the queue at the start of a run.
  std::vector<std::uint32_t> entries;

 private:
  buffer<std::uint32_t> offsets_;
  buffer<std::uint32_t> enqueued_;
};

}  // namespace gridloom::mhive
