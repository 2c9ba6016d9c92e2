#pragma once
// What the program runs: algorithms on graphs, timed, checked and measured.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gridloom/options.hpp"
#include "gridloom/result_table.hpp"
#include "pets/schedule.hpp"
#include "pets/task_graph.hpp"

namespace gridloom::pets {

/// A graph with where it came from: a file's name or a specification.
struct named_graph {
  std::string name;
  std::uint64_t seed;
  task_graph graph;
};

/// Graphs one after the other, so that one at a time takes memory.
struct graph_source {
  std::size_t count;
  std::function<named_graph(std::size_t)> make;
};

struct outcome {
  result_table runs;       // a row a graph, algorithm and repetition
  result_table schedules;  // a row a task, of each graph and algorithm
  std::string failed;      // what the check of schedules said first; empty: nothing
};

[[nodiscard]] result_table runs_table();
[[nodiscard]] result_table schedules_table();

/// Runs the algorithms on the graphs in balanced order and prints a line a graph and algorithm.
/// `store_schedules`: fills outcome::schedules.
[[nodiscard]] outcome run(graph_source const& graphs, std::vector<std::string> const& algorithms,
                          common_options const& common, bool store_schedules);

/// Prints levels, ACC, DTC, RPT, ranks, the order and every task's EFTs as PETS finds them.
void explain(task_graph const& graph, std::string const& algorithm);

/// Writes the schedule as a Gantt chart in SVG. Throws run_error.
void write_gantt(std::string const& path, task_graph const& graph, schedule const& made,
                 std::string const& title);

}  // namespace gridloom::pets
