#include "pets/support/schedule.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace gridloom::pets {

time_value schedule::makespan() const {
  time_value last = 0;
  for (placement const& one : of) last = std::max(last, one.finish);
  return last;
}

namespace {

std::string at(placement const& one) {
  return "[" + std::to_string(one.start) + ", " + std::to_string(one.finish) + ") on processor " +
         std::to_string(one.processor);
}

std::string check_tasks(task_graph const& graph, schedule const& made) {
  if (made.of.size() != graph.num_tasks) {
    return "expected " + std::to_string(graph.num_tasks) + " tasks, got " +
           std::to_string(made.of.size());
  }
  for (std::uint32_t task = 0; task < graph.num_tasks; ++task) {
    placement const& one = made.of[task];
    if (one.processor >= graph.num_processors) {
      return "task " + graph.name_of(task) + ": expected one of " +
             std::to_string(graph.num_processors) + " processors, got " +
             std::to_string(one.processor);
    }
    time_value const cost = graph.costs_of(task)[one.processor];
    if (one.finish < one.start || one.finish - one.start != cost) {
      return "task " + graph.name_of(task) + ": expected it to take " + std::to_string(cost) +
             ", got " + at(one);
    }
  }
  return {};
}

std::string check_precedence(task_graph const& graph, schedule const& made) {
  adjacency const& from = graph.predecessors;
  for (std::uint32_t task = 0; task < graph.num_tasks; ++task) {
    placement const& child = made.of[task];
    for (std::uint32_t e = from.offsets[task]; e < from.offsets[task + 1]; ++e) {
      placement const& parent = made.of[from.tasks[e]];
      time_value const data = graph.transfer(parent.processor, child.processor, e);
      if (child.start >= parent.finish && child.start - parent.finish >= data) continue;
      return "task " + graph.name_of(task) + ": expected it to begin " + std::to_string(data) +
             " or more after task " + graph.name_of(from.tasks[e]) + ", " + at(parent) + ", got " +
             at(child);
    }
  }
  return {};
}

std::string check_overlap(task_graph const& graph, schedule const& made) {
  std::vector<std::uint32_t> tasks(graph.num_tasks);
  std::iota(tasks.begin(), tasks.end(), 0U);
  // A task of length 0 may be at any border. It sorts before a longer task with the same start.
  std::sort(tasks.begin(), tasks.end(), [&](std::uint32_t a, std::uint32_t b) {
    placement const& x = made.of[a];
    placement const& y = made.of[b];
    if (x.processor != y.processor) return x.processor < y.processor;
    if (x.start != y.start) return x.start < y.start;
    return x.finish < y.finish;
  });
  for (std::size_t i = 1; i < tasks.size(); ++i) {
    placement const& before = made.of[tasks[i - 1]];
    placement const& after = made.of[tasks[i]];
    if (before.processor != after.processor || before.finish <= after.start) continue;
    return "task " + graph.name_of(tasks[i]) + ", " + at(after) + ": expected it not to overlap " +
           graph.name_of(tasks[i - 1]) + ", got " + at(before);
  }
  return {};
}

}  // namespace

std::string check_schedule(task_graph const& graph, schedule const& made) {
  std::string wrong = check_tasks(graph, made);
  if (wrong.empty()) wrong = check_precedence(graph, made);
  if (wrong.empty()) wrong = check_overlap(graph, made);
  return wrong;
}

namespace {

time_value critical_path(task_graph const& graph) {
  // Length of the longest path to each task, without the task itself.
  std::vector<time_value> path(graph.num_tasks, 0);
  time_value critical = 0;
  for (std::uint32_t const task : levels_of(graph).topological) {
    time_value const end = path[task] + *std::ranges::min_element(graph.costs_of(task));
    critical = std::max(critical, end);
    for (std::uint32_t const child : graph.successors.of(task)) {
      path[child] = std::max(path[child], end);
    }
  }
  return critical;
}

}  // namespace

time_value lower_bound(task_graph const& graph) {
  time_value work = 0;
  for (std::uint32_t task = 0; task < graph.num_tasks; ++task) {
    work += *std::ranges::min_element(graph.costs_of(task));
  }
  time_value const shared =
      work / graph.num_processors + (work % graph.num_processors != 0 ? 1 : 0);
  return std::max(critical_path(graph), shared);
}

quality quality_of(task_graph const& graph, schedule const& made) {
  time_value const critical = critical_path(graph);
  time_value alone = std::numeric_limits<time_value>::max();
  for (std::uint32_t p = 0; p < graph.num_processors; ++p) {
    time_value sum = 0;
    for (std::uint32_t task = 0; task < graph.num_tasks; ++task) sum += graph.costs_of(task)[p];
    alone = std::min(alone, sum);
  }
  quality result;
  result.makespan = made.makespan();
  double const makespan = static_cast<double>(result.makespan);
  // Without costs, 0 / 0 counts as 1; other quotients by 0 are infinite.
  auto const over = [](double a, double b) { return a == 0 && b == 0 ? 1.0 : a / b; };
  result.slr = over(makespan, static_cast<double>(critical));
  result.speedup = over(static_cast<double>(alone), makespan);
  result.efficiency = result.speedup / graph.num_processors;
  return result;
}

}  // namespace gridloom::pets
