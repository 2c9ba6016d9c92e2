// CholeskyQR2: right where the condition allows it, and known to be wrong where not.

#include "check/cholesky_qr2.hpp"

#include <boost/test/unit_test.hpp>

#include "check/lapack.hpp"
#include "check/residual.hpp"
#include "inputs/families.hpp"
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
outcome of_condition(double condition, std::int64_t rows = 120, std::int64_t cols = 40) {
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

BOOST_AUTO_TEST_CASE(a_good_condition_gives_a_good_q) {
  for (double const condition : {1.0, 1e3, 1e6}) {
    outcome const of = of_condition<double>(condition);
    BOOST_TEST(excess_of(of.found) == "");
    BOOST_TEST((of.infos[0] == 0 && of.infos[1] == 0));
  }
  BOOST_TEST(excess_of(of_condition<float>(10).found) == "");
  BOOST_TEST(excess_of(of_condition<double>(100, 33, 33).found) == "");
  BOOST_TEST(excess_of(of_condition<double>(1, 9, 1).found) == "");
}

BOOST_AUTO_TEST_CASE(a_bad_condition_is_noticed) {
  outcome const of = of_condition<double>(1e14);
  BOOST_TEST(excess_of(of.found) != "");
  BOOST_TEST((of.infos[0] != 0 || of.found.orthogonality > residual_bound));
  BOOST_TEST(of_condition<float>(1e7).infos[0] != 0);
}

BOOST_AUTO_TEST_SUITE_END()
