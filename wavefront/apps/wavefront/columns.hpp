#pragma once
// The columns of /runs beside the standard ones, and the figures of the summary.

#include <cstdint>
#include <string>

#include "gridloom/bench/harness.hpp"
#include "support/probe.hpp"

namespace gridloom::wavefront {

/// One row: the graph, the configuration, and what a run of it counted.
struct row {
  std::string experiment;
  std::string algorithm;
  std::string graph;
  std::string input;
  std::int64_t rows = 1, cols = 1, depth = 1;
  std::uint32_t tasks = 0;
  std::uint64_t edges = 0;
  std::uint32_t critical_path = 0;
  int blocks = 1, threads = 1, queues = 0;
  std::string hash;
  std::string numbering;
  std::int64_t tile = 0;
  std::string body;
  std::int64_t work_ns = 0;
  std::string durations;
  double work_total_ms = 0, work_path_ms = 0;
  std::string width;
  bool counters = false;
  std::uint64_t executed = 0;
  access_counts counts{};
  std::uint64_t scheduler_bytes = 0;
  int units = 0;
  double waves_ms = 0, record_ms = 0;
};

[[nodiscard]] bench::schema<row> runs_columns();

/// An arm and its configuration, for the table of a trace that says what its workers are.
struct named_row {
  std::string arm;
  row facts;
};

[[nodiscard]] bench::schema<named_row> worker_columns();

/// Tells the harness what its summary says of an arm.
void show_figures(bench::harness<row>& all);

}  // namespace gridloom::wavefront
