#pragma once
// The columns of /runs beside the standard ones, and the figures of the summary.

#include <cstdint>
#include <string>

#include "gridloom/bench/harness.hpp"

namespace gridloom::tiled_qr::general {

/// One row: the client, who ran its tasks, and what a run showed.
struct row {
  std::string client;
  std::string method;
  std::string input;
  std::int64_t rows = bench::missing_integer;
  int tile = bench::missing_integer;
  std::string updates;
  std::int64_t work_ns = bench::missing_integer;
  std::int64_t tasks = 0, dependencies = 0, uses = 0, longest_path = 0;
  std::string priority;
  int classes = bench::missing_integer;
  int blocks = 1, threads = 1;
  std::string blas_core;
  std::int64_t launches = bench::missing_integer;
  std::int64_t finished = bench::missing_integer;
  std::int64_t put_backs = bench::missing_integer;
  std::int64_t data_bytes = bench::missing_integer, graph_bytes = bench::missing_integer;
  int registers = bench::missing_integer, shared_bytes = bench::missing_integer,
      blocks_per_multiprocessor = bench::missing_integer;
  double residual = bench::missing_real;
  /// Of the problem as LAPACK counts; 0 where it is no factorisation.
  double flops = 0;
};

[[nodiscard]] bench::schema<row> runs_columns();

/// Tells the harness what its summary says of an arm.
void show_figures(bench::harness<row>& all);

}  // namespace gridloom::tiled_qr::general
