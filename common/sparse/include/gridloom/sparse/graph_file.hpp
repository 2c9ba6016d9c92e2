#pragma once
// Task graphs as files: a directed acyclic graph in compressed sparse rows, in HDF5. Layout:
//
//   /graph               attributes kind = "dag", n
//   /graph/row_offsets   uint64, n + 1 entries
//   /graph/columns       uint32, one entry an edge: the successors of task u are
//                        columns[row_offsets[u]] .. columns[row_offsets[u + 1] - 1]
//
// Imported graphs hold more beside these (see datasets/gridloom_datasets/importers/dag_file.py),
// which read_dag leaves alone and read_weighted_dag reads:
//
//   /graph/costs         uint64, n rows: the time of a task on each processor; attribute unit
//   /graph/weights       uint64, one an edge: what a task hands to its successor; attribute unit
//   /graph/names         text, one a task; not in every file
//   /graph               attribute machines: how many ran a recorded workflow; not in every file
//   /graph/machine_speeds, /graph/ran_on
//                        uint64, one a machine, and uint32, one a task: its machine; both or none
//
// Schedulers may rely on what both return: a cycle would hang them, a duplicate successor would
// release a task early.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gridloom {

/// Task indices fit a signed 32-bit word with room for a sentinel.
inline constexpr std::uint64_t most_tasks = (std::uint64_t{1} << 31U) - 2;

struct csr_graph {
  /// n + 1, from 0, never falling, last = edges.
  std::vector<std::uint64_t> row_offsets;
  /// The successors, row by row, in any order.
  std::vector<std::uint32_t> columns;

  [[nodiscard]] std::uint64_t tasks() const {
    return row_offsets.empty() ? 0 : row_offsets.size() - 1;
  }
  [[nodiscard]] std::uint64_t edges() const { return columns.size(); }
};

/// The same tasks with every edge turned round: the predecessors of each, by rising number. The
/// offsets and columns of `graph` are sound. Cost: linear.
[[nodiscard]] csr_graph transposed(csr_graph const& graph);

/// A task graph with times, as list schedulers need it.
struct weighted_dag {
  csr_graph graph;
  std::vector<std::uint64_t> weights;  // beside graph.columns
  std::vector<std::uint64_t> costs;    // row by row
  std::uint64_t cost_rows = 0;         // what the file holds: it need not be one a task
  std::uint64_t cost_columns = 0;
  std::string unit;                           // of the costs; "1" where the file names none
  std::string weight_unit;                    // the same
  std::vector<std::string> names;             // empty where the file has none
  std::uint64_t machines = 0;                 // 0 where the file does not say
  std::vector<std::uint64_t> machine_speeds;  // empty, or `machines`, none 0
  std::vector<std::uint32_t> ran_on;          // empty, or one a task, below `machines`
};

/// Checks offsets, ranges, and that there is no self edge, no duplicate successor and no cycle.
/// Throws usage_error "place: ..." naming the offending task or "edge U -> V". Cost: linear in
/// tasks and edges, 12 bytes a task besides the graph.
void check_dag(csr_graph const& graph, std::string_view place);

/// Reads and checks a graph. Throws usage_error naming the file and what was expected. One thread
/// at a time (HDF5 is not thread-safe).
[[nodiscard]] csr_graph read_dag(std::filesystem::path const& path);

/// The same for a graph with costs and weights, which the file must have. Their numbers are the
/// caller's to check.
[[nodiscard]] weighted_dag read_weighted_dag(std::filesystem::path const& path);

/// Checks and writes a graph; the file is there whole or not at all. Throws usage_error when the
/// graph is no DAG, run_error when writing fails.
void write_dag(std::filesystem::path const& path, csr_graph const& graph);

}  // namespace gridloom
