#include <numeric>
#include <string>

#include "gridloom/error.hpp"
#include "gridloom/taskgraph/graph_file.hpp"
#include "gridloom/taskgraph/orders.hpp"

namespace gridloom {
namespace {

std::string edge_text(std::uint64_t from, std::uint64_t to) {
  return "edge " + std::to_string(from) + " -> " + std::to_string(to);
}

void check_count(std::uint64_t tasks, std::string const& place) {
  if (tasks > most_tasks) {
    throw usage_error(place + "expected at most " + std::to_string(most_tasks) + " tasks, got " +
                      std::to_string(tasks));
  }
}

void check_offsets(csr_graph const& graph, std::string const& place) {
  auto const& offsets = graph.row_offsets;
  if (offsets.empty()) throw usage_error(place + "row_offsets: expected n + 1 entries, got 0");
  check_count(graph.tasks(), place);
  if (offsets.front() != 0) {
    throw usage_error(place + "row_offsets[0]: expected 0, got " + std::to_string(offsets.front()));
  }
  for (std::size_t u = 1; u < offsets.size(); ++u) {
    if (offsets[u] < offsets[u - 1]) {
      throw usage_error(place + "row_offsets[" + std::to_string(u) + "]: expected at least " +
                        std::to_string(offsets[u - 1]) + ", got " + std::to_string(offsets[u]));
    }
  }
  if (offsets.back() != graph.columns.size()) {
    throw usage_error(place + "row_offsets: expected the last to be the number of edges " +
                      std::to_string(graph.columns.size()) + ", got " +
                      std::to_string(offsets.back()));
  }
  if (!graph.durations.empty() && graph.durations.size() != graph.tasks()) {
    throw usage_error(place + "durations: expected none or " + std::to_string(graph.tasks()) +
                      ", got " + std::to_string(graph.durations.size()));
  }
}

void check_edges(csr_graph const& graph, std::string const& place) {
  // last_from[v] is u + 1 for the last task u with successor v.
  std::vector<std::uint32_t> last_from(graph.tasks(), 0);
  for (std::uint32_t u = 0; u < graph.tasks(); ++u) {
    for (std::uint32_t const v : graph.of(u)) {
      if (v >= graph.tasks()) {
        throw usage_error(place + edge_text(u, v) + ": expected a successor below " +
                          std::to_string(graph.tasks()));
      }
      if (v == u)
        throw usage_error(place + edge_text(u, v) + ": a task cannot be its own successor");
      if (last_from[v] == u + 1) {
        throw usage_error(place + edge_text(u, v) + " occurs twice: task " + std::to_string(u) +
                          " has a duplicate successor");
      }
      last_from[v] = u + 1;
    }
  }
}

// A task that Kahn's algorithm does not reach has a predecessor that is not reached either. So a
// walk to such predecessors enters a cycle, even if it starts at a task after the cycle.
[[noreturn]] void name_cycle(csr_graph const& graph, std::vector<std::uint32_t> const& reached,
                             std::string const& place) {
  // The tasks that Kahn's algorithm reached, and then those that the walk has passed.
  std::vector<bool> seen(graph.tasks(), false);
  for (std::uint32_t const u : reached) seen[u] = true;
  std::vector<std::uint32_t> predecessor(graph.tasks(), no_task);
  std::uint32_t walker = no_task;
  for (std::uint32_t u = 0; u < graph.tasks(); ++u) {
    if (seen[u]) continue;
    if (walker == no_task) walker = u;
    for (std::uint32_t const v : graph.of(u)) {
      if (predecessor[v] == no_task) predecessor[v] = u;
    }
  }
  while (!seen[walker]) {
    seen[walker] = true;
    walker = predecessor[walker];
  }
  throw usage_error(place + edge_text(predecessor[walker], walker) + " lies on a cycle");
}

}  // namespace

csr_graph graph_of_edges(std::uint64_t tasks, std::span<graph_edge const> edges) {
  check_count(tasks, "graph: ");
  csr_graph graph;
  graph.row_offsets.assign(tasks + 1, 0);
  graph.columns.resize(edges.size());
  for (auto const [from, to] : edges) {
    if (from >= tasks) {
      throw usage_error("graph: " + edge_text(from, to) + ": expected a predecessor below " +
                        std::to_string(tasks));
    }
    ++graph.row_offsets[from + 1];
  }
  std::partial_sum(graph.row_offsets.begin(), graph.row_offsets.end(), graph.row_offsets.begin());
  std::vector<std::uint64_t> next(graph.row_offsets.begin(), graph.row_offsets.end() - 1);
  for (auto const [from, to] : edges) graph.columns[next[from]++] = to;
  check_dag(graph, "graph");
  return graph;
}

csr_graph transposed(csr_graph const& graph) {
  csr_graph result;
  result.row_offsets.assign(graph.tasks() + 1, 0);
  result.columns.resize(graph.edges());
  for (std::uint32_t to : graph.columns) ++result.row_offsets[to + 1];
  for (std::size_t t = 0; t < graph.tasks(); ++t)
    result.row_offsets[t + 1] += result.row_offsets[t];
  std::vector<std::uint64_t> next(result.row_offsets.begin(), result.row_offsets.end() - 1);
  for (std::uint32_t from = 0; from < graph.tasks(); ++from) {
    for (std::uint32_t const to : graph.of(from)) result.columns[next[to]++] = from;
  }
  return result;
}

void check_dag(csr_graph const& graph, std::string_view place) {
  std::string const prefix = std::string{place} + ": ";
  check_offsets(graph, prefix);
  check_edges(graph, prefix);
  std::vector<std::uint32_t> const reached = levels_of(graph).tasks;
  if (reached.size() != graph.tasks()) name_cycle(graph, reached, prefix);
}

}  // namespace gridloom
