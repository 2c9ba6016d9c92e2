#pragma once
// What all methods on one input share: the values of its matrices, and how a result is judged.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "arms.hpp"
#include "check/lapack.hpp"
#include "check/residual.hpp"
#include "gridloom/random.hpp"

namespace gridloom::tiled_qr {

/// A batch of matrices of one size, one after the other, each column-major without gaps.
template <class T>
struct input_of {
  bench::program& app;
  request const& wanted;
  std::int64_t rows;
  std::int64_t cols;
  std::int64_t batch;
  std::vector<T> values;
  /// LAPACK's diagonal of R of each matrix that was judged: the same for all methods.
  mutable std::vector<std::vector<T>> diagonals{};

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
    constexpr double most_operations = 5e10;
    constexpr double least = 8;
    double const a_matrix = 8.0 * static_cast<double>(size()) * static_cast<double>(vectors());
    auto const count = static_cast<std::size_t>(
        std::min(static_cast<double>(batch), std::max(least, most_operations / a_matrix)));
    random_source random(app.common().seed);
    auto const order = random_permutation(static_cast<std::size_t>(batch), random);
    std::vector<std::int64_t> numbers(order.begin(),
                                      order.begin() + static_cast<std::ptrdiff_t>(count));
    std::sort(numbers.begin(), numbers.end());
    return numbers;
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
};

}  // namespace gridloom::tiled_qr
