#pragma once
// Task graphs of dense factorisations by tiles. A task depends on the last tasks that wrote the
// data it uses. Durations are numbers of operations, in thirds of the cube of a tile's side:
// Bouwmeester, Jacquelin, Langou, Robert: "Tiled QR factorization algorithms", SC 2011, table 1, and
// the usual counts of the other two.

#include "gridloom/taskgraph/graph_file.hpp"

namespace gridloom {

/// Largest number of tiles along one side. All task numbers fit.
inline constexpr std::uint64_t most_tiles = 1000;

/// Edges go to larger numbers. Cost: linear in tasks.
[[nodiscard]] csr_graph cholesky_tasks(std::uint64_t tiles);
/// LU without pivoting.
[[nodiscard]] csr_graph lu_tasks(std::uint64_t tiles);
/// QR, where the tiles of a column are eliminated one after another.
[[nodiscard]] csr_graph qr_tasks(std::uint64_t rows, std::uint64_t cols);

}  // namespace gridloom
