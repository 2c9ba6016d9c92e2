#pragma once
// The output of --trace and --perfetto.

#include <span>
#include <string>
#include <vector>

#include "execution_tree.hpp"
#include "gridloom/bench/result_table.hpp"
#include "gridloom/bench/trace_log.hpp"

namespace gridloom::mhive::generic {

/// Returns the tables of a trace file: trace, tree and edges.
[[nodiscard]] std::vector<result_table> trace_tables(execution_tree const& tree,
                                                     std::span<bench::arm_trace const> traces);

/// Returns the traces as Chrome trace events (JSON), for ui.perfetto.dev, with one process per arm
/// and one thread per worker. Events of one thread must not overlap. So a worker that executed
/// several tasks at once (a warp with single-thread tasks) gets further threads.
[[nodiscard]] std::string chrome_trace(execution_tree const& tree,
                                       std::span<bench::arm_trace const> traces);

}  // namespace gridloom::mhive::generic
