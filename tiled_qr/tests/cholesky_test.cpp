// Tests that CholeskyQR2 is right if the condition allows it, and that its failure is noticed
// otherwise.

#include "rivals/tall_products.hpp"

#include <boost/test/unit_test.hpp>

#include "check/power_of_two.hpp"
#include "check/residual.hpp"
#include "inputs/families.hpp"
#include "rivals/lapack.hpp"
#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(cholesky_test)

using namespace gridloom;
using namespace gridloom::tiled_qr;

namespace {

struct outcome {
  residuals found;
  int infos[2];
};

template <class T>
outcome outcome_at(double condition, std::int64_t rows = 120, std::int64_t cols = 40) {
  set_lapack_threads(1);
  auto const a = make_matrix<T>(conditioned_family, rows, cols, 3, condition);
  std::vector<T> q = a;
  std::vector<T> r(static_cast<std::size_t>(cols * cols));
  std::vector<T> g(r.size());
  outcome result{};
  auto const by = make_host_products<T>(rows, cols);
  cholesky_qr2<T>(*by, q.data(), r.data(), g.data(), result.infos);
  result.found = measure_residuals<T>(rows, cols, a, q, r);
  return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_well_conditioned_matrix_gives_an_orthogonal_q) {
  for (double const condition : {1.0, 1e3, 1e6}) {
    outcome const of = outcome_at<double>(condition);
    BOOST_TEST(excess_of(of.found) == "");
    BOOST_TEST((of.infos[0] == 0 && of.infos[1] == 0));
  }
  BOOST_TEST(excess_of(outcome_at<float>(10).found) == "");
  BOOST_TEST(excess_of(outcome_at<double>(100, 33, 33).found) == "");
  BOOST_TEST(excess_of(outcome_at<double>(1, 9, 1).found) == "");
}

BOOST_AUTO_TEST_CASE(a_bad_condition_is_noticed) {
  outcome const of = outcome_at<double>(1e14);
  BOOST_TEST(excess_of(of.found) != "");
  BOOST_TEST((of.infos[0] != 0 || of.found.orthogonality > residual_bound));
  BOOST_TEST(outcome_at<float>(1e7).infos[0] != 0);
}

BOOST_AUTO_TEST_CASE(a_power_of_two_does_not_change_the_residual_of_a_cholesky_factor) {
  constexpr std::int64_t n = 3;
  double const a[] = {4, 2, 1, 2, 5, 3, 1, 3, 6};
  std::vector<double> l(std::begin(a), std::end(a));
  lapack_potrf(n, l.data());
  std::vector<double> wrong = l;
  wrong[4] *= 1.5;
  auto const residual_at = [&](int half, std::vector<double> const& factor) {
    return cholesky_residual(n, scaled<double>(a, 2 * half), scaled<double>(factor, half));
  };
  double const right = residual_at(0, l);
  BOOST_TEST(right < 1);
  // Beyond 2^1021 the norm of A overflows. Below 2^-1000 elements lose bits.
  for (int const half : {-490, -300, -1, 1, 300, 509}) {
    BOOST_TEST(residual_at(half, l) == right, "2^" << 2 * half);
    BOOST_TEST(residual_at(half, wrong) == residual_at(0, wrong), "2^" << 2 * half);
  }
  BOOST_TEST(residual_at(509, wrong) > 1e10);
  double const infinity = std::numeric_limits<double>::infinity();
  BOOST_TEST(cholesky_residual(n, std::vector<double>(9, infinity), l) == infinity);
  BOOST_TEST(cholesky_residual(n, a, std::vector<double>(9, infinity)) == infinity);
}

BOOST_AUTO_TEST_SUITE_END()
