#pragma once
// Times of the task types, computed from a trace of tasks for Fig. 8.2.

#include <span>
#include <string>
#include <vector>

#include "arm.hpp"
#include "gridloom/trace.hpp"

namespace gridloom::mhive::rcm {

/// Returns one entry per name. `names` are the names of the task types in the events.
[[nodiscard]] std::vector<part_time> part_times(std::span<traced_task const> events,
                                                std::vector<std::string> const& names);

}  // namespace gridloom::mhive::rcm
