#include "pets/ours/batch.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "gridloom/error.hpp"

namespace gridloom::pets {
namespace {

constexpr std::uint64_t most_tasks_together = (std::uint64_t{1} << 32U) - 2;

void expect(bool good, std::string const& what, std::uint64_t got) {
  if (!good) throw usage_error("batch: expected " + what + ", got " + std::to_string(got));
}

time_value sum(std::vector<time_value> const& values) {
  return std::accumulate(values.begin(), values.end(), time_value{0});
}

void append(adjacency& to, adjacency const& from, std::uint32_t first_task) {
  auto const first_edge = static_cast<std::uint32_t>(to.tasks.size());
  for (std::size_t i = 1; i < from.offsets.size(); ++i) {
    to.offsets.push_back(first_edge + from.offsets[i]);
  }
  for (std::uint32_t const task : from.tasks) to.tasks.push_back(first_task + task);
  to.weights.insert(to.weights.end(), from.weights.begin(), from.weights.end());
}

adjacency part(adjacency const& of, std::uint32_t begin, std::uint32_t end) {
  adjacency result;
  std::uint32_t const first_edge = of.offsets[begin];
  for (std::uint32_t task = begin; task <= end; ++task) {
    result.offsets.push_back(of.offsets[task] - first_edge);
  }
  for (std::uint32_t e = first_edge; e < of.offsets[end]; ++e) {
    result.tasks.push_back(of.tasks[e] - begin);
  }
  result.weights.assign(of.weights.begin() + first_edge, of.weights.begin() + of.offsets[end]);
  return result;
}

}  // namespace

graph_batch make_batch(std::size_t count, std::function<task_graph(std::size_t)> const& make) {
  expect(count != 0, "at least one graph", 0);
  graph_batch batch;
  batch.all.successors.offsets.push_back(0);
  batch.all.predecessors.offsets.push_back(0);
  for (std::size_t number = 0; number < count; ++number) {
    task_graph const graph = make(number);
    task_graph& all = batch.all;
    if (number == 0) all.num_processors = graph.num_processors;
    expect(graph.num_processors == all.num_processors,
           "graphs for " + std::to_string(all.num_processors) + " processors",
           graph.num_processors);
    if (graph.links) throw usage_error("batch: expected one bandwidth and latency for all pairs");
    std::uint64_t const tasks = std::uint64_t{all.num_tasks} + graph.num_tasks;
    std::uint64_t const edges = all.num_edges() + graph.num_edges();
    expect(tasks <= most_tasks_together,
           "at most " + std::to_string(most_tasks_together) + " tasks together", tasks);
    expect(edges <= most_edges, "at most " + std::to_string(most_edges) + " edges together", edges);
    all.ascends = (number == 0 || all.ascends) && graph.ascends;
    append(all.successors, graph.successors, all.num_tasks);
    append(all.predecessors, graph.predecessors, all.num_tasks);
    all.costs.insert(all.costs.end(), graph.costs.begin(), graph.costs.end());
    all.num_tasks = static_cast<std::uint32_t>(tasks);
    batch.begins.push_back(all.num_tasks);
    batch.most_tasks = std::max(batch.most_tasks, graph.num_tasks);
    batch.most_total = std::max(batch.most_total, sum(graph.costs) + sum(graph.successors.weights));
  }
  return batch;
}

task_graph graph_of(graph_batch const& batch, std::uint32_t graph) {
  task_graph const& all = batch.all;
  std::uint32_t const begin = batch.begins[graph];
  std::uint32_t const end = batch.begins[graph + 1];
  task_graph result;
  result.num_tasks = end - begin;
  result.num_processors = all.num_processors;
  result.ascends = all.ascends;
  auto const row = [&](std::uint32_t task) {
    return all.costs.begin() + static_cast<std::ptrdiff_t>(std::size_t{task} * all.num_processors);
  };
  result.costs.assign(row(begin), row(end));
  result.successors = part(all.successors, begin, end);
  result.predecessors = part(all.predecessors, begin, end);
  return result;
}

}  // namespace gridloom::pets
