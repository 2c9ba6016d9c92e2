// Reserving a place in a queue, by one thread, and the message if there is no place.

#include "juggler/own_queue.hpp"

#include <boost/test/unit_test.hpp>
#include <vector>

#include "gridloom/atomic.hpp"

BOOST_AUTO_TEST_SUITE(juggler_own_queue_test)

using namespace gridloom;
using namespace gridloom::juggler;

BOOST_AUTO_TEST_CASE(the_queue_that_is_too_short_is_the_one_that_is_named) {
  constexpr std::uint32_t workers = 4;
  for (std::uint32_t queue = 0; queue < workers; ++queue) {
    direct_memory memory;
    rt_words words{};
    std::uint32_t stop = 0;
    std::vector<inbox_words> inboxes(workers);
    rt_context_ref context{};
    context.workers = workers;
    context.queue_length = 2;
    context.is_ring = true;
    context.inboxes = inboxes.data();
    context.words = &words;
    context.stop = &stop;
    for (std::uint32_t expected = 0; expected < 2; ++expected) {
      std::uint32_t index = ~0U;
      BOOST_TEST(reserve(memory, context, queue, index));
      BOOST_TEST(index == expected);
    }
    BOOST_TEST(words.overflowed == 0U);
    BOOST_TEST(stop == 0U);
    std::uint32_t index = 0;
    BOOST_TEST(!reserve(memory, context, queue, index));
    BOOST_TEST(words.overflowed == 1 + queue);
    BOOST_TEST(stop != 0U);
    // The owner has taken both entries, so their places can be reused.
    inboxes[queue].queue_start_index = 2;
    BOOST_TEST(reserve(memory, context, queue, index));
    BOOST_TEST(index == 3U);
  }
}

BOOST_AUTO_TEST_SUITE_END()
