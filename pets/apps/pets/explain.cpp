#include <algorithm>
#include <cstdio>
#include <numeric>

#include "gridloom/bench/text_table.hpp"
#include "gridloom/error.hpp"
#include "gridloom/printable.hpp"
#include "pets/priorities.hpp"
#include "schedule_file.hpp"

namespace gridloom::pets {

void explain(task_graph const& graph, list_scheduler const& by_pets) {
  // With more tasks, the tables are too large to read.
  constexpr std::uint32_t most_tasks = 100;
  using std::to_string;
  if (graph.num_tasks > most_tasks) {
    throw usage_error("--explain: expected at most " + to_string(most_tasks) + " tasks, got " +
                      to_string(graph.num_tasks));
  }
  auto const name = [&](std::uint32_t task) { return printable(graph.name_of(task)); };
  priorities const by = priorities_of(graph);
  auto const sums = cost_sums(graph);
  bench::text_table ranks({"task", "level", "ACC", "DTC", "RPT", "rank"});
  for (std::uint32_t task = 0; task < graph.num_tasks; ++task) {
    auto const weights = graph.successors.weights_of(task);
    time_value const data = std::accumulate(weights.begin(), weights.end(), time_value{0});
    time_value before = 0;
    for (std::uint32_t const parent : graph.predecessors.of(task)) {
      before = std::max(before, by.rank[parent]);
    }
    char mean[32];
    std::snprintf(mean, sizeof mean, "%.2f",
                  static_cast<double>(sums[task]) / static_cast<double>(graph.num_processors));
    ranks.add_row({name(task), to_string(by.level[task]), mean, to_string(data), to_string(before),
                   to_string(by.rank[task])});
  }
  std::printf("levels and ranks: rank = round(ACC + DTC + RPT)\n");
  ranks.print(stdout);
  auto const order = order_of(graph, by);
  std::printf("\norder: level ascending, rank descending, ACC ascending\n");
  for (std::uint32_t const task : order) std::printf(" %s", name(task).c_str());
  std::vector<time_value> finishes;
  schedule const made = select_processors(graph, order, by_pets.how, &finishes);
  bench::text_table selection({"task"});
  for (std::uint32_t p = 0; p < graph.num_processors; ++p) selection.add_column("P" + to_string(p));
  selection.add_column("chosen");
  for (std::uint32_t const task : order) {
    std::vector<std::string> cells{name(task)};
    for (std::uint32_t p = 0; p < graph.num_processors; ++p) {
      cells.push_back(to_string(finishes[std::size_t{task} * graph.num_processors + p]));
    }
    auto const& [processor, start, finish] = made.of[task];
    cells.push_back("P" + to_string(processor) + ", " + to_string(start) + " to " +
                    to_string(finish));
    selection.add_row(cells);
  }
  std::printf("\n\nearliest finish times, %s\n", std::string(by_pets.name).c_str());
  selection.print(stdout);
  std::printf("makespan %s\n\n", to_string(made.makespan()).c_str());
}

}  // namespace gridloom::pets
