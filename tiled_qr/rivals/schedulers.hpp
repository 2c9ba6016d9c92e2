#pragma once
// Schedulers that a user could write for a tiled QR: launches per level, or OpenMP tasks.

#include "tiled_qr/factorization.hpp"

namespace gridloom::tiled_qr::by {

extern scheduling_kind const launches_kind;
extern scheduling_kind const graph_kind;
extern scheduling_kind const graph_pdl_kind;
extern scheduling_kind const omp_tasks_kind;

/// One launch per level.
inline constexpr scheduling launches = &launches_kind;
/// The same launches as a CUDA graph.
inline constexpr scheduling graph = &graph_kind;
/// The CUDA graph with programmatic dependent launch.
inline constexpr scheduling graph_pdl = &graph_pdl_kind;
/// OpenMP tasks, on the host only.
inline constexpr scheduling omp_tasks = &omp_tasks_kind;

}  // namespace gridloom::tiled_qr::by
