#include "gridloom/bench/statistics.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

BOOST_AUTO_TEST_SUITE(statistics_test)

using gridloom::bootstrap_median;
using gridloom::median;

namespace {

std::vector<double> const unsorted{9.0, 1.0, 4.0, 16.0};

}  // namespace

BOOST_AUTO_TEST_CASE(median_is_the_middle_or_the_mean_of_the_two_middle_values) {
  BOOST_TEST(median(unsorted) == 6.5);
  BOOST_TEST(median(std::vector{3.0, 1.0, 2.0}) == 2.0);
  BOOST_TEST(median(std::vector{7.0}) == 7.0);
  BOOST_TEST(median(std::vector{-1.0, 1.0}) == 0.0);
}

BOOST_AUTO_TEST_CASE(one_sample_is_its_own_interval) {
  auto const found = bootstrap_median(std::vector{2.5}, 1);
  BOOST_TEST(found.low == 2.5);
  BOOST_TEST(found.median == 2.5);
  BOOST_TEST(found.high == 2.5);
}

BOOST_AUTO_TEST_CASE(two_samples_give_the_three_possible_medians) {
  // The resampled medians of {0, 1} are 0, 0.5 and 1 with probabilities 1/4, 1/2 and 1/4.
  std::vector const samples{0.0, 1.0};
  auto const wide = bootstrap_median(samples, 1);
  BOOST_TEST(wide.low == 0.0);
  BOOST_TEST(wide.median == 0.5);
  BOOST_TEST(wide.high == 1.0);
}

BOOST_AUTO_TEST_CASE(the_interval_depends_on_samples_and_seed_only) {
  std::vector<double> samples;
  for (int i = 0; i < 41; ++i) samples.push_back(std::sqrt(static_cast<double>(i)));
  auto const first = bootstrap_median(samples, 7);
  auto const second = bootstrap_median(samples, 7);
  BOOST_TEST(first.low == second.low);
  BOOST_TEST(first.high == second.high);
  BOOST_TEST(first.low < first.median);
  BOOST_TEST(first.median < first.high);
  // All bounds are samples, so their values are exact on every platform.
  BOOST_TEST(first.median == std::sqrt(20.0));
}

BOOST_AUTO_TEST_CASE(the_interval_covers_the_true_median_about_as_often_as_it_says) {
  int covered = 0;
  constexpr int trials = 200;
  std::uint64_t state = 12345;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> samples;
    for (int i = 0; i < 25; ++i) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      samples.push_back(static_cast<double>(state >> 11U) * 0x1p-53);
    }
    auto const found = bootstrap_median(samples, static_cast<std::uint64_t>(trial));
    covered += found.low <= 0.5 && 0.5 <= found.high ? 1 : 0;
  }
  BOOST_TEST(covered > trials * 88 / 100);
}

BOOST_AUTO_TEST_CASE(bad_arguments_are_refused) {
  std::vector<double> const none;
  std::vector const bad{1.0, std::numeric_limits<double>::quiet_NaN()};
  BOOST_CHECK_THROW((void)median(none), std::invalid_argument);
  BOOST_CHECK_THROW((void)median(bad), std::invalid_argument);
  BOOST_CHECK_THROW((void)bootstrap_median(none, 1), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
