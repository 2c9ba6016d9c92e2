#include "inputs/families.hpp"

#include <algorithm>
#include <cmath>

#include "check/largest.hpp"
#include "check/share_among_threads.hpp"
#include "gridloom/bench/catalogue.hpp"
#include "gridloom/error.hpp"
#include "gridloom/parse.hpp"
#include "gridloom/random.hpp"

namespace gridloom::tiled_qr {

namespace {

/// A matrix under construction, in double.
struct maker {
  std::int64_t rows;
  std::int64_t cols;
  double condition;
  random_source random;
  std::vector<double> values;

  maker(std::int64_t m, std::int64_t n, double wanted_condition, std::uint64_t seed)
      : rows(m),
        cols(n),
        condition(wanted_condition),
        random(seed),
        values(static_cast<std::size_t>(m * n), 0.0) {}

  [[nodiscard]] std::int64_t least() const { return std::min(rows, cols); }
  double uniform() { return 2 * random.unit() - 1; }
  double& at(std::int64_t i, std::int64_t j) {
    return values[static_cast<std::size_t>(j * rows + i)];
  }
  template <class Value>
  void fill(Value&& value) {
    for (std::int64_t j = 0; j < cols; ++j) {
      for (std::int64_t i = 0; i < rows; ++i) at(i, j) = value(i, j);
    }
  }
  /// Fills the matrix with a sum of `rank` products of a random column and a random row.
  void fill_of_rank(std::int64_t rank) {
    for (std::int64_t l = 0; l < rank; ++l) {
      std::vector<double> column(static_cast<std::size_t>(rows));
      for (double& x : column) x = uniform();
      for (std::int64_t j = 0; j < cols; ++j) {
        double const y = uniform();
        for (std::int64_t i = 0; i < rows; ++i) at(i, j) += column[static_cast<std::size_t>(i)] * y;
      }
    }
  }
  /// Applies random reflections from the left and the right, which keep the singular values.
  void rotate(std::int64_t times) {
    for (std::int64_t repeat = 0; repeat < times; ++repeat) {
      std::vector<double> const left = direction(rows);
      std::vector<double> const right = direction(cols);
      for (std::int64_t j = 0; j < cols; ++j) {
        double z = 0;
        for (std::int64_t i = 0; i < rows; ++i) z += left[static_cast<std::size_t>(i)] * at(i, j);
        for (std::int64_t i = 0; i < rows; ++i)
          at(i, j) -= 2 * z * left[static_cast<std::size_t>(i)];
      }
      std::vector<double> z(static_cast<std::size_t>(rows), 0.0);
      for (std::int64_t j = 0; j < cols; ++j) {
        for (std::int64_t i = 0; i < rows; ++i)
          z[static_cast<std::size_t>(i)] += at(i, j) * right[static_cast<std::size_t>(j)];
      }
      for (std::int64_t j = 0; j < cols; ++j) {
        for (std::int64_t i = 0; i < rows; ++i)
          at(i, j) -= 2 * z[static_cast<std::size_t>(i)] * right[static_cast<std::size_t>(j)];
      }
    }
  }

