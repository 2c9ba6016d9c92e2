#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string>

#include "gridloom/error.hpp"
#include "gridloom/printable.hpp"
#include "pets/priorities.hpp"
#include "schedule_file.hpp"

namespace gridloom::pets {
namespace {

// With more tasks, the tables are too large to read.
constexpr std::uint32_t most_explained = 100;

unsigned long long shown(time_value value) { return value; }

std::string shown_name(task_graph const& graph, std::uint32_t task) {
  return printable(graph.name_of(task));
}

void print_priorities(task_graph const& graph, priorities const& by) {
  auto const sums = cost_sums(graph);
  std::printf("levels and ranks: rank = round(ACC + DTC + RPT)\n");
  std::printf("%16s %6s %10s %10s %10s %10s\n", "task", "level", "ACC", "DTC", "RPT", "rank");
  for (std::uint32_t task = 0; task < graph.num_tasks; ++task) {
    auto const weights = graph.successors.weights_of(task);
    time_value const data = std::accumulate(weights.begin(), weights.end(), time_value{0});
    time_value before = 0;
    for (std::uint32_t const parent : graph.predecessors.of(task)) {
      before = std::max(before, by.rank[parent]);
    }
    std::printf("%16s %6u %10.2f %10llu %10llu %10llu\n", shown_name(graph, task).c_str(),
                by.level[task],
                static_cast<double>(sums[task]) / static_cast<double>(graph.num_processors),
                shown(data), shown(before), shown(by.rank[task]));
  }
}

}  // namespace

void explain(task_graph const& graph, list_scheduler const& by_pets) {
  if (graph.num_tasks > most_explained) {
    throw usage_error("--explain: expected at most " + std::to_string(most_explained) +
                      " tasks, got " + std::to_string(graph.num_tasks));
  }
  priorities const by = priorities_of(graph);
  print_priorities(graph, by);
  auto const order = order_of(graph, by);
  std::printf("\norder: level ascending, rank descending, ACC ascending\n");
  for (std::uint32_t const task : order) std::printf(" %s", shown_name(graph, task).c_str());
  std::vector<time_value> finishes;
  schedule const made = select_processors(graph, order, by_pets.how, &finishes);
  std::printf("\n\nearliest finish times, %s\n%16s", std::string(by_pets.name).c_str(), "task");
  for (std::uint32_t p = 0; p < graph.num_processors; ++p) {
    std::printf(" %9s%u", "P", p);
  }
  std::printf("   chosen\n");
  for (std::uint32_t const task : order) {
    std::printf("%16s", shown_name(graph, task).c_str());
    for (std::uint32_t p = 0; p < graph.num_processors; ++p) {
      std::printf(" %10llu", shown(finishes[std::size_t{task} * graph.num_processors + p]));
    }
    placement const& at = made.of[task];
    std::printf("   P%u, %llu to %llu\n", at.processor, shown(at.start), shown(at.finish));
  }
  std::printf("makespan %llu\n\n", shown(made.makespan()));
}

}  // namespace gridloom::pets
