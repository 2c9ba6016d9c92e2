#pragma once
// What the program runs: algorithms on graphs by implementations, timed, checked and measured.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gridloom/device.hpp"
#include "gridloom/bench/options.hpp"
#include "pets/generate.hpp"
#include "pets/schedule.hpp"
#include "pipeline.hpp"
#include "tables.hpp"

namespace gridloom::pets {

/// A graph with where it came from: a file's name or a specification.
struct named_graph {
  std::string name;
  std::uint64_t seed;
  graph_parameters parameters;
  task_graph graph;
};

/// Graphs one after the other, so that one at a time takes memory.
struct graph_source {
  std::size_t count;
  std::function<named_graph(std::size_t)> make;
};

struct request {
  std::vector<std::string> algorithms;
  std::vector<std::string> implementations;  // of PETS; the others have `host` only
  bool store_schedules = true;
  /// make_pipeline; tests put others in.
  std::function<decltype(make_pipeline)> make = make_pipeline;
};

struct outcome {
  std::vector<result_table> tables;  // as in empty_tables
  std::string failed;                // what was wrong first; empty: nothing
};

[[nodiscard]] std::vector<result_table> empty_tables();

/// Runs the algorithms on the graphs in balanced order and prints a line a graph, algorithm and
/// implementation. Throws usage_error where an implementation does not take a graph.
[[nodiscard]] outcome run(device& machine, graph_source const& graphs, request const& wanted,
                          common_options const& common);

/// Prints levels, ACC, DTC, RPT, ranks, the order and every task's EFTs as PETS finds them.
void explain(task_graph const& graph, std::string const& algorithm);

/// Writes the schedule as a Gantt chart in SVG. Throws run_error.
void write_gantt(std::string const& path, task_graph const& graph, schedule const& made,
                 std::string const& title);

}  // namespace gridloom::pets
