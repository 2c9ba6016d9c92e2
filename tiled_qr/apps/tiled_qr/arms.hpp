#pragma once
// The arms of tiled-qr: every method on one input in one precision.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "apps/tiled_qr/input_of.hpp"
#include "gridloom/bench/methods.hpp"
#include "tiled_qr/factorization.hpp"

namespace gridloom::tiled_qr {

/// An input in one precision. Its arms share it, and run one at a time.
struct scene : subject {
  template <class T>
  scene(bench::program& frame, request const& asked, subject const& of, input_values<T> values)
      : subject(of), app(frame), wanted(asked), is_float(sizeof(T) == sizeof(float)) {
    input.emplace<input_of<T>>(frame, asked, of, std::move(values));
  }
  /// Call it after the runs: frees the values, and keeps the numbers that columns show.
  void drop_values() { input.emplace<std::monostate>(); }

  bench::program& app;
  request const& wanted;
  bool is_float;
  std::variant<std::monostate, input_of<float>, input_of<double>> input;
};

struct traits {
  /// The scheduler of the method's tasks on tiles; empty for methods that take the matrix as a
  /// whole.
  std::optional<scheduling> how{};
  /// Whether the method works by panels of 32 columns.
  bool by_panels = false;
  /// Whether the method always forms Q, and so needs --form-q.
  bool needs_q = false;
  /// Number of host threads besides `--workers` that the method needs.
  int other_workers = 0;
  /// Whether the method is a rival by OpenBLAS on the host, and whether it uses all threads.
  bool by_blas = false, all_threads = false;
};

struct settings {
  traits const* is = nullptr;
  /// Settings of methods on tiles.
  factorization_settings tiled{};
  /// Number of workers, streams or threads, and of threads per block.
  int blocks = 1, threads = 1;
};

struct counted {
  std::string former;
  /// The weight of double tasks and the mean times of tasks, if they were measured.
  double measured_weight_of_run = bench::missing_real, single_us = bench::missing_real,
         double_us = bench::missing_real;
  std::int64_t executed = bench::missing_integer;
  std::int64_t matrix_bytes = 0, extra_bytes = 0, formed_bytes = 0;
  int members = bench::missing_integer;
  std::int64_t chains = bench::missing_integer;
  int steps = bench::missing_integer;
  kernel_facts kernel{};
  double factors_residual = bench::missing_real, orthogonality = bench::missing_real,
         diagonal_residual = bench::missing_real;
  std::string verification = "none";
  int verification_vectors = bench::missing_integer;
  std::int64_t verified_matrices = 0;
  int scale_exponent = bench::missing_integer;
  std::int64_t broke_down = bench::missing_integer;
};

struct row : bench::row_of<scene, settings, counted> {};
using method_entry = bench::method<row, traits>;

[[nodiscard]] std::span<method_entry const> all_methods();

/// Returns the arms of the chosen methods. A tiled method has one arm for each combination of the
/// number of workers, the order of ready tasks and the weight of double tasks. Parameters that make
/// no difference to the method are not varied.
[[nodiscard]] std::vector<bench::arm<row>> arms_of(bench::methods<row, traits> const& methods,
                                                   scene& of);

/// Parses numbers or "measured", separated by commas. Throws usage_error.
[[nodiscard]] std::vector<double> parse_weights(std::string const& text);

[[nodiscard]] bench::schema<row> columns();

/// Tells the harness which values its summary shows for an arm.
void show_figures(bench::harness<row>& all);

}  // namespace gridloom::tiled_qr
