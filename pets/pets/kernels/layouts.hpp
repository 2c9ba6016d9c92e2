#pragma once
// Layouts of a task graph in memory, which the thesis tries one after another (4.2, 4.4). A layout
// tells whether a task has predecessors, and visits predecessors and successors with their weights.
//
// Departure: the thesis's third rectangle holds the weights of incoming edges, and code 4.2 uses
// their sum as DTC. The text defines DTC by outgoing edges, so here the rectangle holds the weights
// of outgoing edges.

#include "pets/support/device_graph.hpp"

namespace gridloom::pets {

/// Marks "no edge" in a matrix of weights, as no_task marks "no task" in a rectangle.
inline constexpr time_value no_edge = ~time_value{0};

/// Matrix of edge weights: row = source, column = target. If Transposed: row = target, column =
/// source.
template <bool Transposed>
struct matrix_ref {
  std::uint32_t num_tasks;
  time_value const* weights;

  [[nodiscard]] GRIDLOOM_FN time_value at(std::uint32_t from, std::uint32_t to) const {
    std::size_t const row = Transposed ? to : from;
    return weights[row * num_tasks + (Transposed ? from : to)];
  }
  [[nodiscard]] GRIDLOOM_FN bool is_entry(std::uint32_t task) const {
    for (std::uint32_t from = 0; from < num_tasks; ++from) {
      if (at(from, task) != no_edge) return false;
    }
    return true;
  }
  template <class Body>
  GRIDLOOM_FN void for_predecessors(std::uint32_t task, Body const& body) const {
    for (std::uint32_t from = 0; from < num_tasks; ++from) {
      if (at(from, task) != no_edge) body(from);
    }
  }
  template <class Body>
  GRIDLOOM_FN void for_successors(std::uint32_t task, Body const& body) const {
    for (std::uint32_t to = 0; to < num_tasks; ++to) {
      time_value const weight = at(task, to);
      if (weight != no_edge) body(to, weight);
    }
  }
};

/// Rectangles with one column per task and as many rows as the largest degree. Columns are filled
/// from the first row on. As in the thesis, a kernel reads all rows.
struct rectangle_ref {
  std::uint32_t num_tasks;
  std::uint32_t in_rows;
  std::uint32_t out_rows;
  std::uint32_t const* predecessors;
  std::uint32_t const* successors;
  /// Weights of the edges to `successors`, 0 where there is no edge.
  time_value const* weights;

  [[nodiscard]] GRIDLOOM_FN bool is_entry(std::uint32_t task) const {
    return in_rows == 0 || predecessors[task] == no_task;
  }
  template <class Body>
  GRIDLOOM_FN void for_predecessors(std::uint32_t task, Body const& body) const {
    for (std::uint32_t row = 0; row < in_rows; ++row) {
      std::uint32_t const from = predecessors[std::size_t{row} * num_tasks + task];
      if (from != no_task) body(from);
    }
  }
  template <class Body>
  GRIDLOOM_FN void for_successors(std::uint32_t task, Body const& body) const {
    for (std::uint32_t row = 0; row < out_rows; ++row) {
      std::size_t const cell = std::size_t{row} * num_tasks + task;
      std::uint32_t const to = successors[cell];
      if (to != no_task) body(to, weights[cell]);
    }
  }
};

}  // namespace gridloom::pets
