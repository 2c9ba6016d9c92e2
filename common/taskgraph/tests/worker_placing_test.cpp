// Numbers of workers: each block has its own number, and neighbours are on neighbouring
// multiprocessors.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <vector>

#include "gridloom/taskgraph/worker_placing.hpp"

using namespace gridloom;

BOOST_AUTO_TEST_SUITE(numbers_of_workers)

BOOST_AUTO_TEST_CASE(blocks_have_distinct_numbers_below_their_count_in_every_run) {
  for (std::uint32_t const all : {1U, 2U, 7U, 16U, 108U, 114U, 132U, 144U}) {
    for (std::uint32_t const each : {1U, 3U, 4U}) {
      BOOST_TEST_CONTEXT(all << " of " << each) {
        std::vector<std::uint32_t> numbers;
        for (std::uint32_t own = 0; own < all; ++own) {
          // Counts in the third run begin at 2 × each.
          for (std::uint32_t before = 2 * each; before < 3 * each; ++before)
            numbers.push_back(worker_number(own, all, before, each));
        }
        std::sort(numbers.begin(), numbers.end());
        for (std::uint32_t k = 0; k < each * all; ++k) BOOST_REQUIRE(numbers[k] == k);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(numbers_follow_the_multiprocessors) {
  BOOST_TEST(worker_number(5, 132, 0, 4) == 5U);
  BOOST_TEST(worker_number(5, 132, 7, 4) == 3U * 132 + 5);
}

BOOST_AUTO_TEST_SUITE_END()
