#pragma once
// Schedules for people and other programs: where and when each task runs. They can be written as
// CSV, JSON or HDF5, printed, or explained step by step.

#include <string>
#include <vector>

#include "graphs.hpp"
#include "pets/rivals/list_scheduler.hpp"

namespace gridloom::pets {

/// Schedules every graph once by every algorithm, on one host thread within common.timeout_s. If
/// common.verify, checks each schedule. Prints the schedules and writes them to `file`, whose
/// extension selects the format. `file` "-" prints all tasks and "" only the first ones; neither
/// writes a file. An HDF5 file has the tables `graphs` and `schedules`. Throws timeout_error,
/// wrong_result and run_error.
void make_schedules(graph_source const& graphs, std::vector<list_scheduler const*> const& by,
                    std::string const& file, bench::program& app);

/// Prints levels, ACC, DTC, RPT, ranks, the order and every task's EFTs as PETS computes them.
/// Throws usage_error for graphs whose tables would be too large to read.
void explain(task_graph const& graph, list_scheduler const& by);

}  // namespace gridloom::pets
