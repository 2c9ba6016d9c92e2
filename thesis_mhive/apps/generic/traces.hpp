#pragma once
// The output of --trace.

#include <span>
#include <vector>

#include "execution_tree.hpp"
#include "gridloom/bench/result_table.hpp"
#include "gridloom/bench/trace_log.hpp"

namespace gridloom::mhive::generic {

/// Returns the tables of a trace file: trace, tree and edges.
[[nodiscard]] std::vector<result_table> trace_tables(execution_tree const& tree,
                                                     std::span<bench::arm_trace const> traces);

}  // namespace gridloom::mhive::generic
