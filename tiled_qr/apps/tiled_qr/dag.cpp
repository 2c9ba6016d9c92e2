#include "dag.hpp"

#include <algorithm>
#include <string>

#include "gridloom/bench/measured.hpp"
#include "gridloom/error.hpp"
#include "tiled_qr/task_grid.hpp"

namespace gridloom::tiled_qr {

namespace {

struct task_row {
  task of;
  std::uint64_t number;
  std::uint32_t depth;
};
struct edge_row {
  std::uint64_t from, to;
};

}  // namespace

std::vector<result_table> dag_tables(tiling const& cut) {
  constexpr std::uint64_t most = 1000;
  std::uint64_t const count = count_tasks(cut);
  if (count > most)
    throw usage_error("--dag: expected at most " + std::to_string(most) + " tasks, got " +
                      std::to_string(count));
  bench::table<task_row> tasks(
      "dag_tasks",
      {{"number", "1", "number of the task", &task_row::number},
       {"operation", "", "what it does",
        [](task_row const& r) { return task_type_names[static_cast<int>(r.of.type())]; }},
       {"k", "1", "step", [](task_row const& r) { return r.of.k; }},
       {"i", "1", "row of its tile", [](task_row const& r) { return r.of.i; }},
       {"j", "1", "column of its tile", [](task_row const& r) { return r.of.j; }},
       {"depth", "1", "tasks on the longest path that ends in it", &task_row::depth}});
  bench::table<edge_row> edges("dag_edges",
                               {{"from", "1", "task that must be finished", &edge_row::from},
                                {"to", "1", "task that waits for it", &edge_row::to}});
  // In the order of the numbers, each task comes after all that it depends on.
  std::vector<std::uint32_t> depths;
  for (std::uint32_t k = 0; k < cut.steps(); ++k) {
    for (std::uint32_t i = k; i < cut.p(); ++i) {
      for (std::uint32_t j = k; j < cut.q(); ++j) {
        task const of{k, i, j};
        std::uint32_t depth = 1;
        for_each_dependence(of, [&](task const& before) {
          std::uint64_t const number = number_of(cut, before);
          depth = std::max(depth, depths[number] + 1);
          edges.add({number, number_of(cut, of)});
        });
        tasks.add({of, number_of(cut, of), depth});
        depths.push_back(depth);
      }
    }
  }
  return {tasks.contents(), edges.contents()};
}

}  // namespace gridloom::tiled_qr
