#pragma once
// Graphs for tests of the runtime, and an application that detects whether each task saw the
// results of its parents.

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "gridloom/device.hpp"
#include "gridloom/taskgraph/generate.hpp"
#include "gridloom/taskgraph/synthetic_graph.hpp"
#include "juggler/dag.hpp"
#include "juggler/task.hpp"

namespace gridloom::juggler::test {

using edge_list = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Makes a graph. The kernel type of each task is its number mod 3.
inline task_dag dag_of(std::uint32_t tasks, edge_list const& edges) {
  dag_builder made(tasks, edges.size(), range_matching::overlapping);
  for (std::uint32_t t = 0; t < tasks; ++t) made.add_task(t % 3);
  for (auto const& [from, to] : edges) made.add_dependency(task_id{from}, task_id{to});
  return made.build();
}

/// The edges of a graph of gridloom/taskgraph/generate.hpp.
inline edge_list edges_of(std::string const& specification) {
  csr_graph const graph = generate_graph(specification);
  edge_list made;
  for (std::uint32_t from = 0; from < graph.tasks(); ++from) {
    for (std::uint32_t const to : graph.of(from)) made.emplace_back(from, to);
  }
  return made;
}
inline edge_list chain_edges(std::uint32_t tasks) {
  return edges_of("chain:tasks=" + std::to_string(tasks));
}
/// A task's number does not reveal its place.
inline edge_list random_edges(std::uint32_t tasks, std::uint64_t seed) {
  return edges_of("random:tasks=" + std::to_string(tasks) + ",window=" + std::to_string(tasks + 4) +
                  ",degree=4,least=0,shuffle=1,seed=" + std::to_string(seed));
}

/// Each task computes a value from its parents' values, by ordinary accesses, and stores it.
struct recurrence_app {
  struct task_data {
    std::uint32_t number;
    /// This member makes the task larger than a few words.
    std::uint64_t check;
  };
  struct scratch {
    std::uint32_t value;
  };
  static constexpr int max_threads = 256;
  static constexpr std::uint32_t kernel_types = 3;

  std::uint64_t const* parent_offsets;
  std::uint32_t const* parents;
  std::uint32_t* values;
  std::uint32_t* runs;

  static std::vector<task_data> data(std::uint32_t tasks) {
    std::vector<task_data> made;
    for (std::uint32_t t = 0; t < tasks; ++t) made.push_back({t, std::uint64_t{t} * 7919});
    return made;
  }

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block const& block, std::uint32_t kernel_type, task_data const& data,
                              scratch& own) const {
    if (block.thread_rank() == 0) {
      recurrence result(data.number);
      for (std::uint64_t e = parent_offsets[data.number]; e < parent_offsets[data.number + 1]; ++e)
        result.add(values[parents[e]]);
      bool const right =
          kernel_type == data.number % 3 && data.check == std::uint64_t{data.number} * 7919;
      own.value = right ? result.value() : 0;
    }
    block.sync();
    // The last thread writes. So a value read by the first thread passes through the block's
    // memory.
    if (block.thread_rank() != block.num_threads() - 1) return;
    values[data.number] = own.value;
    ++runs[data.number];
  }
};

/// A graph with the arrays of recurrence_app on a device.
class recurrence_problem {
 public:
  recurrence_problem(device& machine, std::uint32_t tasks, edge_list const& edges)
      : machine_(&machine), dag_(dag_of(tasks, edges)), before_(transposed(dag_.children)) {
    offsets_ = machine.allocate_copy(before_.row_offsets);
    parents_ = machine.allocate_copy(before_.columns);
    values_ = machine.allocate<std::uint32_t>(tasks);
    runs_ = machine.allocate<std::uint32_t>(tasks);
    expected_ = synthetic_values(before_);
  }

  [[nodiscard]] task_dag const& dag() const { return dag_; }
  [[nodiscard]] recurrence_app app() const {
    return {offsets_.data(), parents_.data(), values_.data(), runs_.data()};
  }
  [[nodiscard]] std::vector<recurrence_app::task_data> data() const {
    return recurrence_app::data(dag_.tasks());
  }
  void clear() {
    machine_->fill_bytes(values_, 0xff);
    machine_->fill_bytes(runs_, 0);
  }
  /// Whether each task ran once and has the right value.
  [[nodiscard]] bool is_solved() {
    return machine_->copy_to_host(values_) == expected_ && ran_times(1);
  }
  /// Whether each task ran this often since clear().
  [[nodiscard]] bool ran_times(std::uint32_t times) {
    return machine_->copy_to_host(runs_) == std::vector<std::uint32_t>(dag_.tasks(), times);
  }

 private:
  device* machine_;
  task_dag dag_;
  csr_graph before_;
  buffer<std::uint64_t> offsets_;
  buffer<std::uint32_t> parents_, values_, runs_;
  std::vector<std::uint32_t> expected_;
};

/// Limits in seconds that executors refuse.
inline constexpr double no_time_limits[] = {-1, 0, std::numeric_limits<double>::quiet_NaN(),
                                            std::numeric_limits<double>::infinity()};

}  // namespace gridloom::juggler::test
