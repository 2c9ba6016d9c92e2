#pragma once
// The methods of the program as the bench runs them, on one application.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/dtw/input.hpp"
#include "apps/sw/input.hpp"
#include "columns.hpp"
#include "gridloom/bench/program.hpp"
#include "gridloom/sparse/graph_file.hpp"

namespace gridloom::juggler {

/// One way to run the tasks.
struct method {
  std::string_view name;
  std::string_view what;
  /// Has queues of --queue-length.
  bool queues = true;
  /// Launches a kernel a wave; blocks of one launch are not those of the next.
  bool waves = false;
  /// Of dtw and sw alone.
  bool strips = false;
};

[[nodiscard]] std::span<method const> methods();

/// What a user asks for beside the common options.
struct request {
  std::vector<std::string> apps{"lud"};
  std::vector<std::string> methods;
  std::vector<std::int64_t> rows{512};
  std::vector<std::int64_t> tiles{32};
  std::vector<std::int64_t> work_ns{0};
  int queue_length = 0;
};

/// One application with its size.
struct subject {
  std::string app;
  std::int64_t rows = 0;
  int tile = 0;
  std::int64_t work_ns = 0;
  /// Of the application `graph`.
  csr_graph const* graph = nullptr;
  std::string graph_name{};
  /// Of `dtw` and `sw`: see strip_inputs.hpp.
  std::string input{};
  dtw::input const* warped = nullptr;
  sw::input const* aligned = nullptr;
  std::int64_t cols = 0;
  int lane_columns = 0;
};

/// The arms of all methods that were asked for.
[[nodiscard]] std::vector<bench::arm<row>> arms_of(bench::program& app, request const& wanted,
                                                   subject const& what);

}  // namespace gridloom::juggler
