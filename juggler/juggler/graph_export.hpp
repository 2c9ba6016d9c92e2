#pragma once
// A task graph as files for other programs and for people.

#include <filesystem>
#include <string>
#include <vector>

#include "juggler/dag.hpp"

namespace gridloom::juggler {

/// Writes the DAG file of the datasets (gridloom/sparse/graph_file.hpp), which schedulers of this
/// repository read. What tasks cost is not known before they run: each costs 1, and hands 1 to each
/// successor. `type_names` names the kernel types; the file names task 3 of type lu0 "lu0 3". The file
/// is there whole or not at all. Throws run_error when writing fails.
void write_graph_file(std::filesystem::path const& path, task_dag const& dag,
                      std::vector<std::string> const& type_names);

/// The same for Graphviz.
void write_graphviz(std::filesystem::path const& path, task_dag const& dag,
                    std::vector<std::string> const& type_names);

}  // namespace gridloom::juggler
