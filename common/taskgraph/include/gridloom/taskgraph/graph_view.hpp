#pragma once
// Views of task graphs in kernels. Tasks are numbered 0 to tasks() - 1. `successors(t)` and
// `predecessors(t)` list the neighbours of a task. A worker should continue with the first
// successor. On a lattice, this is the right neighbour, which the paper's listings release first.

#include <concepts>
#include <cstdint>
#include <variant>

#include "gridloom/portable.hpp"
#include "gridloom/taskgraph/divider.hpp"
#include "gridloom/taskgraph/graph_file.hpp"

namespace gridloom {

template <class Graph>
concept task_graph = requires(Graph const graph, std::uint32_t task, int k) {
  { graph.tasks() } -> std::same_as<std::uint32_t>;
  { graph.dependencies(task) } -> std::same_as<std::uint32_t>;
  { graph.successors(task).size() } -> std::same_as<std::uint32_t>;
  { graph.successors(task)[0] } -> std::same_as<std::uint32_t>;
  { graph.predecessors(task).size() } -> std::same_as<std::uint32_t>;
  { graph.predecessors(task)[0] } -> std::same_as<std::uint32_t>;
};

/// Up to three neighbours, in registers. Loops over a list must go forward: nvcc 13.0 miscompiled a
/// loop that went backward over `operator[]` (it treated the first entry as unused after the first
/// iteration).
class short_list {
 public:
  static constexpr std::uint32_t most = 3;

  GRIDLOOM_FN void append(std::uint32_t task) {
    (size_ == 0 ? first_ : size_ == 1 ? second_ : third_) = task;
    ++size_;
  }
  GRIDLOOM_FN std::uint32_t size() const { return size_; }
  GRIDLOOM_FN std::uint32_t operator[](std::uint32_t k) const {
    return k == 0 ? first_ : k == 1 ? second_ : third_;
  }

 private:
  std::uint32_t size_ = 0;
  std::uint32_t first_ = no_task;
  std::uint32_t second_ = no_task;
  std::uint32_t third_ = no_task;
};

/// The place of a task in a lattice.
struct lattice_cell {
  std::uint32_t z;
  std::uint32_t row;
  std::uint32_t col;
};

/// A lattice of rows × cols × depth cells. Cell (z, r, c) is task (z · rows + r) · cols + c. It
/// depends on (z-1, r, c), (z, r-1, c) and (z, r, c-1), if they exist. Depth 1 is the paper's
/// wavefront; larger depths are its KBA sweep.
class lattice {
 public:
  lattice() = default;
  /// rows × cols × depth is at most `most_tasks`.
  lattice(std::uint32_t rows, std::uint32_t cols, std::uint32_t depth)
      : rows_(rows), cols_(cols), depth_(depth), by_plane_(rows * cols), by_cols_(cols) {}

  GRIDLOOM_FN std::uint32_t rows() const { return rows_; }
  GRIDLOOM_FN std::uint32_t cols() const { return cols_; }
  GRIDLOOM_FN std::uint32_t depth() const { return depth_; }
  GRIDLOOM_FN std::uint32_t plane() const { return rows_ * cols_; }
  GRIDLOOM_FN std::uint32_t tasks() const { return plane() * depth_; }

  GRIDLOOM_FN std::uint32_t dependencies(std::uint32_t task) const {
    return predecessors(task).size();
  }
  GRIDLOOM_FN short_list predecessors(std::uint32_t task) const {
    return predecessors(task, cell_of(task));
  }
  /// The neighbours to the right, below, and in the next plane.
  GRIDLOOM_FN short_list successors(std::uint32_t task) const {
    lattice_cell const at = cell_of(task);
    short_list list;
    if (at.col + 1 < cols_) list.append(task + 1);
    if (at.row + 1 < rows_) list.append(task + cols_);
    if (at.z + 1 < depth_) list.append(task + plane());
    return list;
  }
  /// The predecessors of a task with a known cell.
  GRIDLOOM_FN short_list predecessors(std::uint32_t task, lattice_cell at) const {
    short_list list;
    if (at.z > 0) list.append(task - plane());
    if (at.row > 0) list.append(task - cols_);
    if (at.col > 0) list.append(task - 1);
    return list;
  }

 private:
  GRIDLOOM_FN lattice_cell cell_of(std::uint32_t task) const {
    std::uint32_t const z = depth_ == 1 ? 0 : by_plane_.quotient(task);
    std::uint32_t const in_plane = task - z * plane();
    std::uint32_t const row = by_cols_.quotient(in_plane);
    return {z, row, in_plane - row * cols_};
  }

  std::uint32_t rows_ = 1;
  std::uint32_t cols_ = 1;
  std::uint32_t depth_ = 1;
  divider by_plane_;
  divider by_cols_;
};

/// A range of an index array in memory.
struct index_range {
  std::uint32_t const* first;
  std::uint32_t length;
  GRIDLOOM_FN std::uint32_t size() const { return length; }
  GRIDLOOM_FN std::uint32_t operator[](std::uint32_t k) const { return first[k]; }
};

/// Any directed acyclic graph: successors and predecessors in compressed rows.
struct dag_ref {
  std::uint32_t n = 0;
  /// Array of n + 1 offsets.
  std::uint64_t const* successor_offsets = nullptr;
  std::uint32_t const* successor_tasks = nullptr;
  /// Array of n + 1 offsets.
  std::uint64_t const* predecessor_offsets = nullptr;
  std::uint32_t const* predecessor_tasks = nullptr;

  GRIDLOOM_FN std::uint32_t tasks() const { return n; }
  GRIDLOOM_FN std::uint32_t dependencies(std::uint32_t task) const {
    return static_cast<std::uint32_t>(predecessor_offsets[task + 1] - predecessor_offsets[task]);
  }
  GRIDLOOM_FN index_range successors(std::uint32_t task) const {
    return successors_in(successor_row(task), task);
  }
  /// The two steps of reading a list, so that a thread can work while the first load is under way.
  struct row {
    std::uint64_t first = 0;
    std::uint64_t end = 0;
  };
  GRIDLOOM_FN row successor_row(std::uint32_t task) const {
    return {successor_offsets[task], successor_offsets[task + 1]};
  }
  GRIDLOOM_FN index_range successors_in(row const& entry, std::uint32_t /*task*/) const {
    return {successor_tasks + entry.first, static_cast<std::uint32_t>(entry.end - entry.first)};
  }
  GRIDLOOM_FN index_range predecessors(std::uint32_t task) const {
    return predecessors_in(predecessor_row(task));
  }
  GRIDLOOM_FN row predecessor_row(std::uint32_t task) const {
    return {predecessor_offsets[task], predecessor_offsets[task + 1]};
  }
  GRIDLOOM_FN index_range predecessors_in(row const& entry) const {
    return {predecessor_tasks + entry.first, static_cast<std::uint32_t>(entry.end - entry.first)};
  }
};

static_assert(task_graph<lattice> && task_graph<dag_ref>);

using graph_view = std::variant<lattice, dag_ref>;

}  // namespace gridloom
