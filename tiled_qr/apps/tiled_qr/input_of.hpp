#pragma once
// What all methods on one input share: the values of its matrices, and how a result is judged.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "arms.hpp"
#include "check/power_of_two.hpp"
#include "check/residual.hpp"
#include "check/sample.hpp"
#include "gridloom/random.hpp"
#include "rivals/lapack.hpp"

namespace gridloom::tiled_qr {

/// Where products of all matrices that are verified took more operations than this, random vectors are
/// used: some ten seconds of sixteen processors.
inline constexpr double most_operations_in_full = 1e12;
/// Rows of a matrix that OpenBLAS is asked to verify (docs/methods.md, Verification).
inline constexpr std::int64_t most_rows_in_full = 2'000'000;

/// A batch of matrices of one size, one after the other, each column-major without gaps.
template <class T>
struct input_of {
  bench::program& app;
  request const& wanted;
  std::int64_t rows;
  std::int64_t cols;
  std::int64_t batch;
  host_vector<T> values;
  /// The largest absolute value of each matrix.
  std::vector<T> largest;
  /// What is the same for all methods, of each matrix that was judged: LAPACK's diagonal of R, or the
  /// products with random vectors.
  mutable std::vector<std::vector<T>> diagonals{};
  mutable std::vector<typename vector_sample<T>::sketch> sketches{};
  mutable std::unique_ptr<vector_sample<T>> vectors_of_sample{};

  [[nodiscard]] std::int64_t vectors() const { return std::min(rows, cols); }
  /// Elements of one matrix, of its Q and of its R.
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

  /// The matrices that are verified, by their numbers: all, unless that were more than a few seconds
  /// of work; then a sample that the seed determines, of eight at least.
  [[nodiscard]] std::vector<std::int64_t> sample() const {
    auto const count = static_cast<std::size_t>(verified_matrices());
    random_source random(app.common().seed);
    auto const order = random_permutation(static_cast<std::size_t>(batch), random);
    std::vector<std::int64_t> numbers(order.begin(),
                                      order.begin() + static_cast<std::ptrdiff_t>(count));
    std::sort(numbers.begin(), numbers.end());
    return numbers;
  }

  /// Whether random vectors take the place of products of all of Q and R: where those take long, or
  /// where the error they allow, by the bound of LAPACK's tests, is as large as the matrix, or where
  /// there are more rows than OpenBLAS is asked to verify.
  [[nodiscard]] bool is_sampled() const {
    if (wanted.verification != "auto") return wanted.verification == "sample";
    double const allowed = residual_bound * static_cast<double>(std::max(rows, cols)) *
                           static_cast<double>(std::numeric_limits<T>::epsilon());
    return verified_matrices() * operations_in_full() > most_operations_in_full || allowed > 1 ||
           rows > most_rows_in_full;
  }

  /// Powers of two that bring the matrices to a scale where entries can be squared.
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
  /// To verify one matrix in full.
  [[nodiscard]] double operations_in_full() const {
    return 8.0 * static_cast<double>(size()) * static_cast<double>(vectors());
  }
};

}  // namespace gridloom::tiled_qr
