#pragma once
// The methods of the program as the bench runs them, on one input.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "columns.hpp"
#include "gridloom/bench/program.hpp"
#include "tiled_qr/factorization.hpp"

namespace gridloom::tiled_qr {

/// One way to factorise.
struct method {
  std::string_view name;
  std::string_view what;
  /// Runs on the host whatever the machine is.
  bool on_host = false;
};

/// Published ones first.
[[nodiscard]] std::span<method const> methods();

/// Whether --trace records the tasks of a method.
[[nodiscard]] bool leaves_trace(std::string const& method);

/// What a user asks for beside the common options.
struct request {
  std::vector<std::string> methods{"fr1", "fr2", "fr3", "lapack"};
  std::vector<std::int64_t> rows{512};
  /// As many as rows, or one for all; empty: square.
  std::vector<std::int64_t> cols;
  std::vector<std::string> families{"random"};
  std::vector<std::string> precisions{"double"};
  std::string matrix_file;
  int tile = 32;
  std::vector<std::string> priorities{"factorisations-first"};
  /// What a double task counts as; see configurations.hpp.
  std::vector<double> weights{2};
  /// Workers of the tiled methods; empty: those of the common options.
  std::vector<std::int64_t> blocks;
  int queue_slots = 64;
  /// Also store the graph of tasks.
  bool dag = false;
};

/// The arms of all methods on one matrix. They run one at a time and share its values.
class scene {
 public:
  virtual ~scene() = default;
  [[nodiscard]] virtual std::vector<bench::arm<row>> arms() = 0;
};

/// One matrix in one precision; column-major values without gaps.
template <class T>
std::unique_ptr<scene> make_scene(bench::program& app, request const& wanted,
                                  std::string const& input, std::int64_t rows, std::int64_t cols,
                                  std::vector<T> values);

}  // namespace gridloom::tiled_qr
