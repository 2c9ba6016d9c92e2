// Numbers of workers: each block has its own number, and neighbours are one stride apart.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <vector>

#include "gridloom/taskgraph/worker_placing.hpp"

using namespace gridloom;

namespace {

constexpr worker_placing all_placings[] = {worker_placing::multiprocessors,
                                           worker_placing::strided};

}  // namespace

BOOST_AUTO_TEST_SUITE(numbers_of_workers)

BOOST_AUTO_TEST_CASE(blocks_have_distinct_numbers_below_their_count_in_every_run) {
  for (worker_placing const placing : all_placings) {
    for (std::uint32_t const all : {1U, 2U, 7U, 16U, 108U, 114U, 132U, 144U}) {
      for (std::uint32_t const each : {1U, 3U, 4U}) {
        BOOST_TEST_CONTEXT(name_of(placing) << ", " << all << " of " << each) {
          std::vector<std::uint32_t> numbers;
          for (std::uint32_t own = 0; own < all; ++own) {
            // Counts in the third run begin at 2 × each.
            for (std::uint32_t before = 2 * each; before < 3 * each; ++before)
              numbers.push_back(
                  worker_number(own, all, before, each, placing_factor(placing, all)));
          }
          std::sort(numbers.begin(), numbers.end());
          for (std::uint32_t k = 0; k < each * all; ++k) BOOST_REQUIRE(numbers[k] == k);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(neighbours_are_on_multiprocessors_a_stride_apart) {
  for (std::uint32_t const all : {2U, 7U, 16U, 108U, 132U, 144U}) {
    std::vector<std::uint32_t> place(all);
    for (std::uint32_t own = 0; own < all; ++own)
      place[worker_number(own, all, 0, 4, placing_factor(worker_placing::strided, all))] = own;
    for (std::uint32_t k = 0; k < all; ++k)
      BOOST_REQUIRE(place[(k + 1) % all] == (place[k] + worker_stride(all)) % all);
  }
}

BOOST_AUTO_TEST_CASE(the_stride_is_an_eighth_or_the_next_that_meets_all) {
  BOOST_TEST(worker_stride(132) == 17U);
  // 14 to 16 have common divisors with 108.
  BOOST_TEST(worker_stride(108) == 17U);
  BOOST_TEST(worker_stride(144) == 19U);
  BOOST_TEST(worker_stride(1) == 1U);
}

BOOST_AUTO_TEST_CASE(without_a_stride_numbers_follow_the_multiprocessors) {
  std::uint32_t const factor = placing_factor(worker_placing::multiprocessors, 132);
  BOOST_TEST(worker_number(5, 132, 0, 4, factor) == 5U);
  BOOST_TEST(worker_number(5, 132, 7, 4, factor) == 3U * 132 + 5);
}

BOOST_AUTO_TEST_SUITE_END()
