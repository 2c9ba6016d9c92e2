#pragma once
// What a scheduler knows of a task graph: the views that kernels hold.
//
// Tasks are numbered 0 to tasks() - 1. `successors(t)` and `predecessors(t)` list neighbours by position; positions
// of successors matter: schedulers release in that order and may keep the one released last. On a lattice that is
// the right neighbour (paper, listings 2 to 4), so that a worker stays in its row.

#include <concepts>
#include <cstdint>
#include <variant>

#include "gridloom/portable.hpp"

namespace gridloom::wavefront {

/// No task.
inline constexpr std::uint32_t none = 0xffffffffU;
/// Largest graph: a counter with its top bit set marks a parked task (ticket_queue.hpp).
inline constexpr std::uint64_t max_tasks = 0x7fffffffU;

template <class Graph>
concept task_graph = requires(Graph const graph, std::uint32_t task, int k) {
  { graph.tasks() } -> std::same_as<std::uint32_t>;
  { graph.dependencies(task) } -> std::same_as<std::uint32_t>;
  { graph.successors(task).size() } -> std::same_as<std::uint32_t>;
  { graph.successors(task)[0] } -> std::same_as<std::uint32_t>;
  { graph.predecessors(task).size() } -> std::same_as<std::uint32_t>;
  { graph.predecessors(task)[0] } -> std::same_as<std::uint32_t>;
};

/// Up to three neighbours, in registers.
class short_list {
 public:
  GRIDLOOM_FN void append(std::uint32_t task) {
    (size_ == 0 ? first_ : size_ == 1 ? second_ : third_) = task;
    ++size_;
  }
  GRIDLOOM_FN std::uint32_t size() const { return size_; }
  GRIDLOOM_FN std::uint32_t operator[](std::uint32_t k) const { return k == 0 ? first_ : k == 1 ? second_ : third_; }

 private:
  std::uint32_t size_ = 0;
  std::uint32_t first_ = none;
  std::uint32_t second_ = none;
  std::uint32_t third_ = none;
};

/// Cells of a rows × cols × depth lattice; cell (z, r, c) is task (z · rows + r) · cols + c and depends on (z-1, r, c),
/// (z, r-1, c) and (z, r, c-1) as far as they are there. Depth 1 is the paper's wavefront, more its KBA sweep.
struct lattice {
  std::uint32_t rows = 1;
  std::uint32_t cols = 1;
  std::uint32_t depth = 1;

  GRIDLOOM_FN std::uint32_t tasks() const { return rows * cols * depth; }
  GRIDLOOM_FN std::uint32_t plane() const { return rows * cols; }

  GRIDLOOM_FN std::uint32_t dependencies(std::uint32_t task) const { return predecessors(task).size(); }

  GRIDLOOM_FN short_list predecessors(std::uint32_t task) const {
    auto const [z, r, c] = cell(task);
    short_list list;
    if (z > 0) list.append(task - plane());
    if (r > 0) list.append(task - cols);
    if (c > 0) list.append(task - 1);
    return list;
  }
  /// Deeper, below, right.
  GRIDLOOM_FN short_list successors(std::uint32_t task) const {
    auto const [z, r, c] = cell(task);
    short_list list;
    if (z + 1 < depth) list.append(task + plane());
    if (r + 1 < rows) list.append(task + cols);
    if (c + 1 < cols) list.append(task + 1);
    return list;
  }

 private:
  struct coordinates {
    std::uint32_t z, r, c;
  };
  GRIDLOOM_FN coordinates cell(std::uint32_t task) const {
    std::uint32_t const z = depth == 1 ? 0 : task / plane();
    std::uint32_t const in_plane = task - z * plane();
    std::uint32_t const r = in_plane / cols;
    return {z, r, in_plane - r * cols};
  }
};

/// A stretch of an index array in memory.
struct index_range {
  std::uint32_t const* first;
  std::uint32_t length;
  GRIDLOOM_FN std::uint32_t size() const { return length; }
  GRIDLOOM_FN std::uint32_t operator[](std::uint32_t k) const { return first[k]; }
};

/// Any directed acyclic graph: successors and predecessors in compressed rows.
struct dag_ref {
  std::uint32_t n = 0;
  std::uint64_t const* successor_offsets = nullptr;    ///< n + 1
  std::uint32_t const* successor_tasks = nullptr;
  std::uint64_t const* predecessor_offsets = nullptr;  ///< n + 1
  std::uint32_t const* predecessor_tasks = nullptr;

  GRIDLOOM_FN std::uint32_t tasks() const { return n; }
  GRIDLOOM_FN std::uint32_t dependencies(std::uint32_t task) const {
    return static_cast<std::uint32_t>(predecessor_offsets[task + 1] - predecessor_offsets[task]);
  }
  GRIDLOOM_FN index_range successors(std::uint32_t task) const {
    return range(successor_offsets, successor_tasks, task);
  }
  GRIDLOOM_FN index_range predecessors(std::uint32_t task) const {
    return range(predecessor_offsets, predecessor_tasks, task);
  }

 private:
  GRIDLOOM_FN static index_range range(std::uint64_t const* offsets, std::uint32_t const* tasks, std::uint32_t task) {
    std::uint64_t const first = offsets[task];
    return {tasks + first, static_cast<std::uint32_t>(offsets[task + 1] - first)};
  }
};

static_assert(task_graph<lattice> && task_graph<dag_ref>);

using graph_view = std::variant<lattice, dag_ref>;

}  // namespace gridloom::wavefront
