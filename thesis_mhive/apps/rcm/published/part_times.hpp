#pragma once
// Times of the task types, computed from a trace of tasks for Fig. 8.2.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "arm.hpp"
#include "gridloom/trace.hpp"

namespace gridloom::mhive::rcm {

/// Returns one entry per name. `names` are the names of the task types in the events.
[[nodiscard]] inline std::vector<part_time> part_times(std::span<traced_task const> events,
                                                       std::vector<std::string> const& names) {
  std::vector<trace_event> sorted;
  sorted.reserve(events.size());
  for (traced_task const& task : events) sorted.push_back(task.event);
  std::sort(sorted.begin(), sorted.end(),
            [](trace_event const& a, trace_event const& b) { return a.begin_ns < b.begin_ns; });
  constexpr double ns_a_ms = 1e6;
  std::vector<part_time> parts(names.size());
  std::vector<std::uint64_t> covered_until(names.size(), 0);
  for (std::size_t type = 0; type < names.size(); ++type) parts[type].part = names[type];
  for (trace_event const& event : sorted) {
    part_time& part = parts.at(event.type);
    std::uint64_t& covered = covered_until[event.type];
    ++part.tasks;
    part.busy_ms += static_cast<double>(event.end_ns - event.begin_ns) / ns_a_ms;
    std::uint64_t const from = std::max(event.begin_ns, covered);
    if (event.end_ns <= from) continue;
    part.elapsed_ms += static_cast<double>(event.end_ns - from) / ns_a_ms;
    covered = event.end_ns;
  }
  return parts;
}

}  // namespace gridloom::mhive::rcm
