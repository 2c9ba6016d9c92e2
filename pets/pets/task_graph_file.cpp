#include "gridloom/error.hpp"
#include "pets/task_graph.hpp"

namespace gridloom::pets {
namespace {

// One time a task on each of `processors` alike.
std::vector<time_value> repeated(std::vector<time_value> const& costs, std::uint32_t processors) {
  std::vector<time_value> result;
  result.reserve(costs.size() * processors);
  for (time_value const cost : costs) result.insert(result.end(), processors, cost);
  return result;
}

}  // namespace

task_graph read_task_graph(std::filesystem::path const& path, std::uint32_t processors) {
  weighted_dag dag = read_weighted_dag(path);
  std::string const place = path.string() + ": /graph";
  std::uint64_t const width = dag.cost_columns;
  if (dag.cost_rows != dag.graph.tasks() || width == 0) {
    throw usage_error(place + "/costs: expected " + std::to_string(dag.graph.tasks()) +
                      " rows of at least one cost, got " + std::to_string(dag.cost_rows) +
                      " rows of " + std::to_string(width));
  }
  if (processors != 0 && width != 1 && width != processors) {
    throw usage_error("--processors: expected " + std::to_string(width) + ", as " + path.string() +
                      " has costs for, got " + std::to_string(processors));
  }
  if (width > most_processors) {
    throw usage_error(place + "/costs: expected costs for at most " +
                      std::to_string(most_processors) + " processors, got " +
                      std::to_string(width));
  }
  bool const alike = width == 1 && processors > 1;
  task_graph graph = make_task_graph(dag.graph, std::move(dag.weights),
                                     alike ? repeated(dag.costs, processors) : std::move(dag.costs),
                                     alike ? processors : static_cast<std::uint32_t>(width), place,
                                     std::move(dag.names));
  graph.unit = std::move(dag.unit);
  return graph;
}

}  // namespace gridloom::pets
