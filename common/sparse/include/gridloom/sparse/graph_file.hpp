#pragma once
// Task graphs as files: a directed acyclic graph in compressed sparse rows, in HDF5. Layout:
//
//   /graph               attributes kind = "dag", n
//   /graph/row_offsets   uint64, n + 1 entries
//   /graph/columns       uint32, one entry an edge: the successors of task u are
//                        columns[row_offsets[u]] .. columns[row_offsets[u + 1] - 1]
//
// Imported graphs hold more beside these (costs, weights, names: see
// datasets/gridloom_datasets/importers/dag_file.py), which read_dag leaves alone.
//
// Schedulers may rely on what read_dag returns: a cycle would hang them, a duplicate successor
// would release a task early.

#include <cstdint>
#include <filesystem>
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

/// Checks offsets, ranges, and that there is no self edge, no duplicate successor and no cycle.
/// Throws usage_error "place: ..." naming the offending task or "edge U -> V". Cost: linear in
/// tasks and edges, 12 bytes a task besides the graph.
void check_dag(csr_graph const& graph, std::string_view place);

/// Reads and checks a graph. Throws usage_error naming the file and what was expected. One thread
/// at a time (HDF5 is not thread-safe).
[[nodiscard]] csr_graph read_dag(std::filesystem::path const& path);

/// Checks and writes a graph; the file is there whole or not at all. Throws usage_error when the
/// graph is no DAG, run_error when writing fails.
void write_dag(std::filesystem::path const& path, csr_graph const& graph);

}  // namespace gridloom
