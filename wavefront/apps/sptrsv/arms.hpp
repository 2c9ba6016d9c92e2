#pragma once
// The arms of wavefront-sptrsv: every way to solve L x = b, and the columns of a run.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gridloom/bench/methods.hpp"
#include "lower_system.hpp"

namespace gridloom::wavefront::sptrsv {

/// L, which is made once, and its shape.
struct scene {
  scene(bench::program& frame, lower_system made, std::string factor_name, std::string values_kind);

  bench::program& app;
  lower_system const of;
  std::string const factor, values;
  std::int64_t depth = 0, widest_level = 0, longest_row = 0;
};

/// The default grid of a method.
struct traits {
  int threads = 256;
  int blocks_per_sm = 1;
  /// Threads per multiprocessor. If not 0, this sets the number of blocks instead of blocks_per_sm.
  int threads_per_sm = 0;
  bool one_cluster = false;
};
struct settings {
  std::optional<int> blocks, threads;
  std::optional<std::int64_t> narrow, gate, flat_warps, entries_a_lane;
  /// The default grid of the method.
  traits grid{};
  std::int64_t grid_blocks = 0;
};

struct counters {
  std::int64_t memory_bytes = 0;
  std::optional<std::int64_t> rounds, padded_entries, near_rows;
  /// Number of blocks that a run used, if it differs from the settings.
  std::optional<int> blocks_taken;
};

using row = bench::row_of<scene, settings, counters>;

using method = bench::method<row, traits>;

/// The options of the command line.
struct request {
  std::vector<std::int64_t> block_sizes;
  std::vector<std::int64_t> narrow{8};
  std::vector<std::int64_t> gate{0};
  std::vector<std::int64_t> flat_warps{2};
  std::vector<std::int64_t> entries_a_lane{4};
};

[[nodiscard]] std::vector<method> const& all_methods();
[[nodiscard]] bench::schema<row> columns();
[[nodiscard]] settings base_of(bench::program& app, method const& one);
[[nodiscard]] bench::sweep<settings> sweep_of(bench::program& app, request const& wanted);

}  // namespace gridloom::wavefront::sptrsv
