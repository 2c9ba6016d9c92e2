#pragma once
// The columns of mhive-jacobi beside the standard ones, and the figures of its summary.

#include <cstddef>
#include <cstdint>
#include <string>

#include "gridloom/bench/harness.hpp"
#include "solver.hpp"

namespace gridloom::mhive::jacobi {

/// A row of /runs: a version under a scheduler, and repetition.
struct row {
  std::string version;
  std::string scheduler;
  std::string matrix;
  std::uint32_t rows = 0;
  std::uint64_t entries = 0;
  std::string precision;
  int workers = 0;
  std::size_t tasks = 0;
  std::size_t split_rows = 0;
  std::int64_t max_iterations = 0;
  double tolerance = 0;
  std::int64_t check_every = 0;
  double preprocess_ms = 0;
  std::uint64_t floor_bytes = 0;
  jacobi_result run{};
  double serial_difference = bench::missing_real;
  double known_difference = bench::missing_real;
  std::size_t device_bytes = 0;
};

[[nodiscard]] bench::schema<row> runs_columns();

/// Tells the harness what its summary says of an arm.
void show_figures(bench::harness<row>& all);

}  // namespace gridloom::mhive::jacobi
