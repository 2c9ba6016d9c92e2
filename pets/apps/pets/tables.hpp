#pragma once
// The tables of a results file: their rows, and their columns besides the standard ones.

#include <cstdint>
#include <string>
#include <string_view>

#include "scheduling.hpp"

namespace gridloom::pets {

/// A copy within the machine's memory.
struct copy_row {
  std::string backend;
  int repetition;
  std::uint64_t bytes;
  double elapsed_ms;
};

/// A task of a schedule.
struct task_row {
  analysed_graph const* problem;
  std::string_view algorithm;
  std::uint32_t task;
  std::uint32_t place;
  placement at;
};

/// Columns of the tables `runs`, `graphs`, `memory` and `schedules`.
[[nodiscard]] bench::schema<run_row> run_columns();
[[nodiscard]] bench::schema<analysed_graph> graph_columns();
[[nodiscard]] bench::schema<copy_row> copy_columns();
[[nodiscard]] bench::schema<task_row> task_columns();

/// Adds columns to the summary, besides the standard columns.
void show_runs(bench::harness<run_row>& all);

void add_schedule(analysed_graph const& of, std::string_view algorithm, schedule const& made,
                  bench::table<task_row>& to);

/// Adds one row per repetition with the bandwidth of the machine's memory. The bandwidth of
/// metrics_bytes is compared with it.
void add_copies(device& machine, int repetitions, bench::table<copy_row>& to);

}  // namespace gridloom::pets
