#pragma once
// The methods of the program as the bench runs them, on one application.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/grid/image.hpp"
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
  /// The one application that has it; empty: all.
  std::string_view only_for{};
};

[[nodiscard]] std::span<method const> methods();

/// What a user asks for beside the common options.
struct request {
  std::vector<std::string> apps{"lud"};
  std::vector<std::string> methods;
  /// The user named none: those that a size is too large for are left out.
  bool all_methods = false;
  std::vector<std::int64_t> rows{512};
  std::vector<std::int64_t> tiles{32};
  std::vector<std::int64_t> work_ns{0};
  int queue_length = 0;
  std::string image{};
  int bins = 32;
  /// Empty: the paper's, 1 of heat and 2 of jacobi.
  std::vector<std::int64_t> steps{};
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
  /// Where they are not as many as rows.
  std::int64_t cols = 0;
  int bins = 0;
  int steps = 0;
  /// Of `sat` and `int_hist`; made when it is wanted, or read.
  std::shared_ptr<grey_image const> image{};
  std::string image_name{};
};

/// The arms of all methods that were asked for.
[[nodiscard]] std::vector<bench::arm<row>> arms_of(bench::program& app, request const& wanted,
                                                   subject const& what);

}  // namespace gridloom::juggler
