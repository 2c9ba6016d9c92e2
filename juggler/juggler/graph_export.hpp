#pragma once
// Writes a task graph to a file, as HDF5 for other programs or as Graphviz for people.

#include <filesystem>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "gridloom/files/atomic_file.hpp"
#include "gridloom/taskgraph/graph_file.hpp"
#include "juggler/dag.hpp"

namespace gridloom::juggler {

namespace detail {

inline std::string name_of(task_dag const& dag, std::uint32_t task,
                           std::vector<std::string> const& type_names) {
  std::uint32_t const type = dag.kernel_types[task];
  return (type < type_names.size() ? type_names[type] : "task") + " " + std::to_string(task);
}

}  // namespace detail

/// Writes a DAG file (gridloom/taskgraph/graph_file.hpp), the input of the repository's schedulers.
/// Costs and weights are unknown before a run, so all are 1. `type_names` names the kernel types;
/// task 3 of type lu0 becomes "lu0 3". After an error no partial file is left. Throws run_error if
/// writing fails.
inline void write_graph_file(std::filesystem::path const& path, task_dag const& dag,
                             std::vector<std::string> const& type_names) {
  std::vector<std::string> names;
  for (std::uint32_t t = 0; t < dag.tasks(); ++t)
    names.push_back(detail::name_of(dag, t, type_names));
  write_dag(path, dag.children, names);
}

/// Writes the graph as a Graphviz file, under the same conditions.
inline void write_graphviz(std::filesystem::path const& path, task_dag const& dag,
                           std::vector<std::string> const& type_names) {
  std::ostringstream out;
  out << "digraph tasks {\n";
  for (std::uint32_t t = 0; t < dag.tasks(); ++t) {
    out << "  t" << t << " [label=\"" << detail::name_of(dag, t, type_names) << "\"];\n";
    for (std::uint32_t const child : dag.children.of(t))
      out << "  t" << t << " -> t" << child << ";\n";
  }
  out << "}\n";
  replace_file(path, std::as_bytes(std::span(out.view())));
}

}  // namespace gridloom::juggler
