#pragma once
// Task graphs and their HDF5 files: directed acyclic graphs in compressed sparse rows. Layout:
//
//   /graph               attributes kind = "dag", n, and generator if one made it
//   /graph/row_offsets   uint64, n + 1 entries
//   /graph/columns       uint32, one entry per edge: the successors of task u are
//                        columns[row_offsets[u]] .. columns[row_offsets[u + 1] - 1]
//
// Imported graphs have further datasets (see datasets/gridloom_datasets/importers/dag_file.py).
// read_dag ignores them, and read_weighted_dag reads them:
//
//   /graph/costs uint64, n rows: the time of a task on each processor; attribute unit
//   /graph/weights uint64, one per edge: size of the data passed to the successor;
//                        attribute unit
//   /graph/names         text, one per task (optional)
//   /graph               attribute machines: number of machines that ran a recorded workflow
//                        (optional)
//   /graph/machine_speeds, /graph/ran_on (both or none)
//                        uint64, one per machine, and uint32, one per task: its machine
//
// Both readers return only valid graphs: a cycle would hang a scheduler, and a duplicate successor
// would release a task too early.

#include <compare>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gridloom {

/// Task numbers fit into a signed 32-bit word and leave one value for a sentinel.
inline constexpr std::uint64_t most_tasks = (std::uint64_t{1} << 31U) - 2;
/// A number that no task has.
inline constexpr std::uint32_t no_task = ~0U;

struct csr_graph {
  /// Array of n + 1 offsets, which start at 0, never fall, and end at the number of edges.
  std::vector<std::uint64_t> row_offsets;
  /// The successors of all tasks, task after task. Those of one task are in any order.
  std::vector<std::uint32_t> columns;
  /// Empty, or how long each task takes, in any unit. The readers of files leave it empty.
  std::vector<std::uint64_t> durations{};

  [[nodiscard]] std::uint64_t tasks() const {
    return row_offsets.empty() ? 0 : row_offsets.size() - 1;
  }
  [[nodiscard]] std::uint64_t edges() const { return columns.size(); }
  /// The successors of one task.
  [[nodiscard]] std::span<std::uint32_t const> of(std::uint64_t task) const {
    return {columns.data() + row_offsets[task], columns.data() + row_offsets[task + 1]};
  }
};

/// Task `to` depends on task `from`.
struct graph_edge {
  std::uint32_t from;
  std::uint32_t to;
  auto operator<=>(graph_edge const&) const = default;
};

/// Makes a graph from its edges in any order, and checks it as check_dag does. The successors of a
/// task keep the order of the edges. Throws usage_error "graph: ..." naming the edge. Cost: linear.
[[nodiscard]] csr_graph graph_of_edges(std::uint64_t tasks, std::span<graph_edge const> edges);

/// The graph with reversed edges: the predecessors of each task in ascending order. `graph` must
/// have valid offsets and columns. Cost: linear.
[[nodiscard]] csr_graph transposed(csr_graph const& graph);

/// A task graph with costs and weights, for list schedulers.
struct weighted_dag {
  csr_graph graph;
  /// Array of one weight per entry of graph.columns.
  std::vector<std::uint64_t> weights;
  /// Costs of the tasks on each processor, task after task.
  std::vector<std::uint64_t> costs;
  /// Extent of the dataset `costs`. The caller compares it with the number of tasks.
  std::uint64_t cost_rows = 0;
  std::uint64_t cost_columns = 0;
  /// Units of costs and weights; "1" if the file names none.
  std::string unit;
  std::string weight_unit;
  /// Names of the tasks. Empty if the file has none.
  std::vector<std::string> names;
  /// Number of machines that ran a recorded workflow; 0 if the file has no such number.
  std::uint64_t machines = 0;
  /// Speeds of the machines: empty, or one positive number per machine.
  std::vector<std::uint64_t> machine_speeds;
  /// Machine of each task: empty, or one number per task.
  std::vector<std::uint32_t> ran_on;
};

/// Checks the offsets, the ranges, the number of durations, and that there is no self edge, duplicate
/// successor or cycle. Throws usage_error "place: ..." naming the task or "edge U -> V". Cost: linear
/// in tasks and edges, with up to 20 bytes per task.
void check_dag(csr_graph const& graph, std::string_view place);

/// Reads and checks a graph. Throws usage_error naming the file and what was expected. One thread
/// at a time (HDF5 is not thread-safe).
[[nodiscard]] csr_graph read_dag(std::filesystem::path const& path);

/// Reads and checks a graph with costs and weights, which the file must have. The caller checks the
/// number of costs.
[[nodiscard]] weighted_dag read_weighted_dag(std::filesystem::path const& path);

/// Checks and writes a graph, completely or not at all. With durations, or `names` of all tasks, also
/// writes costs (the durations or 1) and weights of 1, for read_weighted_dag. `generator` becomes an
/// attribute. Throws usage_error if the graph is not a DAG, run_error if writing fails.
void write_dag(std::filesystem::path const& path, csr_graph const& graph,
               std::vector<std::string> const& names = {}, std::string const& generator = {});

}  // namespace gridloom
