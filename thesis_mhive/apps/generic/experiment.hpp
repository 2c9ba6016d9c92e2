#pragma once
// The experiment of program mhive-generic: one tree under several schedulers, as arms that are
// verified, timed in balanced order and traced.

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "generic_run.hpp"
#include "gridloom/bench/options.hpp"
#include "gridloom/bench/result_table.hpp"

namespace gridloom::mhive::generic {

/// How tasks are kept in order: one of MHive's ways, or the order of the baseline's launches.
struct arm {
  std::string scheduler;
  std::string dependencies;  // phases, individual or launches

  [[nodiscard]] std::string label() const { return scheduler + ", " + dependencies; }
};

/// What a user asks for beside the common options.
struct request {
  std::string tree_file;  // empty: the preset
  std::string preset = "fig7.1";
  std::int64_t instances = 1000;
  std::vector<std::string> dependencies{"phases", "individual"};
  std::vector<std::string> schedulers = scheduler_names();
  std::string perfetto;  // file for Chrome trace events; empty: none
};

/// The arms of a request: every scheduler with every form of dependencies, the graph once.
[[nodiscard]] std::vector<arm> arms_of(request const& wanted);

/// A traced task; times in ns from the arm's first begin.
struct traced_run {
  arm what;
  std::vector<traced_task> tasks;
};

struct outcome {
  result_table runs;
  std::vector<traced_run> traces;
  bool failed = false;  // an arm was wrong or stopped
};

/// Runs all arms. Reports failures of arms on stderr and goes on with the others. Traces are made
/// when `traced`.
[[nodiscard]] outcome run_arms(device& machine, execution_tree const& tree,
                               std::string const& tree_name, request const& wanted,
                               common_options const& common, bool traced);

/// Columns of /runs.
[[nodiscard]] result_table runs_table();
/// The tables of a trace file: trace, tree and edges.
[[nodiscard]] std::vector<result_table> trace_tables(execution_tree const& tree,
                                                     std::span<traced_run const> traces);
/// Medians with intervals, one line an arm, on standard output.
void print_summary(result_table const& runs, std::uint64_t seed);

/// The traces as Chrome trace events (JSON), for ui.perfetto.dev: an arm is a process, a worker a
/// thread. Tasks that a worker executed side by side, as a warp does those of single threads, get
/// further threads, because events of one thread must not overlap.
[[nodiscard]] std::string chrome_trace(execution_tree const& tree,
                                       std::span<traced_run const> traces);

}  // namespace gridloom::mhive::generic
