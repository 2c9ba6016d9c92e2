#pragma once
// The rows of the program's results, and their columns beside the bench's standard ones.

#include <cstdint>
#include <string>

#include "gridloom/bench/harness.hpp"
#include "pipeline.hpp"
#include "support/generate.hpp"
#include "support/schedule.hpp"

namespace gridloom::pets {

/// A graph: a row of `graphs`, and what the other tables say of it.
struct graph_row {
  std::string name;
  std::uint64_t seed = 0;
  std::uint32_t processors = 0;
  /// Of its times.
  std::string unit;
  /// For people: what the processors are; of a file.
  std::string platform;
  graph_parameters parameters;
  std::uint32_t tasks = 0;
  std::uint64_t edges = 0;
  std::uint32_t levels = 0;
  std::uint32_t widest = 0;
  std::int64_t optimum = -1;
  time_value lower_bound = 0;
  std::string sha256{};
};

/// A repetition of a list scheduler on a graph by an implementation.
struct run_row {
  graph_row graph;
  std::string algorithm;
  std::string implementation;
  std::string selection = "host";
  int workers = 1;
  int threads = 1;
  step_times steps{};
  std::uint64_t metrics_bytes = 0;
  std::uint32_t launches = 0;
  quality found{};
};

/// A copy within the machine's memory.
struct copy_row {
  std::string backend;
  int repetition;
  std::uint64_t bytes;
  double elapsed_ms;
};

/// A task of a schedule.
struct task_row {
  graph_row const* graph;
  std::string algorithm;
  std::uint32_t task;
  std::string name;
  std::uint32_t level;
  time_value rank;
  std::uint32_t place;
  placement at;
};

[[nodiscard]] bench::schema<run_row> run_columns();
[[nodiscard]] bench::schema<graph_row> graph_columns();
[[nodiscard]] bench::schema<copy_row> copy_columns();
[[nodiscard]] bench::schema<task_row> task_columns();

}  // namespace gridloom::pets
