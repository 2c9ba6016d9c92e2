#pragma once
// Random graphs of tasks with data along the edges. A task's value depends on the values of its
// predecessors. So an order that violates a dependency gives another result.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "forest.hpp"
#include "test_machines.hpp"

namespace gridloom::mhive::test {

/// Tasks 0 .. size - 1. Edges go from lower to higher numbers.
class random_graph {
 public:
  random_graph(std::uint32_t seed, std::uint32_t size, std::uint32_t most_edges)
      : offsets_{0}, needed_(size) {
    for (std::uint32_t v = 0; v < size; ++v) {
      std::uint32_t const n = mixed(seed ^ mixed(v)) % (most_edges + 1);
      for (std::uint32_t k = 0; k < n && v + 1 < size; ++k) {
        // Half of the successors are near, which makes long chains.
        std::uint32_t const reach = std::min(size - v - 1, k % 2 == 0 ? 40U : size);
        std::uint32_t const to = v + 1 + mixed(seed + 977 * v + k) % reach;
        successors_.push_back(to);
        ++needed_[to];
      }
      offsets_.push_back(static_cast<std::uint32_t>(successors_.size()));
    }
  }
  [[nodiscard]] std::size_t size() const { return needed_.size(); }
  [[nodiscard]] auto const& offsets() const { return offsets_; }
  [[nodiscard]] auto const& successors() const { return successors_; }
  [[nodiscard]] auto const& needed() const { return needed_; }

  /// Returns the number that a task adds to each of its successors.
  static std::uint32_t passed_on(std::uint32_t v, std::uint32_t value) {
    return mixed(value + 2654435761U * v);
  }
  [[nodiscard]] std::vector<std::uint32_t> serial_values() const {
    std::vector<std::uint32_t> values(size(), 1);
    for (std::uint32_t v = 0; v < size(); ++v) {
      for (std::uint32_t e = offsets_[v]; e < offsets_[v + 1]; ++e) {
        values[successors_[e]] += passed_on(v, values[v]);
      }
    }
    return values;
  }

 private:
  std::vector<std::uint32_t> offsets_;
  std::vector<std::uint32_t> successors_;
  std::vector<std::uint32_t> needed_;
};

struct node_task;
/// Data of the tasks. Each group has one task. That is enough to test the release, and such groups
/// are easily confused with single tasks.
struct graph_data {
  std::uint32_t const* offsets;
  std::uint32_t const* successors;
  std::uint32_t const* needed;
  std::uint32_t* values;
  std::uint32_t* executions;
  dependency<node_task>* single;
  group_dependency<node_task>* groups;
  /// 0, 1, 2, ...: the items of the groups.
  std::uint32_t const* numbers;
  std::uint32_t size;
  bool grouped;
  /// Whether reductions come before the task is enqueued, as far as possible.
  bool early;
};

struct node_task : task_of<32> {
  using insert_policy = random_insert;
  static constexpr std::string_view name = "node";
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t v) {
    graph_data const& data = context.data();
    auto const& worker = context.worker();
    direct_memory memory;
    bool const first = worker.thread_rank() == 0;
    std::uint32_t const value = memory.load_relaxed(data.values + v);
    if (first) memory.fetch_add_relaxed(data.executions + v, 1U);
    std::uint32_t const begin = data.offsets[v];
    std::uint32_t const end = data.offsets[v + 1];
    auto const threads = static_cast<std::uint32_t>(worker.num_threads());
    for (std::uint32_t e = begin; e < end; e += threads) {
      std::uint32_t const mine = e + static_cast<std::uint32_t>(worker.thread_rank());
      bool const has = mine < end;
      std::uint32_t const to = has ? data.successors[mine] : 0;
      if (has) memory.fetch_add_relaxed(data.values + to, mixed(value + 2654435761U * v));
      if (!data.grouped) context.reduce_each(has, data.single + to);
    }
    worker.sync();
    if (!data.grouped) return;
    for (std::uint32_t e = begin; e < end; ++e) context.reduce(data.groups + data.successors[e]);
  }
};

/// Enqueues 32 tasks, from the one that its item names on.
struct sow_task : task_of<32> {
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t from) {
    graph_data const& data = context.data();
    auto const& worker = context.worker();
    // Tasks with high numbers are enqueued first. For early reductions they are enqueued last, so
    // that their predecessors may have run.
    for (std::uint32_t k = from; k < from + 32 && k < data.size; ++k) {
      std::uint32_t const v = data.early ? k : data.size - 1 - k;
      auto const needed = static_cast<std::int32_t>(data.needed[v]);
      if (data.grouped) {
        context.enqueue_with_dependencies(data.groups + v, data.numbers + v, 1, needed);
      } else if (worker.thread_rank() == 0) {
        context.enqueue_with_dependencies(v, data.single + v, needed);
      }
      worker.sync();
    }
  }
};

using graph_queue = phase_queue<phaseless<sow_task, node_task>>;

struct graph_result {
  std::vector<std::uint32_t> values;
  std::vector<std::uint32_t> executions;
};

template <class Scheduler>
graph_result run_graph(gridloom::test::test_machine const& on, random_graph const& graph,
                       bool grouped, bool early, std::uint32_t waiting = 4096) {
  auto& machine = *on.machine;
  auto const size = static_cast<std::uint32_t>(graph.size());
  auto const offsets = machine.allocate_copy(graph.offsets());
  auto const successors = machine.allocate_copy(graph.successors());
  auto const needed = machine.allocate_copy(graph.needed());
  auto const values = machine.allocate_copy(std::vector<std::uint32_t>(size, 1));
  auto const executions = machine.allocate_copy(std::vector<std::uint32_t>(size, 0));
  auto const single = machine.allocate_copy(std::vector<dependency<node_task>>(size));
  auto const groups = machine.allocate_copy(std::vector<group_dependency<node_task>>(size));
  auto const items = machine.allocate_copy(numbers_below(size));
  std::vector<std::uint32_t> begins;
  for (std::uint32_t k = 0; k < size; k += 32) begins.push_back(k);
  graph_data const data{
      offsets.data(), successors.data(), needed.data(), values.data(), executions.data(),
      single.data(),  groups.data(),     items.data(),  size,          grouped,
      early};
  (void)run_from<Scheduler, graph_queue, sow_task>(on, begins, data,
                                                   {.capacity = 4096, .waiting = waiting});
  return {machine.copy_to_host(values), machine.copy_to_host(executions)};
}

}  // namespace gridloom::mhive::test
