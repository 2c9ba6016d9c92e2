#pragma once
// The program's own columns of /runs, and the figures of the summary.

#include <cstdint>
#include <string>

#include "gridloom/bench/harness.hpp"

namespace gridloom::juggler {

/// One row: the application, the method, and what a run showed.
struct row {
  std::string experiment;
  std::string app;
  std::string method;
  std::string kernels = "own";
  std::string input;
  std::int64_t rows = bench::missing_integer;
  std::int64_t cols = bench::missing_integer;
  int tile = bench::missing_integer;
  int bins = bench::missing_integer, steps = bench::missing_integer;
  std::int64_t work_ns = bench::missing_integer;
  std::int64_t tasks = 0, edges = 0, longest_path = 0, widest_wave = 0;
  /// Shown in the summary only.
  std::int64_t narrowest_wave = 0;
  int workers = bench::missing_integer, threads = 1;
  std::string placing = "";
  std::int64_t queue_length = bench::missing_integer;
  // Set-up before a run, by the parts of appendix A.6.
  double init_app_context_h_ms = bench::missing_real;
  double inspection_ms = bench::missing_real;
  double build_csr_ms = bench::missing_real;
  double init_app_context_d_ms = bench::missing_real;
  double init_rt_context_d_ms = bench::missing_real;
  std::int64_t launches = bench::missing_integer;
  std::int64_t finished = bench::missing_integer;
  std::int64_t max_task_load = bench::missing_integer, min_task_load = bench::missing_integer;
  std::int64_t data_bytes = bench::missing_integer, graph_bytes = bench::missing_integer;
  int registers = bench::missing_integer, shared_bytes = bench::missing_integer,
      blocks_per_multiprocessor = bench::missing_integer;
  double residual = bench::missing_real;
  /// Operations of the problem, whatever the tasks do. 0 if the application is not measured in
  /// operations.
  double flops = 0;
  /// Elements of the result over all steps, and the bytes that are moved if each is read or written
  /// once per step. 0 if the application is not measured in these.
  double elements = 0;
  double least_bytes = 0;
  // Results of dtw and sw.
  double floor_elements = bench::missing_real;
  std::int64_t score = bench::missing_integer, end_row = bench::missing_integer,
               end_col = bench::missing_integer;
  double distance = bench::missing_real;

  void set_elements(double made, double bytes_of_one) {
    elements = made;
    least_bytes = made * bytes_of_one;
  }
};

[[nodiscard]] bench::schema<row> runs_columns();

/// Declares the summary's columns.
void show_figures(bench::harness<row>& all);

}  // namespace gridloom::juggler
