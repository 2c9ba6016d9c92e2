#include "balanced_order.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(balanced_order_test)

using gridloom::balanced_order;

namespace {

using counts = std::vector<std::vector<std::size_t>>;

counts zeros(std::size_t n) { return counts(n, std::vector<std::size_t>(n, 0)); }

}  // namespace

BOOST_AUTO_TEST_CASE(every_order_is_a_permutation) {
  for (std::size_t arms = 1; arms <= 9; ++arms) {
    for (std::size_t repetition = 0; repetition < 40; ++repetition) {
      std::vector<std::size_t> order = balanced_order(arms, repetition, 5);
      std::sort(order.begin(), order.end());
      for (std::size_t i = 0; i < arms; ++i) BOOST_REQUIRE(order[i] == i);
    }
  }
  BOOST_TEST(balanced_order(0, 3, 1).empty());
}

BOOST_AUTO_TEST_CASE(each_arm_takes_each_position_once_in_n_repetitions) {
  for (std::size_t arms = 1; arms <= 9; ++arms) {
    for (std::size_t block = 0; block < 4; ++block) {
      counts taken = zeros(arms);
      for (std::size_t r = block * arms; r < (block + 1) * arms; ++r) {
        std::vector<std::size_t> const order = balanced_order(arms, r, 11);
        for (std::size_t position = 0; position < arms; ++position) {
          ++taken[order[position]][position];
        }
      }
      for (auto const& arm : taken) {
        for (std::size_t const times : arm) BOOST_REQUIRE(times == 1);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(each_arm_follows_each_other_equally_often_in_a_period) {
  for (std::size_t arms = 2; arms <= 9; ++arms) {
    std::size_t const period = arms % 2 == 0 ? arms : 2 * arms;
    std::size_t const expected = period / arms;
    counts followed = zeros(arms);
    for (std::size_t r = 0; r < period; ++r) {
      std::vector<std::size_t> const order = balanced_order(arms, r, 3);
      for (std::size_t i = 1; i < arms; ++i) ++followed[order[i - 1]][order[i]];
    }
    for (std::size_t a = 0; a < arms; ++a) {
      for (std::size_t b = 0; b < arms; ++b) {
        BOOST_REQUIRE(followed[a][b] == (a == b ? 0 : expected));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(the_seed_decides_which_thread_starts) {
  BOOST_TEST(balanced_order(5, 0, 1) == balanced_order(5, 0, 1), boost::test_tools::per_element());
  std::vector<bool> started(5, false);
  for (std::uint64_t seed = 0; seed < 64; ++seed) started[balanced_order(5, 0, seed)[0]] = true;
  BOOST_TEST(std::count(started.begin(), started.end(), true) == 5);
}

BOOST_AUTO_TEST_SUITE_END()
