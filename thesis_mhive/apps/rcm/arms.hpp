#pragma once
// The methods of mhive-rcm: all versions of the ordering, on one matrix.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "arm.hpp"
#include "gridloom/bench/inputs.hpp"
#include "gridloom/bench/methods.hpp"
#include "serial_order.hpp"

namespace gridloom::mhive::rcm {

/// The symmetric pattern of a square matrix with at least one row.
struct problem {
  /// Name of the file, or the generator's text.
  std::string name;
  sparse::csr_matrix<sparse::no_value> pattern;

  [[nodiscard]] graph_ref graph() const { return graph_of(pattern); }
};

/// With `symmetrise`, reads A | A^T in place of A. Throws usage_error as `input` does. Also throws
/// it if the matrix is rectangular or empty, or, without `symmetrise`, has an unsymmetric pattern.
[[nodiscard]] problem read_problem(bench::matrix_input const& input, bool symmetrise);

/// A row of /parts: one task type of an arm, from a traced run.
struct part_row {
  std::string arm;
  std::string matrix;
  std::size_t place;
  part_time of;
};

/// A matrix and the data that all arms on it share. Arms run one at a time.
class scene {
 public:
  /// Computes the serial order, with which all arms are compared.
  scene(bench::program& app, problem given, start_options starts);

  [[nodiscard]] arm_setup setup() const;
  [[nodiscard]] std::uint64_t levels() const;

  bench::program& app;
  problem const given;
  start_options const starts;
  serial_order const expected;
  std::uint64_t const bandwidth_before;
  /// The rows that work::observe writes.
  bench::table<part_row> parts;
  /// The reversed order of the first arm that made an order; empty if none did.
  std::vector<std::uint32_t> order;
};

struct settings {
  /// The user's choice of start nodes, or "own" for cuSOLVER.
  std::string start;
  bool own_starts;
};
struct counters {
  arm_result run{};
  std::uint64_t bandwidth = 0;
  std::uint32_t half_bandwidth = 0;
  std::size_t bytes = 0;
  std::string same = "off";
};
using row = bench::row_of<scene, settings, counters>;

struct traits {
  /// Whether the method chooses its own start nodes, as cuSOLVER does. Its order then differs from
  /// ours.
  bool own_starts = false;
};
using method = bench::method<row, traits>;

[[nodiscard]] std::span<method const> all_methods();

/// The columns of /runs in addition to the standard ones.
[[nodiscard]] bench::schema<row> columns();

}  // namespace gridloom::mhive::rcm
