#pragma once
// The tables of mhive-rcm beside the standard columns, and the figures of its summary.

#include <cstddef>
#include <cstdint>
#include <string>

#include "arm.hpp"
#include "gridloom/bench/harness.hpp"

namespace gridloom::mhive::rcm {

/// A row of /runs: an arm and repetition.
struct row {
  std::string matrix;
  std::uint32_t rows = 0;
  std::uint64_t entries = 0;
  std::size_t components = 0;
  std::uint64_t levels = 0;
  std::string start;
  std::uint32_t candidates = 0;
  int workers = 0;
  std::uint64_t bandwidth_before = 0;
  arm_result run{};
  std::uint64_t bandwidth = 0;
  std::uint32_t half_bandwidth = 0;
  std::size_t bytes = 0;
  std::string same = "off";
};

/// A row of /parts: an arm and task type, of one run that was traced for it.
struct part_row {
  std::string arm;
  std::string matrix;
  std::size_t place;
  part_time of;
};

[[nodiscard]] bench::schema<row> runs_columns();
[[nodiscard]] bench::schema<part_row> parts_columns();

/// Tells the harness what its summary says of an arm.
void show_figures(bench::harness<row>& all);

}  // namespace gridloom::mhive::rcm
