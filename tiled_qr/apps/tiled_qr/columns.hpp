#pragma once
// The columns of /runs beside the standard ones, and the figures of the summary.

#include <cstdint>
#include <string>

#include "check/residual.hpp"
#include "gridloom/bench/harness.hpp"

namespace gridloom::tiled_qr {

/// One row: the matrix, the configuration, and what a run of it showed.
struct row {
  std::string method;
  std::string input;
  std::string precision;
  double condition = bench::missing_real;
  std::int64_t rows = 0, cols = 0, batch = 1;
  std::string q = "implicit";
  std::string former;
  int tile = 0;
  std::int64_t tasks = 0;
  int blocks = 1, threads = 1;
  std::string priority;
  double weight = bench::missing_real, single_us = bench::missing_real,
         double_us = bench::missing_real;
  std::string blas_core;
  std::string omp_wait;
  std::int64_t finished = bench::missing_integer;
  std::int64_t matrix_bytes = 0, extra_bytes = 0, formed_bytes = 0;
  int members = bench::missing_integer;
  std::int64_t chains = bench::missing_integer;
  int steps = bench::missing_integer;
  int registers = bench::missing_integer, shared_bytes = bench::missing_integer,
      blocks_per_multiprocessor = bench::missing_integer;
  double factors_residual = bench::missing_real, orthogonality = bench::missing_real,
         diagonal_residual = bench::missing_real;
  std::string verification = "none";
  int verification_vectors = bench::missing_integer;
  std::int64_t verified_matrices = 0;
  int scale_exponent = bench::missing_integer;
  std::int64_t broke_down = bench::missing_integer;
};

[[nodiscard]] bench::schema<row> runs_columns();

/// Tells the harness what its summary says of an arm.
void show_figures(bench::harness<row>& all);

}  // namespace gridloom::tiled_qr
