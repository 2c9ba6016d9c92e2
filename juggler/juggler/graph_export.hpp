#pragma once
// Writes a task graph to a file, as HDF5 for other programs or as Graphviz for people.

#include <filesystem>
#include <string>
#include <vector>

#include "juggler/dag.hpp"

namespace gridloom::juggler {

/// Writes a DAG file (gridloom/taskgraph/graph_file.hpp), the input of the repository's schedulers.
/// Costs and weights are unknown before a run, so all are 1. `type_names` names the kernel types;
/// task 3 of type lu0 becomes "lu0 3". After an error no partial file is left. Throws run_error if
/// writing fails.
void write_graph_file(std::filesystem::path const& path, task_dag const& dag,
                      std::vector<std::string> const& type_names);

/// Writes the graph as a Graphviz file, under the same conditions.
void write_graphviz(std::filesystem::path const& path, task_dag const& dag,
                    std::vector<std::string> const& type_names);

}  // namespace gridloom::juggler
