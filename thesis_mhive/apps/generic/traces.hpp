#pragma once
// The output of --trace and --perfetto.

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

/// The traces as Chrome trace events (JSON), for ui.perfetto.dev: one process per arm, one thread
/// per worker. If a worker executed tasks at the same time, as a warp does with tasks of single
/// threads, it gets further threads, because events of one thread must not overlap.
[[nodiscard]] std::string chrome_trace(execution_tree const& tree,
                                       std::span<bench::arm_trace const> traces);

}  // namespace gridloom::mhive::generic
