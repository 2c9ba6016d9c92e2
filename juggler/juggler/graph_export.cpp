#include "juggler/graph_export.hpp"

#include <span>
#include <sstream>

#include "gridloom/files/atomic_file.hpp"
#include "gridloom/taskgraph/graph_file.hpp"

namespace gridloom::juggler {

namespace {

std::string name_of(task_dag const& dag, std::uint32_t task,
                    std::vector<std::string> const& type_names) {
  std::uint32_t const type = dag.kernel_types[task];
  return (type < type_names.size() ? type_names[type] : "task") + " " + std::to_string(task);
}

}  // namespace

void write_graph_file(std::filesystem::path const& path, task_dag const& dag,
                      std::vector<std::string> const& type_names) {
  std::vector<std::string> names;
  for (std::uint32_t t = 0; t < dag.tasks(); ++t) names.push_back(name_of(dag, t, type_names));
  write_dag(path, dag.children, names);
}

void write_graphviz(std::filesystem::path const& path, task_dag const& dag,
                    std::vector<std::string> const& type_names) {
  std::ostringstream out;
  out << "digraph tasks {\n";
  for (std::uint32_t t = 0; t < dag.tasks(); ++t) {
    out << "  t" << t << " [label=\"" << name_of(dag, t, type_names) << "\"];\n";
    for (std::uint32_t const child : dag.children.of(t))
      out << "  t" << t << " -> t" << child << ";\n";
  }
  out << "}\n";
  replace_file(path, std::as_bytes(std::span(out.view())));
}

}  // namespace gridloom::juggler
