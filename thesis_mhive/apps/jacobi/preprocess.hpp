#pragma once
// The distribution of a system's rows to tasks (thesis, Algorithm 7.4), and the dependencies
// between tasks (7.4.2).
//
// A task takes consecutive rows until their entries would exceed the threshold. The thesis refuses
// a single row above the threshold. Here such a row is cut into segments of the threshold's length,
// one task each. The last task to finish adds up the sums of the segments in order. A *unit* is a
// set of tasks whose values of x become complete together: one task, or all segments of a row.

#include <cstdint>
#include <vector>

#include "gridloom/sparse/csr.hpp"

namespace gridloom::mhive::jacobi {

/// Limits of a task. The thesis's threshold is 64 · 8 entries; it does not tell its ROWS_PER_TASK.
struct task_limits {
  /// Capacity of a task's scratch.
  static constexpr std::uint32_t most_entries_ever = 512;

  /// Largest number of entries, from 1 to most_entries_ever.
  std::uint32_t entries = most_entries_ever;
  /// Largest number of rows, at least 1. The default is 4 per thread of a worker.
  std::uint32_t rows = 256;
};

/// The value of `task::split` for a task with whole rows.
inline constexpr std::uint32_t not_split = ~0U;

/// One task: whole rows, or a segment of one row. Aligned so that it is read in two accesses.
struct alignas(16) task {
  std::uint32_t first_row;
  /// Number of rows; 1 for a segment.
  std::uint32_t num_rows;
  std::uint32_t first_entry;
  std::uint32_t num_entries;
  /// Index in `splits`, or not_split.
  std::uint32_t split;
  /// Index of the segment within its row.
  std::uint32_t part;
  std::uint32_t unit;
  /// Number of rows with more than 32 entries (row_sum.hpp).
  std::uint32_t long_rows;
};

/// A row that several tasks compute.
struct split_row {
  std::uint32_t row;
  std::uint32_t num_parts;
  /// Index of its first segment's sum among the sums of all split rows.
  std::uint32_t first_partial;
};

/// The tasks of a system, in the order of the rows.
struct task_plan {
  task_limits limits;
  std::vector<task> tasks;
  std::vector<split_row> splits;
  std::uint32_t num_units = 0;
  /// Number of segments of all split rows.
  std::uint32_t num_partials = 0;
};

/// Distributes the rows to tasks. Cost: linear in rows. Throws std::invalid_argument for limits out
/// of range.
template <sparse::matrix_value Value>
[[nodiscard]] task_plan make_tasks(sparse::csr_matrix<Value> const& matrix,
                                   task_limits const& limits = {});

/// How a task's dependencies are counted.
enum class dependency_count {
  /// Once for each unit for which a task waits.
  tasks,
  /// Once per entry of the task's rows whose column is a row of such a unit. The thesis also counts
  /// entries whose column is one of the task's own rows.
  entries
};

/// Dependencies of tasks on units, from one iteration to the next. Task t may begin iteration k + 1
/// after `needed[t]` reductions. Unit u makes one reduction for each of its `followers` when it has
/// finished iteration k.
///
/// Only two iterates are kept, so x(k + 1) overwrites x(k - 1). Hence a task also waits for the
/// units that read its rows. If the matrix is not symmetric, its transpose (CSC) makes the relation
/// symmetric. Neighbours are then at most one iteration apart. A unit of one task is not its own
/// follower, because that task enqueues itself at its end. A segment waits for the units of its
/// columns. It also waits for its own row, whose sums it would overwrite.
struct task_graph {
  /// Array of num_units + 1 words: where the followers of each unit begin.
  std::vector<std::uint32_t> offsets;
  /// The followers of each unit, unit after unit. With dependency_count::entries, a task may be
  /// repeated.
  std::vector<std::uint32_t> followers;
  /// Array of the number of reductions that each task needs.
  std::vector<std::int32_t> needed;

  [[nodiscard]] std::uint64_t bytes() const {
    return (offsets.size() + followers.size() + needed.size()) * sizeof(std::uint32_t);
  }
};

/// Cost: linear in entries, with a transpose of the pattern.
template <sparse::matrix_value Value>
[[nodiscard]] task_graph make_graph(sparse::csr_matrix<Value> const& matrix, task_plan const& plan,
                                    dependency_count count = dependency_count::tasks);

}  // namespace gridloom::mhive::jacobi
