// The ranges that prefetched_of() returns.

#include <boost/test/unit_test.hpp>

#include "juggler/ours/prefetch.hpp"

using namespace gridloom::juggler;

BOOST_AUTO_TEST_SUITE(prefetch)

BOOST_AUTO_TEST_CASE(ranges_are_whole_pieces_inside_the_named_part_and_fit_an_instruction) {
  for (std::uint64_t at = 4096; at < 4096 + 40; ++at) {
    for (std::uint64_t const bytes :
         {0U, 1U, 15U, 16U, 17U, 31U, 100U, 1U << 16U, (1U << 16U) + 40, 1U << 20U, 1U << 22U}) {
      BOOST_TEST_CONTEXT(bytes << " from " << at) {
        prefetched_range const range = prefetched_of(at, bytes);
        BOOST_REQUIRE(range.bytes % 16 == 0U);
        BOOST_REQUIRE(range.bytes / 16 < 1U << 16U);
        if (range.bytes == 0) {
          BOOST_REQUIRE(bytes < 31);
          continue;
        }
        BOOST_REQUIRE(range.begin % 16 == 0U);
        BOOST_REQUIRE(range.begin >= at);
        BOOST_REQUIRE(range.begin < at + 16);
        BOOST_REQUIRE(range.begin + range.bytes <= at + bytes);
        // The whole range except its ends, or as much as one instruction can prefetch.
        BOOST_REQUIRE(
            (range.bytes == most_prefetched_bytes || range.begin + range.bytes + 16 > at + bytes));
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
