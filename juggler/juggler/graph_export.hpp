#pragma once
// Writes a task graph as a file for other programs (HDF5) or for people (Graphviz).

#include <filesystem>
#include <string>
#include <vector>

#include "juggler/dag.hpp"

namespace gridloom::juggler {

/// Writes the DAG file of the datasets (gridloom/sparse/graph_file.hpp), which the schedulers of
/// this repository read. Costs and weights are unknown before a run, so all are 1. `type_names`
/// names the kernel types; task 3 of type lu0 is named "lu0 3". The file is written whole or not at
/// all. Throws run_error if writing fails.
void write_graph_file(std::filesystem::path const& path, task_dag const& dag,
                      std::vector<std::string> const& type_names);

/// Writes the graph for Graphviz in the same way.
void write_graphviz(std::filesystem::path const& path, task_dag const& dag,
                    std::vector<std::string> const& type_names);

}  // namespace gridloom::juggler
