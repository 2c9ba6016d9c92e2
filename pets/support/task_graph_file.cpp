#include "gridloom/error.hpp"
#include "pets/support/platform.hpp"
#include "pets/support/task_graph.hpp"

namespace gridloom::pets {

task_graph read_task_graph(std::filesystem::path const& path, platform const& wanted) {
  weighted_dag dag = read_weighted_dag(path);
  std::string const place = path.string() + ": /graph";
  std::uint64_t const width = dag.cost_columns;
  if (dag.cost_rows != dag.graph.tasks() || width == 0) {
    throw usage_error(place + "/costs: expected " + std::to_string(dag.graph.tasks()) +
                      " rows of at least one cost, got " + std::to_string(dag.cost_rows) +
                      " rows of " + std::to_string(width));
  }
  if (width > most_processors) {
    throw usage_error(place + "/costs: expected costs for at most " +
                      std::to_string(most_processors) + " processors, got " +
                      std::to_string(width));
  }
  return on_platform(std::move(dag), wanted, place, path.string());
}

}  // namespace gridloom::pets
