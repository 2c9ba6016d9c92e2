#pragma once
// Test matrices in double whose columns nearly depend on each other, as in practice: powers,
// exponentials, hyperbolas, bells, triangles. They are column-major.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gridloom/random.hpp"

namespace gridloom::tiled_qr::test {

struct decay {
  std::string what;
  std::int64_t rows;
  std::int64_t cols;
  std::vector<double> values;
};

/// Makes a matrix with element value(i, j) in row i and column j.
template <class Value>
decay decay_of(std::string what, std::int64_t rows, std::int64_t cols, Value const& value) {
  decay made{std::move(what), rows, cols, {}};
  made.values.reserve(static_cast<std::size_t>(rows * cols));
  for (std::int64_t j = 0; j < cols; ++j)
    for (std::int64_t i = 0; i < rows; ++i) made.values.push_back(value(i, j));
  return made;
}

/// Returns point i of `rows` points from `from` to `to`.
inline double between(double from, double to, std::int64_t i, std::int64_t rows) {
  return from + (to - from) * static_cast<double>(i) /
                    static_cast<double>(std::max<std::int64_t>(1, rows - 1));
}

/// Makes powers of points in [from, to]. The exponent of a column is `power` times the number of
/// columns to its right.
inline decay powers(std::int64_t rows, std::int64_t cols, double from, double to, int power) {
  return decay_of("powers", rows, cols, [=](auto i, auto j) {
    return std::pow(between(from, to, i, rows), static_cast<double>(power * (cols - 1 - j)));
  });
}

/// Makes exp(-t d), with t in [0, 1] and d in [0, most].
inline decay even_exponentials(std::int64_t rows, std::int64_t cols, double most) {
  return decay_of("exponentials", rows, cols, [=](auto i, auto j) {
    return std::exp(-between(0, 1, i, rows) * between(0, most, j, cols));
  });
}

/// Makes exp(-t d), with d from 10^first to 10^last on a logarithmic scale.
inline decay graded_exponentials(std::int64_t rows, std::int64_t cols, double first, double last) {
  return decay_of("graded exponentials", rows, cols, [=](auto i, auto j) {
    return std::exp(-between(0, 1, i, rows) * std::pow(10.0, between(first, last, j, cols)));
  });
}

/// Makes the product left · right. `right` is upper triangular and has as many columns as `left`.
template <class Entry>
decay times_triangle(decay left, Entry const& right) {
  auto const at = [&](std::int64_t i, std::int64_t j) -> double& {
    return left.values[static_cast<std::size_t>(j * left.rows + i)];
  };
  std::vector<double> column(static_cast<std::size_t>(left.cols));
  for (std::int64_t j = left.cols - 1; j >= 0; --j) {
    for (std::int64_t k = 0; k <= j; ++k) column[static_cast<std::size_t>(k)] = right(k, j);
    for (std::int64_t i = 0; i < left.rows; ++i) {
      double sum = 0;
      for (std::int64_t k = 0; k <= j; ++k) sum += at(i, k) * column[static_cast<std::size_t>(k)];
      at(i, j) = sum;
    }
  }
  return left;
}

/// Draws matrices of all kinds, some with scaled or mixed columns. The same seed gives the same
/// matrices.
class random_decays {
 public:
  explicit random_decays(std::uint64_t seed) : random_(seed) {}

  decay draw(std::int64_t most_rows, std::int64_t most_cols) {
    std::int64_t const rows = logarithmic_size(33, most_rows);
    std::int64_t const cols = std::min(rows, logarithmic_size(5, most_cols));
    decay made = shape(rows, cols);
    if (below(4) == 0) scale_columns(made);
    if (below(4) == 0) mix_columns(made);
    return made;
  }

 private:
  std::int64_t below(int count) { return static_cast<std::int64_t>(random_.unit() * count); }
  double uniform(double from, double to) { return from + (to - from) * random_.unit(); }
  double logarithmic(double from, double to) {
    return std::exp(uniform(std::log(from), std::log(to)));
  }
  std::int64_t logarithmic_size(std::int64_t from, std::int64_t to) {
    return std::llround(logarithmic(static_cast<double>(from), static_cast<double>(to)));
  }
  decay random_matrix(std::string what, std::int64_t rows, std::int64_t cols) {
    return decay_of(std::move(what), rows, cols, [this](auto, auto) { return uniform(-1, 1); });
  }

  decay shape(std::int64_t rows, std::int64_t cols) {
    double const steep = logarithmic(1, 3000);
    double const off = logarithmic(1e-3, 1e2);
    double const angle = uniform(0.2, 1.4);
    switch (below(11)) {
      case 0: return powers(rows, cols, below(2) == 0 ? 0 : -1, 1, 1);
      case 1: return powers(rows, cols, 0.001, 1, 2);
      case 2: return even_exponentials(rows, cols, steep);
      case 3: return graded_exponentials(rows, cols, -3, 3);
      case 4: return graded_exponentials(rows, cols, 3, -3);
      case 5:
        return decay_of("hyperbolas", rows, cols,
                        [=](auto i, auto j) { return 1 / (static_cast<double>(i + j) + off); });
      case 6:
        return decay_of("Cauchy", rows, cols, [=](auto i, auto j) {
          return 1 / (between(0, 1, i, rows) + off * between(0.01, 1, j, cols));
        });
      case 7:
        return decay_of("bells", rows, cols, [=](auto i, auto j) {
          double const apart = between(0, 1, i, rows) - between(0, 1, j, cols);
          return std::exp(-steep * apart * apart);
        });
      case 8:
        return times_triangle(random_matrix("Kahan", rows, cols), [=](auto i, auto j) {
          double const size = std::pow(std::sin(angle), static_cast<double>(i));
          return i == j ? size : -std::cos(angle) * size;
        });
      case 9:
        return times_triangle(random_matrix("Wilkinson", rows, cols),
                              [](auto i, auto j) { return i == j ? 1.0 : -1.0; });
      default:
        return times_triangle(random_matrix("random triangle", rows, cols),
                              [this](auto, auto) { return uniform(-1, 1); });
    }
  }

  void scale_columns(decay& of) {
    of.what += ", scaled columns";
    for (std::int64_t j = 0; j < of.cols; ++j) {
      double const factor = std::pow(10.0, uniform(-8, 8));
      auto const first = of.values.begin() + j * of.rows;
      std::for_each(first, first + of.rows, [&](double& x) { x *= factor; });
    }
  }
  void mix_columns(decay& of) {
    of.what += ", mixed columns";
    for (std::int64_t j = of.cols - 1; j > 0; --j) {
      auto const first = of.values.begin() + j * of.rows;
      std::swap_ranges(first, first + of.rows,
                       of.values.begin() + below(static_cast<int>(j) + 1) * of.rows);
    }
  }

  random_source random_;
};

}  // namespace gridloom::tiled_qr::test
