#pragma once
// What a user asks for, and the methods as the bench runs them, on one input.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "columns.hpp"
#include "gridloom/bench/program.hpp"
#include "inputs/host_vector.hpp"
#include "methods.hpp"
#include "ours/panel/form_q.hpp"

namespace gridloom::tiled_qr {

/// What a user asks for beside the common options.
struct request {
  std::vector<std::string> methods{"fr1", "fr2", "fr3", "lapack"};
  std::vector<std::int64_t> rows{512};
  /// As many as rows, or one for all; empty: square.
  std::vector<std::int64_t> cols;
  /// Matrices of a size that a run factorises: one number for all sizes, or one each.
  std::vector<std::int64_t> batch{1};
  /// Explicit Q is part of a run.
  bool form_q = false;
  /// Of panels: rows a reflector from which Q is formed as of a tall matrix.
  std::int64_t tall_from = panels::usual_tall_from;
  /// Of cusolver_streams, an arm each.
  std::vector<std::int64_t> streams{8};
  std::vector<std::string> families{"random"};
  /// Condition numbers of the family conditioned.
  std::string conditions = "1e6";
  std::vector<std::string> precisions{"double"};
  std::string matrix_file;
  /// What the matrices of families are multiplied by.
  double scale = 1;
  /// How results are verified: full, sample, or auto, which chooses by size.
  std::string verification = "auto";
  int tile = 32;
  std::vector<std::string> priorities{"factorisations-first"};
  /// What a double task counts as; see configurations.hpp.
  std::vector<double> weights{2};
  /// Workers of the tiled methods; empty: those of the common options.
  std::vector<std::int64_t> blocks;
  int queue_slots = 64;
  /// Also store the graph of tasks.
  bool dag = false;
  /// Also store what the compiler made of each operation.
  bool operations = false;
};

/// Matrices that are factorised together.
struct subject {
  /// Family, or name of the file.
  std::string name;
  std::int64_t rows;
  std::int64_t cols;
  std::int64_t batch = 1;
  /// NaN but for the family conditioned.
  double condition = bench::missing_real;
};

/// The arms of all methods on one input. They run one at a time and share its values.
class scene {
 public:
  virtual ~scene() = default;
  [[nodiscard]] virtual std::vector<bench::arm<row>> arms() = 0;
};

/// One input in one precision: the matrices, column-major without gaps, and of each its largest
/// absolute value.
template <class T>
struct input_values {
  host_vector<T> all;
  std::vector<T> largest;
};

template <class T>
std::unique_ptr<scene> make_scene(bench::program& app, request const& wanted, subject const& what,
                                  input_values<T> values);

/// Bytes that the methods asked for hold at the same time on a device; on a host, with the input.
double bytes_of_methods(request const& wanted, subject const& what, std::size_t element,
                        bool on_host);

}  // namespace gridloom::tiled_qr
