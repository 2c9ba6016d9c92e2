#pragma once
// Views of a task graph's levels in kernels. All predecessors of a task are in earlier levels, so
// the tasks of one level can run at once.

#include <cstdint>

#include "gridloom/taskgraph/graph_view.hpp"

namespace gridloom {

/// The levels of a 2-D lattice, computed from indices.
struct diagonal_levels {
  lattice graph;

  GRIDLOOM_FN std::uint32_t count() const { return graph.rows() + graph.cols() - 1; }
  GRIDLOOM_FN std::uint32_t size(std::uint32_t level) const {
    return last_row(level) - first_row(level) + 1;
  }
  GRIDLOOM_FN std::uint32_t first_row(std::uint32_t level) const {
    return level < graph.cols() ? 0 : level - graph.cols() + 1;
  }
  GRIDLOOM_FN std::uint32_t task(std::uint32_t level, std::uint32_t k) const {
    std::uint32_t const row = first_row(level) + k;
    return row * graph.cols() + (level - row);
  }

 private:
  GRIDLOOM_FN std::uint32_t last_row(std::uint32_t level) const {
    return level < graph.rows() ? level : graph.rows() - 1;
  }
};

/// The levels of any graph: a list of tasks sorted by level.
struct listed_levels {
  std::uint32_t levels;
  /// Array of `levels` + 1 words: where each level begins in `tasks`.
  std::uint32_t const* offsets;
  std::uint32_t const* tasks;

  GRIDLOOM_FN std::uint32_t count() const { return levels; }
  GRIDLOOM_FN std::uint32_t size(std::uint32_t level) const {
    return offsets[level + 1] - offsets[level];
  }
  GRIDLOOM_FN std::uint32_t task(std::uint32_t level, std::uint32_t k) const {
    return tasks[offsets[level] + k];
  }
};

}  // namespace gridloom
