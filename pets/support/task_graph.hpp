#pragma once
// What a list scheduler is given: tasks with an execution time on every processor, and edges with
// the time that a task's data need to a successor on another processor. Everything is in whole
// units of time (platform.hpp); sums of all of them fit 63 bits, so that no total of a scheduler
// overflows.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gridloom/sparse/graph_file.hpp"
#include "support/links.hpp"

namespace gridloom::pets {

/// Times, costs and ranks.
using time_value = std::uint64_t;

inline constexpr std::uint64_t most_edges = (std::uint64_t{1} << 32U) - 2;
inline constexpr std::uint32_t most_processors = 4096;
/// Bound of the sum of all costs and of the weights times the processors: HEFT's ranks are computed
/// as multiples of 1 / processors, exactly.
inline constexpr time_value most_total = (std::uint64_t{1} << 63U) - 1;

/// Neighbours of tasks in compressed rows.
struct adjacency {
  /// Tasks + 1.
  std::vector<std::uint32_t> offsets;
  /// One an edge.
  std::vector<std::uint32_t> tasks;
  /// Beside tasks.
  std::vector<time_value> weights;

  [[nodiscard]] std::span<std::uint32_t const> of(std::uint32_t task) const {
    return {tasks.data() + offsets[task], tasks.data() + offsets[task + 1]};
  }
  [[nodiscard]] std::span<time_value const> weights_of(std::uint32_t task) const {
    return {weights.data() + offsets[task], weights.data() + offsets[task + 1]};
  }
};

struct platform;

/// A checked graph: no cycle, no self edge, no edge twice. Many readers.
struct task_graph {
  std::uint32_t num_tasks = 0;
  std::uint32_t num_processors = 0;
  /// num_tasks rows of num_processors.
  std::vector<time_value> costs;
  /// In the order of the input.
  adjacency successors;
  /// Of each task ascending.
  adjacency predecessors;
  /// Whether every edge goes from a smaller to a larger number.
  bool ascends = false;
  /// One a task, or none.
  std::vector<std::string> names;
  /// Of costs and weights: "us", or "1" where a file or generator names none.
  std::string unit = "1";
  /// Where times of data depend on the pair of processors.
  std::optional<pair_links> links;
  /// For people: what the processors are, "4 processors alike, 100 MB/s".
  std::string platform_text;

  [[nodiscard]] std::span<time_value const> costs_of(std::uint32_t task) const {
    return {costs.data() + std::size_t{task} * num_processors, num_processors};
  }
  /// Time of the predecessors' edge from one processor to another.
  [[nodiscard]] time_value transfer(std::uint32_t from, std::uint32_t to, std::size_t edge) const {
    if (from == to) return 0;
    return links ? links->time(from, to, edge) : predecessors.weights[edge];
  }
  [[nodiscard]] std::uint64_t num_edges() const { return successors.tasks.size(); }
  /// The task's name, or its number.
  [[nodiscard]] std::string name_of(std::uint32_t task) const;
};

/// Whether check_dag has looked at the edges already.
enum class edges_are { new_ones, checked };

/// Puts a graph together and checks it: `weights` one an edge, `costs` tasks × processors. Throws
/// usage_error "place: expected ..., got ..." that names the task or edge. Cost: linear.
[[nodiscard]] task_graph make_task_graph(csr_graph const& edges, std::vector<time_value> weights,
                                         std::vector<time_value> costs,
                                         std::uint32_t num_processors, std::string_view place,
                                         std::vector<std::string> names = {},
                                         edges_are state = edges_are::new_ones);

/// Reads a file as datasets/gridloom_datasets/importers/dag_file.py describes it, for the processors
/// asked for. Throws usage_error. One thread at a time (HDF5).
[[nodiscard]] task_graph read_task_graph(std::filesystem::path const& path, platform const& wanted);

/// Level of each task: edges of the longest path from an entry. And an order in which every task
/// comes after its predecessors.
struct graph_levels {
  /// One a task.
  std::vector<std::uint32_t> level;
  /// Tasks, breadth first.
  std::vector<std::uint32_t> topological;
  std::uint32_t num_levels = 0;
};
[[nodiscard]] graph_levels levels_of(task_graph const& graph);

}  // namespace gridloom::pets
