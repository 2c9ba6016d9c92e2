#pragma once
// The thesis's loop, one launch per level, over each of its layouts of the graph (4.3.1, 4.3.2).

#include "support/device_metrics.hpp"

namespace gridloom::pets {

/// Over a matrix of weights and over its transpose, of at most most_matrix_tasks tasks.
metrics_factory make_adjacency, make_transposed;
/// Over predecessors, successors and weights in columns, one per task; with 8 tasks per thread.
metrics_factory make_rectangular, make_rectangular_vectorised;
/// Over compressed rows, which `there` holds.
metrics_factory make_csr;

/// Largest number of tasks of a matrix, which then takes 2 GiB.
inline constexpr std::uint32_t most_matrix_tasks = 16'384;

}  // namespace gridloom::pets
