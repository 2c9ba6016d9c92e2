#pragma once
// The program's own options, and an input that all methods share: the values of its matrices, and
// the check of results.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "check/power_of_two.hpp"
#include "check/residual.hpp"
#include "check/sample.hpp"
#include "gridloom/bench/program.hpp"
#include "gridloom/random.hpp"
#include "inputs/host_vector.hpp"
#include "rivals/lapack.hpp"

namespace gridloom::tiled_qr {

/// Stands for a weight that is measured before the runs.
inline constexpr double measured_weight = 0;

struct request {
  std::vector<std::int64_t> rows{512};
  /// Numbers of columns: one per size, or one for all sizes; empty: square.
  std::vector<std::int64_t> cols;
  /// Numbers of matrices per run: one per size, or one for all sizes.
  std::vector<std::int64_t> batch{1};
  /// Whether a run forms explicit Q.
  bool form_q = false;
  /// For cusolver_streams: numbers of streams, each of which is an arm.
  std::vector<std::int64_t> streams{8};
  std::vector<std::string> families{"random"};
  /// Condition numbers of the family conditioned.
  std::string conditions = "1e6";
  std::vector<std::string> precisions{"double"};
  std::string matrix_file;
  /// Factor by which all elements of generated matrices are multiplied.
  double scale = 1;
  /// How results are verified: full, sample, or auto, which chooses by the size.
  std::string verification = "auto";
  int tile = 32;
  std::vector<std::string> priorities{"factorisations-first"};
  /// Weights of a double task, in units of a single task, or measured_weight.
  std::vector<double> weights{2};
  /// Numbers of workers of the tiled methods. If empty, those of the common options.
  std::vector<std::int64_t> blocks;
  int queue_slots = 64;
  /// Whether to store the graph of tasks, too.
  bool dag = false;
  /// Whether to store registers, shared memory and occupancy of each operation, too.
  bool operations = false;
};

/// Matrices that are factorised together.
struct subject {
  /// Name of the family or of the file.
  std::string name;
  std::int64_t rows;
  std::int64_t cols;
  std::int64_t batch = 1;
  /// Condition number; NaN except for the family conditioned.
  double condition = bench::missing_real;
};

/// One input in one precision: the matrices, column-major without gaps, and the largest absolute
/// value of each.
template <class T>
struct input_values {
  host_vector<T> all;
  std::vector<T> largest;
};

/// Up to this number of operations, results are verified by matrix products, which takes about ten
/// seconds on sixteen processors. Beyond, random vectors verify them.
inline constexpr double most_operations_in_full = 1e12;
/// Largest number of rows of a matrix that OpenBLAS verifies (docs/methods.md, Verification).
inline constexpr std::int64_t most_rows_in_full = 2'000'000;

/// A batch of matrices of one size, which follow each other, each column-major without gaps.
template <class T>
struct input_of {
  input_of(bench::program& frame, request const& asked, subject const& of, input_values<T> made)
      : app(frame),
        wanted(asked),
        rows(of.rows),
        cols(of.cols),
        batch(of.batch),
        values(std::move(made.all)),
        largest(std::move(made.largest)) {}

  bench::program& app;
  request const& wanted;
  std::int64_t rows;
  std::int64_t cols;
  std::int64_t batch;
  host_vector<T> values;
  /// The largest absolute value of each matrix.
  std::vector<T> largest;
  /// R's diagonal by LAPACK for each verified matrix, computed once for all methods.
  mutable std::vector<std::vector<T>> diagonals{};
  /// Products of random vectors and each sampled matrix, computed once for all methods.
  mutable std::vector<typename vector_sample<T>::sketch> sketches{};
  mutable std::unique_ptr<vector_sample<T>> vectors_of_sample{};

  [[nodiscard]] std::int64_t vectors() const { return std::min(rows, cols); }
  /// Number of elements of one matrix, and of its Q and its R.
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(rows * cols); }
  [[nodiscard]] std::size_t q_size() const { return static_cast<std::size_t>(rows * vectors()); }
  [[nodiscard]] std::size_t r_size() const { return static_cast<std::size_t>(vectors() * cols); }
  [[nodiscard]] std::size_t taus_size() const {
    return static_cast<std::size_t>(batch * vectors());
  }
  [[nodiscard]] std::size_t place_of(std::int64_t matrix) const {
    return static_cast<std::size_t>(matrix) * size();
  }
  [[nodiscard]] std::span<T const> matrix(std::int64_t number) const {
    return std::span<T const>(values).subspan(place_of(number), size());
  }

  /// Returns the indices of the matrices that are verified: all, if that takes at most a few
  /// seconds. Otherwise at least eight, which the seed chooses.
  [[nodiscard]] std::vector<std::int64_t> sample() const {
    auto const count = static_cast<std::size_t>(verified_matrices());
    random_source random(app.common().seed);
    auto const order = random_permutation(static_cast<std::size_t>(batch), random);
    std::vector<std::int64_t> numbers(order.begin(),
                                      order.begin() + static_cast<std::ptrdiff_t>(count));
    std::sort(numbers.begin(), numbers.end());
    return numbers;
  }

  /// Whether random vectors verify results, instead of products of the whole Q and R. There are
  /// three reasons: the products take too long, OpenBLAS cannot handle the number of rows, or
  /// LAPACK's bound would allow errors as large as the matrix.
  [[nodiscard]] bool is_sampled() const {
    if (wanted.verification != "auto") return wanted.verification == "sample";
    double const allowed = residual_bound * static_cast<double>(std::max(rows, cols)) *
                           static_cast<double>(std::numeric_limits<T>::epsilon());
    return verified_matrices() * operations_in_full() > most_operations_in_full || allowed > 1 ||
           rows > most_rows_in_full;
  }

  /// Returns the exponents of the powers of two that scale the matrices so that entries can be
  /// squared.
  [[nodiscard]] std::vector<int> exponents() const {
    std::vector<int> all;
    for (T const one : largest) all.push_back(exponent_to_safe(one));
    return all;
  }

  [[nodiscard]] residuals judge_sample(std::int64_t number, factors_view<T> const& found) const {
    if (!vectors_of_sample)
      vectors_of_sample = std::make_unique<vector_sample<T>>(rows, cols, app.common().seed);
    sketches.resize(static_cast<std::size_t>(batch));
    auto& sketch = sketches[static_cast<std::size_t>(number)];
    if (sketch.products.empty()) sketch = vectors_of_sample->of(matrix(number));
    return vectors_of_sample->measure(sketch, found);
  }

  [[nodiscard]] residuals judge(std::int64_t number, std::vector<T> const& q,
                                std::vector<T> const& r) const {
    diagonals.resize(static_cast<std::size_t>(batch));
    std::vector<T>& diagonal = diagonals[static_cast<std::size_t>(number)];
    if (diagonal.empty()) {
      auto const a = matrix(number);
      diagonal = lapack_diagonal<T>(rows, cols, {a.begin(), a.end()});
    }
    return measure_residuals<T>(rows, cols, matrix(number), q, r, diagonal);
  }

 private:
  [[nodiscard]] double verified_matrices() const {
    constexpr double most_operations = 5e10;
    constexpr double least = 8;
    return std::floor(std::min(static_cast<double>(batch),
                               std::max(least, most_operations / operations_in_full())));
  }
  /// Returns the number of operations to verify one matrix by products.
  [[nodiscard]] double operations_in_full() const {
    return 8.0 * static_cast<double>(size()) * static_cast<double>(vectors());
  }
};

}  // namespace gridloom::tiled_qr
