#pragma once
// Who solves in wavefront-sptrsv, and the arms that a request asks for.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "columns.hpp"
#include "gridloom/bench/harness.hpp"
#include "gridloom/bench/inputs.hpp"
#include "lower_system.hpp"

namespace gridloom::wavefront::sptrsv {

struct method {
  std::string_view name, what;
  bool on_host;
  bool on_cuda;
  /// In rounds of warps, so that --entries-a-lane and block sizes matter.
  bool in_rounds;
};
inline constexpr method all_methods[] = {
    {"serial", "rival: row after row, one thread of the host", true, true, false},
    {"sync_free", "published: a warp a row, a flag a row; no analysis", true, true, false},
    {"in_order", "ours: rows in order, x polled, no barrier", true, true, true},
    {"waves_stream", "rival: a kernel a level", false, true, true},
    {"waves_graph", "rival: the same in a CUDA graph", false, true, true},
    {"waves_graph_pdl", "rival: the same with programmatic dependent launch", false, true, true},
    {"waves_barrier", "rival: one kernel, a barrier a level; also in one block", true, true, true},
    {"waves_cluster", "rival: the same on one thread block cluster", false, true, true},
    {"cusparse_spsv", "rival: cuSPARSE's SpSV; its analysis is the set-up", false, true, false}};

struct request {
  bench::matrix_input matrix;
  std::string factor = "lower";
  std::string values = "stored";
  std::vector<std::string> methods;
  std::vector<std::int64_t> block_sizes;
  std::vector<std::int64_t> narrow{8};
  std::vector<std::int64_t> gate{0};
  std::vector<std::int64_t> flat_warps{2};
  std::vector<std::int64_t> entries_a_lane{4};
};

/// L, made once, and what is known of it.
struct scene {
  lower_system of;
  row base;
};

/// An arm for each method and setting that was asked for, or that the machine has. The scene lives
/// longer. Throws unsupported for a method that the machine has not.
std::vector<bench::arm<row>> make_arms(bench::program& app, request const& wanted, scene const& of);

}  // namespace gridloom::wavefront::sptrsv
