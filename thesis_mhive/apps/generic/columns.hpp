#pragma once
// The columns of mhive-generic beside the standard ones, and the figures of its summary.

#include <cstdint>
#include <string>

#include "gridloom/bench/harness.hpp"
#include "mhive/scheduler.hpp"

namespace gridloom::mhive::generic {

/// A row of /runs: a scheduler with dependencies, and repetition.
struct row {
  std::string experiment;
  std::string scheduler;
  std::string dependencies;
  std::string tree;
  std::uint32_t instances = 0;
  std::uint64_t seed = 0;
  std::uint64_t tasks = 0;
  int workers = 0;
  report run{};

  /// Of the kernel with most registers.
  [[nodiscard]] kernel_facts largest() const;
};

[[nodiscard]] bench::schema<row> runs_columns();

/// Tells the harness what its summary says of an arm.
void show_figures(bench::harness<row>& all);

}  // namespace gridloom::mhive::generic
