// Tests verification by random vectors. Right results pass, in every form of Q. One wrong element
// of R, of a reflector, of tau or of Q is noticed.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <tuple>

#include "check/apply_reflectors.hpp"
#include "inputs/families.hpp"
#include "rivals/householder.hpp"
#include "rivals/lapack.hpp"

BOOST_AUTO_TEST_SUITE(sample_test)

using namespace gridloom::tiled_qr;

namespace {

template <class T>
struct factored {
  std::int64_t m;
  std::int64_t n;
  typename vector_sample<T>::sketch sketch;
  vector_sample<T> by;
  std::vector<T> factors;
  std::vector<T> taus;
  std::vector<T> q;

  factored(std::string_view family, std::int64_t rows, std::int64_t cols, T scale = 1)
      : m(rows), n(cols), by(rows, cols, 1), factors(make_matrix<T>(family, rows, cols, 7)) {
    set_lapack_threads(1);
    for (T& x : factors) x *= scale;
    sketch = by.of(factors);
    taus.resize(static_cast<std::size_t>(std::min(m, n)));
    lapack_geqrf(m, n, factors.data(), taus.data());
    q.assign(factors.begin(), factors.begin() + m * std::min(m, n));
    lapack_orgqr(m, n, q.data(), taus.data());
  }
  [[nodiscard]] residuals factor_residuals() const {
    return by.measure(sketch, {factors, m, apply_reflectors<T>(m, n, factors, taus)});
  }
  [[nodiscard]] residuals explicit_residuals() const {
    return by.measure(sketch, {factors, m, apply_explicit<T>(m, n, q)});
  }
};

template <class T, class Function>
factored<T> spoiled(factored<T> of, Function const& spoil) {
  spoil(of);
  return of;
}

template <class T>
void check_families() {
  for (family const& one : families()) {
    for (auto const& [m, n] : {std::pair{150, 60}, {128, 128}, {60, 150}, {1, 1}, {5000, 3}}) {
      factored<T> const of(one.name, m, n);
      BOOST_TEST_CONTEXT(one.name << ", " << m << " x " << n << ", " << sizeof(T) << " bytes") {
        BOOST_TEST(excess_of(of.factor_residuals()) == "");
        BOOST_TEST(excess_of(of.explicit_residuals()) == "");
      }
    }
  }
}

std::string verdict_on_factors(residuals const& found) {
  return found.factors >= residual_bound ? "seen" : "";
}
std::string verdict_on_q(residuals const& found) {
  return found.orthogonality >= residual_bound ? "seen" : "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(right_results_of_every_family_pass) {
  check_families<double>();
  check_families<float>();
}

BOOST_AUTO_TEST_CASE(reflectors_of_another_normalisation_pass) {
  factored<double> of("random", 90, 70);
  std::vector<double> a = make_matrix<double>("random", 90, 70, 7);
  householder_qr(90, 70, a.data());
  auto const taus = householder_taus(90, 70, a.data());
  BOOST_TEST(excess_of(of.by.measure(of.sketch,
                                     {a, 90, apply_reflectors<double>(90, 70, a, taus)})) == "");
}

using precisions = std::tuple<float, double>;

// Each checked factorisation has one error, which is small compared with the matrix.
BOOST_AUTO_TEST_CASE_TEMPLATE(one_wrong_element_is_seen, T, precisions) {
  factored<T> const right("random", 400, 300);
  double const wrong = 1e5 * std::numeric_limits<T>::epsilon();
  for (std::size_t const at : {std::size_t{0}, std::size_t{150}, std::size_t{299}}) {
    BOOST_TEST_CONTEXT("element " << at) {
      auto const r = spoiled(
          right, [&](auto& of) { of.factors[299 * 400 + at] += static_cast<T>(wrong * 20); });
      BOOST_TEST(verdict_on_factors(r.explicit_residuals()) == "seen");
      auto const v = spoiled(
          right, [&](auto& of) { of.factors[at * 400 + 350] += static_cast<T>(wrong * 20); });
      BOOST_TEST(excess_of(v.factor_residuals()) != "");
      auto const tau = spoiled(right, [&](auto& of) { of.taus[at] += static_cast<T>(wrong); });
      BOOST_TEST(verdict_on_q(tau.factor_residuals()) == "seen");
      auto const q = spoiled(right, [&](auto& of) { of.q[at * 400 + 7] += static_cast<T>(wrong); });
      BOOST_TEST(verdict_on_q(q.explicit_residuals()) == "seen");
    }
  }
  auto const none = spoiled(right, [](auto& of) { of.taus[120] = 0; });
  BOOST_TEST(verdict_on_factors(none.factor_residuals()) == "seen");
  auto const nan = spoiled(
      right, [](auto& of) { of.factors[100 * 400 + 50] = std::numeric_limits<T>::quiet_NaN(); });
  BOOST_TEST(verdict_on_factors(nan.explicit_residuals()) == "seen");
}

BOOST_AUTO_TEST_CASE(
    a_column_that_is_lost_among_long_ones_is_seen_where_the_bound_of_lapack_is_none) {
  // 30 · rows · epsilon of float exceeds 1 here, so R = 0 would pass with LAPACK's bound.
  factored<float> of("random", 400000, 2);
  BOOST_TEST(excess_of(of.factor_residuals()) == "");
  of.factors[400000] *= 1.2F;
  of.factors[400001] *= 1.2F;
  BOOST_TEST(verdict_on_factors(of.factor_residuals()) == "seen");
}

BOOST_AUTO_TEST_CASE(very_large_and_very_small_numbers_are_judged_alike) {
  for (double const scale : {1e200, 1e-200, 1e300, 1e-300}) {
    BOOST_TEST_CONTEXT(scale) {
      factored<double> of("random", 120, 80, scale);
      BOOST_TEST(excess_of(of.factor_residuals()) == "");
      of.factors[79 * 120 + 3] += 1e-8 * scale;
      BOOST_TEST(verdict_on_factors(of.factor_residuals()) == "seen");
    }
  }
}

BOOST_AUTO_TEST_CASE(the_same_seed_gives_the_same_vectors_and_another_does_not) {
  std::vector<double> const a = make_matrix<double>("random", 50, 20, 7);
  auto const first = vector_sample<double>(50, 20, 1).of(a).products;
  BOOST_TEST(first == vector_sample<double>(50, 20, 1).of(a).products);
  BOOST_TEST(first != vector_sample<double>(50, 20, 2).of(a).products);
}

// The length of a column is estimated from eight vectors. For nearly all of 300 columns it must be
// right within a factor of three.
BOOST_AUTO_TEST_CASE(estimated_lengths_are_near_the_true_ones) {
  std::int64_t const m = 5000;
  std::int64_t const n = 300;
  std::vector<double> const a = make_matrix<double>("random", m, n, 3);
  auto const sketch = vector_sample<double>(m, n, 1).of(a);
  int far = 0;
  double longest = 0;
  double mean = 0;
  for (std::int64_t j = 0; j < n; ++j) {
    double squares = 0;
    for (std::int64_t i = 0; i < m; ++i) {
      double const x = a[static_cast<std::size_t>(j * m + i)];
      squares += x * x;
    }
    longest = std::max(longest, squares);
    double shown = 0;
    for (int v = 0; v < sample_vectors; ++v) {
      double const product = sketch.products[static_cast<std::size_t>(j * sample_vectors + v)];
      shown += product * product / sample_vectors;
    }
    mean += shown / squares / static_cast<double>(n);
    if (shown < squares / 9 || shown > squares * 9) ++far;
  }
  BOOST_TEST(far <= 1);
  BOOST_TEST(std::abs(mean - 1) < 0.2);
  BOOST_TEST(std::abs(sketch.longest - std::sqrt(longest)) < 1e-9 * sketch.longest);
}

BOOST_AUTO_TEST_SUITE_END()