 private:
  std::vector<double> direction(std::int64_t n) {
    std::vector<double> v(static_cast<std::size_t>(n));
    double squares = 0;
    for (double& x : v) {
      x = uniform();
      squares += x * x;
    }
    for (double& x : v) x /= std::sqrt(squares);
    return v;
  }
};

/// The place of an element, and the number of columns.
struct element_place {
  std::int64_t i;
  std::int64_t j;
  std::int64_t cols;
};

struct entry {
  std::string_view name;
  std::string_view what;
  void (*make)(maker&);
  /// If set, computes an element in place of `make`, from a number that is uniform over [-1, 1).
  double (*element)(element_place, double) = nullptr;
};

constexpr entry entries[] = {
    {"random", "uniform over [-1, 1)", nullptr,
     [](element_place, double uniform) { return uniform; }},
    {"graded", "random, columns that shrink from 1 to 1e-12", nullptr,
     [](element_place at, double uniform) {
       return uniform *
              std::pow(10.0, -12.0 * static_cast<double>(at.j) / static_cast<double>(at.cols));
     }},
    {"rank-deficient", "random, of half the full rank",
     [](maker& m) { m.fill_of_rank(std::max<std::int64_t>(1, m.least() / 2)); }},
    {"nearly-deficient", "as rank-deficient, with a change of 1e-10",
     [](maker& m) {
       m.fill_of_rank(std::max<std::int64_t>(1, m.least() / 2));
       for (double& x : m.values) x += 1e-10 * m.uniform();
     }},
    {"clustered", "singular values in clusters at 1, 1e-3 and 1e-6",
     [](maker& m) {
       for (std::int64_t k = 0; k < m.least(); ++k)
         m.at(k, k) = std::pow(10.0, -3.0 * static_cast<double>(k % 3));
       m.rotate(3);
     }},
    {conditioned_family, "singular values from 1 to 1 / --condition, evenly on a logarithmic scale",
     [](maker& m) {
       std::int64_t const steps = std::max<std::int64_t>(1, m.least() - 1);
       for (std::int64_t k = 0; k < m.least(); ++k)
         m.at(k, k) = std::pow(m.condition, -static_cast<double>(k) / static_cast<double>(steps));
       // With few reflections, the columns would differ mainly in length, which does not make a QR
       // harder.
       m.rotate(std::min<std::int64_t>(m.least(), 64));
     }},
    {"banded", "random in five diagonals on each side, else 0",
     [](maker& m) {
       m.fill([&m](auto i, auto j) { return std::abs(i - j) <= 5 ? m.uniform() : 0.0; });
     }},
    {"scaled-rows", "random, rows scaled by 1e-8 to 1e8",
     [](maker& m) {
       std::vector<double> scale(static_cast<std::size_t>(m.rows));
       for (double& x : scale) x = std::pow(10.0, 8 * m.uniform());
       m.fill([&](auto i, auto) { return m.uniform() * scale[static_cast<std::size_t>(i)]; });
     }},
    {"collinear", "one random column, changed by 1e-8 in each",
     [](maker& m) {
       std::vector<double> base(static_cast<std::size_t>(m.rows));
       for (double& x : base) x = m.uniform();
       m.fill([&](auto i, auto) { return base[static_cast<std::size_t>(i)] + 1e-8 * m.uniform(); });
     }},
    {"repeated", "two random columns in turn",
     [](maker& m) {
       m.fill([&m](auto i, auto j) { return j < 2 ? m.uniform() : m.at(i, j % 2); });
     }},
    {"constant", "all elements 1", [](maker& m) { m.fill([](auto, auto) { return 1.0; }); }},
    {"zero", "all elements 0", [](maker&) {}},
    {"identity", "1 on the diagonal",
     [](maker& m) { m.fill([](auto i, auto j) { return i == j ? 1.0 : 0.0; }); }},
    {"hilbert", "1 / (i + j + 1)",
     [](maker& m) { m.fill([](auto i, auto j) { return 1.0 / static_cast<double>(i + j + 1); }); }},
    {"kahan", "Kahan's upper triangle of angle 1.2",
     [](maker& m) {
       double const s = std::sin(1.2);
       double const c = std::cos(1.2);
       m.fill([&](auto i, auto j) {
         double const scale = std::pow(s, static_cast<double>(i));
         return i == j ? scale : i < j ? -c * scale : 0.0;
       });
     }},
    {"vandermonde", "powers of points between 0 and 1, highest power first",
     [](maker& m) {
       auto const last = static_cast<double>(std::max<std::int64_t>(1, m.rows - 1));
       m.fill([&](auto i, auto j) {
         return std::pow(static_cast<double>(i) / last, static_cast<double>(m.cols - 1 - j));
       });
     }},
};

}  // namespace

std::span<family const> families() {
  static std::vector<family> const all = [] {
    std::vector<family> names;
    for (entry const& one : entries) names.push_back({one.name, one.what});
    return names;
  }();
  return all;
}

template <class T>
void fill_matrix(std::string_view name, std::int64_t rows, std::int64_t cols, std::uint64_t seed,
                 double condition, std::span<T> to) {
  entry const& of = bench::named<entry>(entries, name, "--family");
  if (of.element == nullptr) {
    maker made(rows, cols, condition, seed);
    of.make(made);
    std::copy(made.values.begin(), made.values.end(), to.begin());
    return;
  }
  share_range(to.size(), [&](std::size_t begin, std::size_t end) {
    random_source random(seed);
    random.skip(begin);
    auto const first = static_cast<std::int64_t>(begin);
    element_place at{first % rows, first / rows, cols};
    for (std::size_t e = begin; e < end; ++e) {
      to[e] = static_cast<T>(of.element(at, 2 * random.unit() - 1));
      if (++at.i == rows) at = {0, at.j + 1, cols};
    }
  });
}

template <class T>
std::vector<T> make_matrix(std::string_view name, std::int64_t rows, std::int64_t cols,
                           std::uint64_t seed, double condition) {
  std::vector<T> made(static_cast<std::size_t>(rows * cols));
  fill_matrix<T>(name, rows, cols, seed, condition, made);
  return made;
}

template <class T>
T require_finite(std::span<T const> values, std::int64_t rows, std::string const& source) {
  T const largest = largest_of(values);
  if (std::isfinite(largest)) return largest;
  std::size_t at = 0;
  while (std::isfinite(values[at])) ++at;
  auto const place = static_cast<std::int64_t>(at);
  throw usage_error(source + ": row " + std::to_string(place % rows + 1) + ", column " +
                    std::to_string(place / rows + 1) + ": expected a finite number, got " +
                    shown(static_cast<double>(values[at])));
}

template std::vector<float> make_matrix<float>(std::string_view, std::int64_t, std::int64_t,
                                               std::uint64_t, double);
template std::vector<double> make_matrix<double>(std::string_view, std::int64_t, std::int64_t,
                                                 std::uint64_t, double);
template void fill_matrix<float>(std::string_view, std::int64_t, std::int64_t, std::uint64_t,
                                 double, std::span<float>);
template void fill_matrix<double>(std::string_view, std::int64_t, std::int64_t, std::uint64_t,
                                  double, std::span<double>);
template float require_finite<float>(std::span<float const>, std::int64_t, std::string const&);
template double require_finite<double>(std::span<double const>, std::int64_t, std::string const&);

}  // namespace gridloom::tiled_qr
