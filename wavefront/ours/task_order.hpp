#pragma once
// Topological orders of a graph's tasks. Each task has a position, 0 to tasks() - 1, and comes
// after all its predecessors. There are three orders:
// - the tasks' own numbers, if these are a topological order;
// - the levels of a 2-D lattice, computed from indices;
// - any order, stored as a list. It has the positions of predecessors, so that no worker translates
//   task numbers during a run.

#include <cmath>
#include <concepts>
#include <cstdint>

#include "gridloom/taskgraph/divider.hpp"
#include "gridloom/taskgraph/graph_view.hpp"
#include "gridloom/taskgraph/levels.hpp"

namespace gridloom::wavefront {

/// - `at(position)` returns a `place`: the number `task` of the task at a position, and the
///   positions `from` of its predecessors in the order of the graph.
/// - `row_at(position)` and `at(position, row)` do the same in two steps, so that a thread can work
///   in between. The first issues the loads, and the second uses the loaded data. If nothing needs
///   loading, row_at returns the place.
/// - `batch` is the number of predecessors that a worker looks at together.
template <class Order>
concept task_order = requires(Order const order, std::uint32_t position) {
  { order.tasks() } -> std::same_as<std::uint32_t>;
  { order.at(position).task } -> std::convertible_to<std::uint32_t>;
  { order.at(position).from.size() } -> std::same_as<std::uint32_t>;
  { order.at(position).from[0] } -> std::same_as<std::uint32_t>;
  { order.at(position, order.row_at(position)).task } -> std::convertible_to<std::uint32_t>;
  { order.batch } -> std::convertible_to<std::uint32_t>;
};

/// The tasks' own numbers. All edges go from smaller to larger numbers.
template <task_graph Graph>
struct own_order {
  using list = decltype(Graph{}.predecessors(0));
  struct place {
    std::uint32_t task = no_task;
    list from{};
  };
  static constexpr std::uint32_t batch = std::same_as<Graph, lattice> ? 3 : 4;

  Graph graph;

  GRIDLOOM_FN std::uint32_t tasks() const { return graph.tasks(); }
  GRIDLOOM_FN place at(std::uint32_t position) const { return at(position, row_at(position)); }
  GRIDLOOM_FN auto row_at(std::uint32_t position) const {
    if constexpr (std::same_as<Graph, lattice>) {
      return place{position, graph.predecessors(position)};
    } else {
      return graph.predecessor_row(position);
    }
  }
  template <class Row>
  GRIDLOOM_FN place at(std::uint32_t position, Row const& row) const {
    if constexpr (std::same_as<Graph, lattice>) {
      return row;
    } else {
      return {position, graph.predecessors_in(row)};
    }
  }
};

/// A 2-D lattice level by level, each level from the first row down.
class diagonal_order {
 public:
  struct place {
    std::uint32_t task = no_task;
    short_list from{};
  };
  static constexpr std::uint32_t batch = 2;

  explicit diagonal_order(lattice graph)
      : levels_{graph},
        longest_(graph.rows() < graph.cols() ? graph.rows() : graph.cols()),
        corner_(static_cast<std::uint32_t>(std::uint64_t{longest_} * (longest_ - 1) / 2)),
        by_longest_(longest_) {}

  GRIDLOOM_FN std::uint32_t tasks() const { return levels_.graph.tasks(); }
  GRIDLOOM_FN place at(std::uint32_t position) const { return row_at(position); }
  GRIDLOOM_FN static place at(std::uint32_t /*position*/, place const& row) { return row; }
  GRIDLOOM_FN place row_at(std::uint32_t position) const {
    auto const [level, first] = level_of(position);
    std::uint32_t const row = levels_.first_row(level) + (position - first);
    place result{row * levels_.graph.cols() + (level - row), {}};
    if (level == 0) return result;
    // Position of cell (row, level - 1 - row) of the previous level, if there is one.
    std::uint32_t const left =
        first - levels_.size(level - 1) + (row - levels_.first_row(level - 1));
    if (row > 0) result.from.append(left - 1);
    if (level > row) result.from.append(left);
    return result;
  }

 private:
  struct level_start {
    std::uint32_t level;
    /// Position of the level's first task.
    std::uint32_t first;
  };
  /// The level of a position. Each level has one task more than the previous one until the longest
  /// size is reached. At the other end, each has one task less.
  GRIDLOOM_FN level_start level_of(std::uint32_t position) const {
    if (position < corner_) {
      std::uint32_t const level = triangle_of(position);
      return {level, level * (level + 1) / 2};
    }
    if (position < tasks() - corner_) {
      std::uint32_t const k = by_longest_.quotient(position - corner_);
      return {longest_ - 1 + k, corner_ + k * longest_};
    }
    // Number of levels after this one.
    std::uint32_t const left = triangle_of(tasks() - 1 - position);
    return {levels_.count() - 1 - left, tasks() - (left + 1) * (left + 2) / 2};
  }
  /// The largest w with w (w + 1) / 2 <= n, for n below `corner_`.
  GRIDLOOM_FN static std::uint32_t triangle_of(std::uint32_t n) {
    auto w = static_cast<std::uint32_t>((std::sqrt(8.0F * static_cast<float>(n) + 1) - 1) / 2);
    // Corrects the rounding error, which is less than one.
    if (w * (w + 1) / 2 > n) --w;
    if ((w + 1) * (w + 2) / 2 <= n) ++w;
    return w;
  }

  diagonal_levels levels_;
  /// Number of tasks in each of the longest levels.
  std::uint32_t longest_;
  /// Number of tasks before the first of the longest levels, and also after the last of them.
  std::uint32_t corner_;
  divider by_longest_;
};

/// Any order, as arrays in memory.
struct listed_order {
  struct place {
    std::uint32_t task = no_task;
    index_range from{};
  };
  static constexpr std::uint32_t batch = 4;

  std::uint32_t n = 0;
  /// Task at each position.
  std::uint32_t const* numbers = nullptr;
  /// Array of n + 1 offsets: where the predecessors of each position begin.
  std::uint64_t const* offsets = nullptr;
  /// Array of the positions of all predecessors.
  std::uint32_t const* predecessors = nullptr;

  struct row {
    std::uint32_t task = no_task;
    std::uint64_t first = 0;
    std::uint64_t end = 0;
  };

  GRIDLOOM_FN std::uint32_t tasks() const { return n; }
  GRIDLOOM_FN place at(std::uint32_t position) const { return at(position, row_at(position)); }
  GRIDLOOM_FN row row_at(std::uint32_t position) const {
    return {numbers[position], offsets[position], offsets[position + 1]};
  }
  GRIDLOOM_FN place at(std::uint32_t /*position*/, row const& entry) const {
    return {entry.task,
            {predecessors + entry.first, static_cast<std::uint32_t>(entry.end - entry.first)}};
  }
};

static_assert(task_order<own_order<lattice>> && task_order<own_order<dag_ref>> &&
              task_order<diagonal_order> && task_order<listed_order>);

}  // namespace gridloom::wavefront
