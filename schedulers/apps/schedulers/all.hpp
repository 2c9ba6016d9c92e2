#pragma once
// All schedulers with synthetic tasks.

#include <vector>

#include "gridloom/taskgraph/synthetic_graph.hpp"
#include "schedulers/scheduler.hpp"

namespace gridloom::schedulers {

using synthetic_scheduler = scheduler<synthetic_graph_ref>;

[[nodiscard]] std::vector<synthetic_scheduler> synthetic_rivals();
[[nodiscard]] std::vector<synthetic_scheduler> synthetic_juggler();
[[nodiscard]] std::vector<synthetic_scheduler> synthetic_mhive();
[[nodiscard]] std::vector<synthetic_scheduler> synthetic_mhive_pdc();
[[nodiscard]] std::vector<synthetic_scheduler> synthetic_pets();
[[nodiscard]] std::vector<synthetic_scheduler> synthetic_tiled_qr();
[[nodiscard]] std::vector<synthetic_scheduler> synthetic_wavefront();

/// Published ones first, then ours, then rivals. Computed once.
[[nodiscard]] std::vector<synthetic_scheduler> const& all_schedulers();

}  // namespace gridloom::schedulers
