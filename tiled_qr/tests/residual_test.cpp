// Tests the check of factorisations: right results pass, however ill-conditioned, and wrong ones
// fail.

#include "check/residual.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "check/apply_reflectors.hpp"
#include "inputs/families.hpp"
#include "rivals/householder.hpp"
#include "rivals/lapack.hpp"
#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(tiled_qr_residual_test)

using namespace gridloom::tiled_qr;
using gridloom::test::contains;

namespace {

constexpr std::int64_t m = 300;
constexpr std::int64_t n = 120;

template <class T>
struct factored {
  std::vector<T> a;
  std::vector<T> q;
  std::vector<T> r;

  /// Factorises by Algorithm 1, which shares no code with LAPACK.
  explicit factored(std::vector<T> matrix)
      : a(std::move(matrix)), q(a), r(static_cast<std::size_t>(n * n), T{0}) {
    set_lapack_threads(1);
    householder_qr<T>(m, n, q.data());
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t i = 0; i <= j; ++i)
        r[static_cast<std::size_t>(i + j * n)] = q[static_cast<std::size_t>(i + j * m)];
    std::vector<T> const taus = householder_taus<T>(m, n, q.data());
    lapack_orgqr<T>(m, n, q.data(), taus.data());
  }
  [[nodiscard]] residuals judged() const { return measure_residuals<T>(m, n, a, q, r); }
};

/// Makes a matrix of orthogonal columns times Kahan's triangle. Its condition is far larger than
/// R's diagonal shows. Kahan's triangle alone would be factorised without rounding errors.
template <class T>
std::vector<T> rotated_kahan() {
  std::vector<T> a = make_matrix<T>("kahan", m, n, 1);
  std::vector<T> reflectors = make_matrix<T>("random", m, n, 2);
  std::vector<T> taus(static_cast<std::size_t>(n));
  lapack_geqrf<T>(m, n, reflectors.data(), taus.data());
  apply_reflectors<T>(m, n, reflectors, taus)(false, a.data(), n);
  return a;
}

template <class T>
void check_all() {
  factored<T> const random(make_matrix<T>("random", m, n, 1));
  BOOST_TEST(excess_of(random.judged()) == "");
  BOOST_TEST(random.judged().compared == n);

  factored<T> const hard(rotated_kahan<T>());
  BOOST_TEST(excess_of(hard.judged()) == "");
  BOOST_TEST(hard.judged().compared > 0);
  BOOST_TEST(hard.judged().compared < n);

  for (std::int64_t const k : {std::int64_t{0}, n / 2, n - 1}) {
    factored<T> spoiled = random;
    spoiled.r[static_cast<std::size_t>(k + k * n)] *= T{4};
    BOOST_TEST(spoiled.judged().diagonal > residual_bound);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(right_results_pass_and_a_wrong_diagonal_fails) {
  check_all<float>();
  check_all<double>();
}

BOOST_AUTO_TEST_CASE(sums_of_many_rows_may_be_wrong_by_the_root_of_their_number) {
  // Q is one column, whose squared length is a sum of 200,000 rounded terms.
  std::int64_t const rows = 200000;
  std::vector<double> const a(static_cast<std::size_t>(rows), 1.0);
  double const length = std::sqrt(static_cast<double>(rows));
  auto const judged = [&](double roundings) {
    double const off = 1 + roundings * std::numeric_limits<double>::epsilon();
    std::vector<double> const q(a.size(), off / length);
    std::vector<double> const r{length / off};
    return measure_residuals<double>(rows, 1, a, q, r);
  };
  BOOST_TEST(judged(1000).orthogonality > residual_bound);
  BOOST_TEST(excess_of(judged(1000)) == "");
  BOOST_TEST(contains(excess_of(judged(10000)), "|I - Q'Q| / (n eps)"));
}

BOOST_AUTO_TEST_SUITE_END()
