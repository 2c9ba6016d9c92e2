#pragma once
// What the program runs: algorithms on graphs by implementations, timed, checked and measured.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tables.hpp"

namespace gridloom::pets {

/// A graph with where it came from: a file's name or a specification.
struct named_graph {
  std::string name;
  std::uint64_t seed;
  graph_parameters parameters;
  task_graph graph;
  /// Of a file.
  std::string sha256{};
};

/// Graphs one after the other, so that one at a time takes memory.
struct graph_source {
  std::size_t count;
  std::function<named_graph(std::size_t)> make;
};

struct request {
  std::vector<std::string> algorithms;
  /// Of PETS; the others have `host` only.
  std::vector<std::string> implementations;
  bool store_schedules = true;
  /// make_pipeline; tests put others in.
  std::function<decltype(make_pipeline)> make = make_pipeline;
};

/// Stays where it is made.
struct results {
  results(device& machine, common_options const& common);

  bench::harness<run_row> runs;
  bench::table<graph_row> graphs{"graphs", graph_columns()};
  /// The machine's own bandwidth.
  bench::table<copy_row> memory{"memory", copy_columns()};
  bench::table<task_row> schedules{"schedules", task_columns()};

  [[nodiscard]] std::vector<result_table> tables() const {
    return {runs.runs(), graphs.contents(), memory.contents(), schedules.contents()};
  }
};

/// What is stored of a graph, and of its schedule by an algorithm.
[[nodiscard]] graph_row facts_of(named_graph const& of);
void add_schedule(graph_row const& facts, task_graph const& graph, std::string const& algorithm,
                  schedule const& made, bench::table<task_row>& to);

/// Measures the algorithms on the graphs. With --verify every schedule, and levels and ranks of a
/// device, must be the host's, which a check of its own looks at; else all repetitions and
/// implementations must agree. Throws usage_error where an implementation does not take a graph.
void run(device& machine, graph_source const& graphs, request const& wanted,
         common_options const& common, results& into);

/// Prints levels, ACC, DTC, RPT, ranks, the order and every task's EFTs as PETS finds them.
void explain(task_graph const& graph, std::string const& algorithm);

/// Writes the schedule as a Gantt chart in SVG. Throws run_error.
void write_gantt(std::string const& path, task_graph const& graph, schedule const& made,
                 std::string const& title);

}  // namespace gridloom::pets
