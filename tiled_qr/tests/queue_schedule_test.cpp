// Tests the queue after Tsigas and Zhang under thousands of seeded schedules on a weak memory
// model. scripts/tests/test_queue_mutations.py puts faults into the queue, one at a time, and
// checks that this test finds them.

#include "explore.hpp"
#include "gridloom/atomic.hpp"
#include "queue_scenes.hpp"

BOOST_AUTO_TEST_SUITE(tiled_qr_queue_schedule_test)

using namespace gridloom;
using namespace gridloom::test;
using gridloom::tiled_qr::fifo_queue_ref;
using gridloom::tiled_qr::fifo_words;
using gridloom::tiled_qr::test::queue_scene;
using gridloom::tiled_qr::test::traffic;

BOOST_AUTO_TEST_CASE(every_value_arrives_once_in_order_after_its_data) {
  for (traffic const who :
       {traffic{1, 1, 6}, traffic{3, 1, 4}, traffic{1, 3, 6}, traffic{2, 2, 4},
        traffic{1, 1, 6, true}, traffic{1, 2, 6, true}, traffic{3, 3, 4, true}}) {
    for (std::uint32_t const log_capacity : {0U, 1U, 2U}) {
      for (std::uint32_t const first : {0U, 0U - 4U}) {
        explore("queue of " + std::to_string(1U << log_capacity) + ", " +
                    std::to_string(who.producers) + " to " + std::to_string(who.consumers) +
                    (who.counted ? ", counted" : "") + ", first ticket " + std::to_string(first),
                seeds_from(600),
                [&](schedule& on) { return queue_scene(on, log_capacity, first, who); });
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(full_and_empty_queues_are_reported) {
  for (std::uint32_t const log_capacity : {0U, 1U, 3U}) {
    fifo_words words{};
    std::vector<std::uint64_t> slots(std::size_t{1} << log_capacity, 0);
    fifo_queue_ref const queue(&words, slots.data(), log_capacity);
    direct_memory memory;
    std::uint32_t value = 0;
    for (std::uint32_t lap = 0; lap < 5; ++lap) {
      BOOST_TEST(!queue.try_take(memory, value));
      for (std::uint32_t k = 0; k < slots.size(); ++k)
        BOOST_TEST(queue.try_put(memory, 10 * lap + k + 1));
      BOOST_TEST(!queue.try_put(memory, 99U));
      for (std::uint32_t k = 0; k < slots.size(); ++k) {
        BOOST_TEST(queue.try_take(memory, value));
        BOOST_TEST(value == 10 * lap + k + 1);
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
