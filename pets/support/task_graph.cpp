#include "pets/support/task_graph.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "gridloom/error.hpp"
#include "gridloom/taskgraph/orders.hpp"
#include "pets/support/platform.hpp"

namespace gridloom::pets {

namespace {

// Adds up values, and throws if the sum exceeds most_total.
class total {
 public:
  explicit total(std::string_view place) : place_(place) {}
  void add(time_value value, time_value times) {
    if (value != 0 && value > (most_total - sum_) / times) {
      throw usage_error(std::string(place_) +
                        ": expected costs, and weights times the processors, that add up to at "
                        "most " +
                        std::to_string(most_total) + ", got more");
    }
    sum_ += value * times;
  }

 private:
  std::string_view place_;
  time_value sum_ = 0;
};

void check_sizes(csr_graph const& edges, std::vector<time_value> const& weights,
                 std::vector<time_value> const& costs, std::uint32_t num_processors,
                 std::vector<std::string> const& names, std::string_view place) {
  auto const expect = [&](bool good, std::string const& what, std::uint64_t got) {
    if (good) return;
    throw usage_error(std::string(place) + ": expected " + what + ", got " + std::to_string(got));
  };
  std::uint64_t const n = edges.tasks();
  expect(n != 0, "at least one task", 0);
  expect(edges.edges() <= most_edges, "at most " + std::to_string(most_edges) + " edges",
         edges.edges());
  expect(num_processors >= 1 && num_processors <= most_processors,
         "1 to " + std::to_string(most_processors) + " processors", num_processors);
  expect(weights.size() == edges.edges(), std::to_string(edges.edges()) + " weights of edges",
         weights.size());
  expect(costs.size() == n * num_processors,
         std::to_string(n) + " x " + std::to_string(num_processors) + " costs", costs.size());
  expect(names.empty() || names.size() == n, std::to_string(n) + " names", names.size());
}

// Turns rows of children into rows of parents by a stable counting sort, so parents are ascending.
// Sets `ascends` to whether no child has a smaller number than its parent.
adjacency turned(adjacency const& rows, std::uint32_t n, bool& ascends) {
  adjacency result;
  ascends = true;
  result.offsets.assign(n + 1, 0);
  result.tasks.resize(rows.tasks.size());
  result.weights.resize(rows.tasks.size());
  for (std::uint32_t const child : rows.tasks) ++result.offsets[child + 1];
  std::partial_sum(result.offsets.begin(), result.offsets.end(), result.offsets.begin());
  std::vector<std::uint32_t> next(result.offsets.begin(), result.offsets.end() - 1);
  for (std::uint32_t parent = 0; parent < n; ++parent) {
    for (std::uint32_t e = rows.offsets[parent]; e < rows.offsets[parent + 1]; ++e) {
      std::uint32_t const place = next[rows.tasks[e]]++;
      if (rows.tasks[e] < parent) ascends = false;
      result.tasks[place] = parent;
      result.weights[place] = rows.weights[e];
    }
  }
  return result;
}

}  // namespace

std::string task_graph::name_of(std::uint32_t task) const {
  return names.empty() ? std::to_string(task) : names[task];
}

task_graph make_task_graph(csr_graph const& edges, std::vector<time_value> weights,
                           std::vector<time_value> costs, std::uint32_t num_processors,
                           std::string_view place, std::vector<std::string> names,
                           edges_are state) {
  if (state == edges_are::new_ones) check_dag(edges, place);
  check_sizes(edges, weights, costs, num_processors, names, place);
  total sum{place};
  for (time_value const cost : costs) sum.add(cost, 1);
  for (time_value const weight : weights) sum.add(weight, num_processors);
  task_graph result;
  result.num_tasks = static_cast<std::uint32_t>(edges.tasks());
  result.num_processors = num_processors;
  result.costs = std::move(costs);
  result.successors.offsets.assign(edges.row_offsets.begin(), edges.row_offsets.end());
  result.successors.tasks = edges.columns;
  result.successors.weights = std::move(weights);
  result.predecessors = turned(result.successors, result.num_tasks, result.ascends);
  result.names = std::move(names);
  return result;
}

graph_levels levels_of(task_graph const& graph) {
  std::vector<std::uint32_t> open(graph.num_tasks);
  for (std::uint32_t task = 0; task < graph.num_tasks; ++task)
    open[task] = static_cast<std::uint32_t>(graph.predecessors.of(task).size());
  task_groups levels =
      breadth_first(std::move(open), [&](std::uint32_t task) { return graph.successors.of(task); });
  return {group_of_task(levels), std::move(levels.tasks), levels.groups()};
}

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
