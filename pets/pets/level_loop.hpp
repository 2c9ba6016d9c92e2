#pragma once
// The thesis's loop, with one launch per level, for each of its layouts of the graph (4.3.1,
// 4.3.2).

#include "pets/support/device_metrics.hpp"

namespace gridloom::pets {

/// Layout: a matrix of weights, or its transpose, for at most most_matrix_tasks tasks.
metrics_factory make_adjacency, make_transposed;
/// Layout: rectangles with one column per task; the second method has 8 tasks per thread.
metrics_factory make_rectangular, make_rectangular_vectorised;

/// Largest number of tasks of a matrix; a matrix of this size takes 2 GiB.
inline constexpr std::uint32_t most_matrix_tasks = 16'384;

}  // namespace gridloom::pets
