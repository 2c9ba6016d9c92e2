#pragma once
// The methods of the program as the bench runs them, on one client.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "columns.hpp"
#include "gridloom/bench/program.hpp"
#include "gridloom/sparse/graph_file.hpp"

namespace gridloom::tiled_qr::general {

/// One way to run the tasks, or to solve the same problem.
struct method {
  std::string_view name;
  std::string_view what;
  /// The clients that have it, separated by blanks; empty: all.
  std::string_view clients;
  /// Leaves a trace.
  bool traced = true;
  /// A run ends soon after --timeout-s.
  bool stops = true;
};

[[nodiscard]] std::span<method const> methods();
[[nodiscard]] bool has_method(std::string const& client, method const& how);

/// What a user asks for beside the common options.
struct request {
  std::vector<std::string> clients{"qr", "cholesky", "example"};
  std::vector<std::string> methods;
  std::vector<std::int64_t> rows{512};
  int tile = 32;
  std::vector<std::string> updates{"in-order"};
  std::vector<std::int64_t> work_ns{0};
  std::vector<std::string> priorities{"critical-path"};
  int classes = 8;
};

/// One client with its size.
struct subject {
  std::string client;
  /// Rows of a matrix, or chunks of the example.
  std::int64_t rows = 0;
  std::string updates{};
  std::int64_t work_ns = 0;
  /// Of the client `graph`.
  csr_graph const* graph = nullptr;
  std::string graph_name{};
};

/// The arms of all methods that the client has.
[[nodiscard]] std::vector<bench::arm<row>> arms_of(bench::program& app, request const& wanted,
                                                   subject const& what);

}  // namespace gridloom::tiled_qr::general
