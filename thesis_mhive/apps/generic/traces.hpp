#pragma once
// What --trace and --perfetto write.

#include <span>
#include <string>
#include <vector>

#include "execution_tree.hpp"
#include "gridloom/bench/result_table.hpp"
#include "gridloom/bench/trace_log.hpp"

namespace gridloom::mhive::generic {

/// The tables of a trace file: trace, tree and edges.
[[nodiscard]] std::vector<result_table> trace_tables(execution_tree const& tree,
                                                     std::span<bench::arm_trace const> traces);

/// The traces as Chrome trace events (JSON), for ui.perfetto.dev: an arm is a process, a worker a
/// thread. Tasks that a worker executed side by side, as a warp does those of single threads, get
/// further threads, because events of one thread must not overlap.
[[nodiscard]] std::string chrome_trace(execution_tree const& tree,
                                       std::span<bench::arm_trace const> traces);

}  // namespace gridloom::mhive::generic
