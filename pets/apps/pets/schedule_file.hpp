#pragma once
// Schedules for people and other programs: where and when each task runs, as CSV, JSON, HDF5, and
// as a table on the terminal.

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "experiment.hpp"
#include "gridloom/bench/program.hpp"

namespace gridloom::pets {

/// A schedule with the graph that it is of.
struct finished_schedule {
  named_graph const* graph;
  std::string algorithm;
  schedule made;
};

/// Which form a file's ending asks for; throws usage_error "--schedule: expected ...".
enum class schedule_form { hdf5, csv, json };
[[nodiscard]] schedule_form form_of(std::filesystem::path const& file);

/// A line a task, in the order of the graph: graph,algorithm,task,processor,start,end,unit. Fields
/// with commas, quotes or breaks of lines are quoted (RFC 4180).
[[nodiscard]] std::string csv_of(std::vector<finished_schedule> const& all);
/// {"schedules": [{"graph", "algorithm", "processors", "unit", "makespan", "tasks": [...]}]}.
[[nodiscard]] std::string json_of(std::vector<finished_schedule> const& all);

/// Tasks by their starts on standard output, `most` of them, and how many more there are.
void print_schedule(finished_schedule const& one, std::size_t most);

/// Schedules every graph by every algorithm once, on one host thread within common.timeout_s; with
/// common.verify each schedule is checked. Prints them, and writes them to `file`, whose ending says
/// how ("-": all on the terminal, "": the first tasks there). HDF5 has the tables `graphs` and
/// `schedules` of results. Throws timeout_error, wrong_result and run_error.
void make_schedules(graph_source const& graphs, std::vector<std::string> const& algorithms,
                    std::string const& file, bench::program& app);

}  // namespace gridloom::pets
