#pragma once
// What wavefront-sptrsv stores of a run.

#include <cstdint>
#include <optional>
#include <string>

#include "gridloom/bench/harness.hpp"

namespace gridloom::wavefront::sptrsv {

struct row {
  std::string method;
  std::string matrix;
  std::string factor;
  std::string values;
  std::int64_t rows = 0;
  std::int64_t entries = 0;
  std::int64_t levels = 0;
  std::int64_t widest_level = 0;
  std::int64_t longest_row = 0;
  std::int64_t bytes = 0;
  std::optional<int> blocks;
  std::optional<int> threads;
  std::optional<std::int64_t> narrow;
  std::optional<std::int64_t> gate;
  std::optional<std::int64_t> flat_warps;
  std::optional<std::int64_t> entries_a_lane;
  // After it ran:
  std::int64_t memory_bytes = 0;
  std::optional<std::int64_t> rounds;
  std::optional<std::int64_t> padded_entries;
  std::optional<std::int64_t> near_rows;
};

bench::schema<row> columns();

}  // namespace gridloom::wavefront::sptrsv
