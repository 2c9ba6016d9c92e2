// Compares the serial reference with results by hand and with a plain dense Jacobi method.
#include "serial.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "jacobi_support.hpp"
#include "row_sum.hpp"

namespace gridloom::mhive::jacobi::test {

BOOST_AUTO_TEST_SUITE(jacobi_serial_test)
namespace {

namespace bt = boost::test_tools;

BOOST_AUTO_TEST_CASE(three_iterations_by_hand) {
  auto of = make_system("m", sparse_of({{4, 1}, {2, 5}}), "m");
  of.right_side = {1, 2};
  serial_iteration<double> serial{of, 512};
  // x goes from (1, 1) to (0, 0).
  BOOST_TEST(serial.step() == 2.0);
  BOOST_TEST(serial.x() == (std::vector<double>{0, 0}), bt::per_element());
  BOOST_TEST(serial.step() == 0.65);
  BOOST_TEST(serial.x() == (std::vector<double>{0.25, 0.4}), bt::per_element());
  BOOST_TEST(serial.step() == 0.2, bt::tolerance(1e-15));
  BOOST_TEST(serial.x()[0] == 0.15, bt::tolerance(1e-15));
  BOOST_TEST(serial.x()[1] == 0.3, bt::tolerance(1e-15));
  BOOST_TEST(serial.iteration() == 3U);
}

BOOST_AUTO_TEST_CASE(it_follows_a_plain_dense_iteration) {
  for (std::uint32_t const n : {1U, 2U, 40U, 150U}) {
    auto const dense = random_dense(n, 4, n, n);
    auto const of = system_of(sparse_of(dense), 5);
    std::vector<long double> x(n, 1);
    for (std::uint32_t const segment : {512U, 8U}) {
      serial_iteration<double> serial{of, segment};
      x.assign(n, 1);
      for (int k = 0; k < 10; ++k) {
        auto const old = x;
        for (std::uint32_t row = 0; row < n; ++row) {
          long double sum = of.right_side[row];
          for (std::uint32_t column = 0; column < n; ++column) {
            if (column != row) sum -= dense[row][column] * old[column];
          }
          x[row] = sum / dense[row][row];
        }
        serial.step();
        for (std::uint32_t row = 0; row < n; ++row) {
          BOOST_TEST(std::abs(serial.x()[row] - static_cast<double>(x[row])) < 1e-13);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(it_converges_to_the_known_solution) {
  auto const of = system_of(sparse_of(random_dense(100, 5, 0, 2)));
  serial_iteration<double> serial{of, 512};
  BOOST_TEST((serial.run({.max_iterations = 1000, .tolerance = 1e-11}) == outcome::converged));
  double error = 0;
  for (std::size_t i = 0; i < 100; ++i) error += std::abs(serial.x()[i] - of.known[i]);
  BOOST_TEST(error < 1e-9);
  auto const narrow = system_of(sparse_of<float>(random_dense(100, 5, 0, 2)));
  serial_iteration<float> coarse{narrow, 512};
  BOOST_TEST((coarse.run({.max_iterations = 1000, .tolerance = 1e-3}) == outcome::converged));
}

BOOST_AUTO_TEST_CASE(an_iteration_that_grows_diverges) {
  auto const of = system_of(sparse_of({{1, 2}, {2, 1}}));
  serial_iteration<double> first{of, 512};
  stop_rules rules;
  rules.divergence = divergence_bound(first.step(), 2);
  serial_iteration<double> serial{of, 512};
  BOOST_TEST((serial.run(rules) == outcome::diverged));
  BOOST_TEST(serial.iteration() < 60U);
}

BOOST_AUTO_TEST_CASE(the_rules_stop_for_one_reason) {
  stop_rules const rules{.max_iterations = 5, .tolerance = 1e-3, .divergence = 1e6};
  double const nan = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST((rules.judge(1, 1.0) == outcome::running));
  BOOST_TEST((rules.judge(4, 1e6) == outcome::running));
  BOOST_TEST((rules.judge(1, 1e-3) == outcome::running));
  BOOST_TEST((rules.judge(1, 0.9e-3) == outcome::converged));
  BOOST_TEST((rules.judge(5, 0.9e-3) == outcome::converged));
  BOOST_TEST((rules.judge(5, 1.0) == outcome::iteration_limit));
  BOOST_TEST((rules.judge(1, 1.1e6) == outcome::diverged));
  BOOST_TEST((rules.judge(1, nan) == outcome::diverged));
  BOOST_TEST((rules.judge(1, HUGE_VAL) == outcome::diverged));
  // If the start is the solution already, changes by rounding must not count as divergence.
  BOOST_TEST(
      (stop_rules{.divergence = divergence_bound(0.0, 10)}.judge(1, 1e-12) == outcome::converged));
  BOOST_TEST(divergence_bound(HUGE_VAL, 1) == 1e10);
}

BOOST_AUTO_TEST_CASE(sums_of_more_than_32_go_by_lanes) {
  // In double, 2^53 + 1 is rounded to 2^53, and 1 - 2^53 is exact.
  std::vector<double> numbers(40, 0.0);
  numbers[0] = 0x1p53;
  numbers[1] = 1;
  numbers[2] = 1;
  numbers[3] = -0x1p53;
  auto const number = [&](std::uint32_t i) { return numbers[i]; };
  // Added one after the other, both ones are lost.
  BOOST_TEST(ordered_sum<double>(32, number) == 0.0);
  // The lanes' sums are added pairwise (0 + 2, 1 + 3), so only one of the ones is lost.
  BOOST_TEST(ordered_sum<double>(40, number) == 1.0);
  for (std::uint32_t n : {0U, 1U, 31U, 32U, 33U, 64U, 511U, 512U}) {
    BOOST_TEST(ordered_sum<double>(n, [](std::uint32_t i) { return double(i); }) ==
               n * (n - 1.0) / 2);
  }
}

}  // namespace
BOOST_AUTO_TEST_SUITE_END()

}  // namespace gridloom::mhive::jacobi::test
