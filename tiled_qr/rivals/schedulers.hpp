#pragma once
// Schedulers that a user could write for a tiled QR: launches per level, or OpenMP tasks.

#include "tiled_qr/factorization.hpp"

namespace gridloom::tiled_qr {

template <class T>
std::unique_ptr<scheduler<T>> make_launches(scheduler_setup const& setup);
template <class T>
std::unique_ptr<scheduler<T>> make_graph(scheduler_setup const& setup);
template <class T>
std::unique_ptr<scheduler<T>> make_graph_pdl(scheduler_setup const& setup);
template <class T>
std::unique_ptr<scheduler<T>> make_omp_tasks(scheduler_setup const& setup);

namespace by {

inline constexpr scheduling_kind launches_kind{.in_float = make_launches<float>,
                                               .in_double = make_launches<double>,
                                               .waits_inside = false,
                                               .launches_steps = true};
inline constexpr scheduling_kind graph_kind{.in_float = make_graph<float>,
                                            .in_double = make_graph<double>,
                                            .waits_inside = false,
                                            .launches_steps = true};
inline constexpr scheduling_kind graph_pdl_kind{.in_float = make_graph_pdl<float>,
                                                .in_double = make_graph_pdl<double>,
                                                .waits_inside = false,
                                                .launches_steps = true};
inline constexpr scheduling_kind omp_tasks_kind{
    .in_float = make_omp_tasks<float>, .in_double = make_omp_tasks<double>, .waits_inside = false};

/// One launch per level.
inline constexpr scheduling launches = &launches_kind;
/// The same launches as a CUDA graph.
inline constexpr scheduling graph = &graph_kind;
/// The CUDA graph with programmatic dependent launch.
inline constexpr scheduling graph_pdl = &graph_pdl_kind;
/// OpenMP tasks, on the host only.
inline constexpr scheduling omp_tasks = &omp_tasks_kind;

}  // namespace by
}  // namespace gridloom::tiled_qr
