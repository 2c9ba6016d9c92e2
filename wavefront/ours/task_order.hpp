#pragma once
// An order in which a graph's tasks are taken: each task has a position, 0 to tasks() - 1, and comes
// after all its predecessors.
//
// Three of them. The tasks' own numbers, where these are a topological order. The waves of a 2-D
// lattice, computed from indices. Any order that is listed: there predecessors are listed by
// position, so that nobody translates while the tasks run.

#include <cmath>
#include <concepts>
#include <cstdint>

#include "support/divider.hpp"
#include "support/levels.hpp"
#include "support/task_graph.hpp"

namespace gridloom::wavefront {

/// - `at(position)` is what a worker has to know of a task, `place`: its number `task`, and the
///   positions `from` of its predecessors, listed as the graph lists these.
/// - The same in two steps, for what a thread can do while loads are under way: `row_at(position)`
///   is what has to be loaded for it, `at(position, row)` what follows from that. Where nothing is
///   loaded the row is the place.
/// - `batch` is how many predecessors a worker looks at together.
template <class Order>
concept task_order = requires(Order const order, std::uint32_t position) {
  { order.tasks() } -> std::same_as<std::uint32_t>;
  { order.at(position).task } -> std::convertible_to<std::uint32_t>;
  { order.at(position).from.size() } -> std::same_as<std::uint32_t>;
  { order.at(position).from[0] } -> std::same_as<std::uint32_t>;
  { order.at(position, order.row_at(position)).task } -> std::convertible_to<std::uint32_t>;
  { order.batch } -> std::convertible_to<std::uint32_t>;
};

/// Edges go from smaller to larger numbers.
template <task_graph Graph>
struct own_order {
  using list = decltype(Graph{}.predecessors(0));
  struct place {
    std::uint32_t task = none;
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

/// A 2-D lattice wave by wave, from the first row down.
class diagonal_order {
 public:
  struct place {
    std::uint32_t task = none;
    short_list from{};
  };
  static constexpr std::uint32_t batch = 2;

  explicit diagonal_order(lattice graph)
      : waves_{graph},
        longest_(graph.rows() < graph.cols() ? graph.rows() : graph.cols()),
        corner_(static_cast<std::uint32_t>(std::uint64_t{longest_} * (longest_ - 1) / 2)),
        by_longest_(longest_) {}

  GRIDLOOM_FN std::uint32_t tasks() const { return waves_.graph.tasks(); }
  GRIDLOOM_FN place at(std::uint32_t position) const { return row_at(position); }
  GRIDLOOM_FN static place at(std::uint32_t /*position*/, place const& row) { return row; }
  GRIDLOOM_FN place row_at(std::uint32_t position) const {
    auto const [wave, first] = wave_of(position);
    std::uint32_t const row = waves_.first_row(wave) + (position - first);
    place result{row * waves_.graph.cols() + (wave - row), {}};
    if (wave == 0) return result;
    // Task (row, wave - 1 - row) of the wave before, were it there.
    std::uint32_t const left = first - waves_.size(wave - 1) + (row - waves_.first_row(wave - 1));
    if (row > 0) result.from.append(left - 1);
    if (wave > row) result.from.append(left);
    return result;
  }

 private:
  struct wave_start {
    std::uint32_t wave;
    /// Position of its first task.
    std::uint32_t first;
  };
  /// Waves grow by a task each in one corner, have all the same length in the middle, and shrink by
  /// a task each in the other corner.
  GRIDLOOM_FN wave_start wave_of(std::uint32_t position) const {
    if (position < corner_) {
      std::uint32_t const wave = triangle_of(position);
      return {wave, wave * (wave + 1) / 2};
    }
    if (position < tasks() - corner_) {
      std::uint32_t const k = by_longest_.quotient(position - corner_);
      return {longest_ - 1 + k, corner_ + k * longest_};
    }
    std::uint32_t const left = triangle_of(tasks() - 1 - position);  // waves behind this one
    return {waves_.count() - 1 - left, tasks() - (left + 1) * (left + 2) / 2};
  }
  /// The largest w with w (w + 1) / 2 <= n, for n below a corner's size.
  GRIDLOOM_FN static std::uint32_t triangle_of(std::uint32_t n) {
    auto w = static_cast<std::uint32_t>((std::sqrt(8.0F * static_cast<float>(n) + 1) - 1) / 2);
    // Rounding is off by less than one.
    if (w * (w + 1) / 2 > n) --w;
    if ((w + 1) * (w + 2) / 2 <= n) ++w;
    return w;
  }

  diagonal_levels waves_;
  /// Tasks of the longest waves.
  std::uint32_t longest_;
  /// Tasks before the first of the longest waves, and behind the last.
  std::uint32_t corner_;
  divider by_longest_;
};

/// Any order: arrays in memory.
struct listed_order {
  struct place {
    std::uint32_t task = none;
    index_range from{};
  };
  static constexpr std::uint32_t batch = 4;

  std::uint32_t n = 0;
  /// By position.
  std::uint32_t const* numbers = nullptr;
  /// n + 1.
  std::uint64_t const* offsets = nullptr;
  /// Positions.
  std::uint32_t const* predecessors = nullptr;

  struct row {
    std::uint32_t task = none;
    std::uint64_t first = 0;
    std::uint64_t end = 0;
  };

  GRIDLOOM_FN std::uint32_t tasks() const { return n; }
  GRIDLOOM_FN place at(std::uint32_t position) const { return at(position, row_at(position)); }
  GRIDLOOM_FN row row_at(std::uint32_t position) const {
    return {numbers[position], offsets[position], offsets[position + 1]};
  }
  GRIDLOOM_FN place at(std::uint32_t /*position*/, row const& of) const {
    return {of.task, {predecessors + of.first, static_cast<std::uint32_t>(of.end - of.first)}};
  }
};

static_assert(task_order<own_order<lattice>> && task_order<own_order<dag_ref>> &&
              task_order<diagonal_order> && task_order<listed_order>);

}  // namespace gridloom::wavefront
