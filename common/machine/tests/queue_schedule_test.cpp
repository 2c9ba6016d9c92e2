// The ring under thousands of seeded schedules on a weak memory model. Every value is delivered
// once, after its data, in order and within the bounds, and every run ends.
// scripts/tests/test_queue_mutations.py checks that this test finds faults in the ring.

#include "explore.hpp"
#include "ring_scenes.hpp"

BOOST_AUTO_TEST_SUITE(queue_schedule_test)

using namespace gridloom;
using namespace gridloom::test;

namespace {

/// First tickets: zero, and numbers after which tickets wrap within a lap or two.
constexpr std::uint32_t first_tickets[] = {0U, 0U - 2U, 0U - 3U, 0x7FFFFFFEU};

std::string text(char const* what, std::uint32_t capacity, std::uint32_t first) {
  return std::string(what) + ", capacity " + std::to_string(capacity) + ", first ticket " +
         std::to_string(first);
}

void explore_traffic(char const* what, cast_of who, style in, style out) {
  for (std::uint32_t const capacity : {2U, 4U}) {
    for (std::uint32_t const first : first_tickets) {
      bool const passed = explore(text(what, capacity, first), seeds_from(1000), [&](schedule& on) {
        return producers_and_consumers(on, capacity, first, who, in, out);
      });
      if (!passed) return;
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_ring_used_by_one_thread_is_full_and_empty_at_the_right_sizes) {
  schedule on;
  for (std::uint32_t const first : first_tickets) {
    on.reset(1, machine_model::host);
    ring_scene scene(on, 4, first, true);
    scene.expect(12);
    std::string const problem = on.run(1, [&](int) {
      scheduled_memory memory(on, 0);
      scheduled_watch watch(on);
      thread_of_one const self(0, 1);
      std::uint32_t value = 77;
      for (int lap = 0; lap < 3; ++lap) {
        if (scene.ring().try_pop(memory, self, true, value, watch))
          on.fail("popped from an empty ring");
        for (std::uint32_t k = 0; k < 4; ++k) {
          if (scene.ring().backlog(memory) != static_cast<std::int32_t>(k))
            on.fail("wrong backlog");
          std::uint32_t const made = scene.make(memory, lap, k);
          if (!scene.ring().try_push(memory, self, true, made, watch))
            on.fail("no room in a ring that has some");
        }
        if (scene.ring().try_push(memory, self, true, 15, watch)) on.fail("pushed to a full ring");
        if (scene.ring().try_push(memory, self, false, 15, watch))
          on.fail("pushed what was not there");
        if (scene.ring().try_pop(memory, self, false, value, watch))
          on.fail("popped what was not wanted");
        for (std::uint32_t k = 0; k < 4; ++k) {
          if (!scene.ring().try_pop(memory, self, true, value, watch))
            on.fail("nothing in a ring that has some");
          if (value != static_cast<std::uint32_t>(lap) * 4 + k) on.fail("not first in, first out");
          scene.receive_in_order(memory, 0, value);
        }
      }
    });
    BOOST_TEST(problem == "");
    BOOST_TEST(scene.verdict() == "");
  }
}

BOOST_AUTO_TEST_CASE(values_pushed_by_tries_are_popped_once_by_tries) {
  explore_traffic("one producer, one consumer", {1, 1, 4}, style::tries, style::tries);
  explore_traffic("two producers, one consumer", {2, 1, 3}, style::tries, style::tries);
  explore_traffic("one producer, two consumers", {1, 2, 4}, style::tries, style::tries);
  explore_traffic("two producers, two consumers", {2, 2, 3}, style::tries, style::tries);
}

BOOST_AUTO_TEST_CASE(values_published_under_tickets_are_taken_once_under_tickets) {
  explore_traffic("one producer, one consumer", {1, 1, 4}, style::tickets, style::tickets);
  explore_traffic("two producers, one consumer", {2, 1, 3}, style::tickets, style::tickets);
  explore_traffic("two producers, two consumers", {2, 2, 4}, style::tickets, style::tickets);
  explore_traffic("one producer, three consumers", {1, 3, 3}, style::tickets, style::tickets);
}

BOOST_AUTO_TEST_CASE(values_are_taken_once_in_batches) {
  explore_traffic("one producer, one batch consumer", {1, 1, 4}, style::tickets, style::pairs);
  explore_traffic("two producers, two batch consumers", {2, 2, 4}, style::tickets, style::pairs);
  explore_traffic("two producers of pairs, one batch consumer", {2, 1, 4}, style::pairs,
                  style::pairs);
}

BOOST_AUTO_TEST_CASE(tries_and_tickets_mix) {
  explore_traffic("tries in, tickets out", {2, 2, 3}, style::tries, style::tickets);
  explore_traffic("tickets in, tries out", {2, 2, 3}, style::tickets, style::tries);
  explore_traffic("tries in, batches out", {2, 2, 4}, style::tries, style::pairs);
  explore_traffic("pairs in, tries out", {2, 2, 4}, style::pairs, style::tries);
}

BOOST_AUTO_TEST_CASE(workers_that_push_and_pop_lose_nothing) {
  for (std::uint32_t const capacity : {2U, 4U}) {
    for (std::uint32_t const first : first_tickets) {
      for (int const workers : {2, 3, 4}) {
        explore(
            text("everybody does both", capacity, first) + ", workers " + std::to_string(workers),
            seeds_from(1000),
            [&](schedule& on) { return everybody_does_both(on, capacity, first, workers, 3); });
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(warps_push_and_pop_with_one_atomic) {
  for (std::uint32_t const capacity : {2U, 4U}) {
    for (std::uint32_t const first : first_tickets) {
      explore(text("two warps of two lanes", capacity, first), seeds_from(1000),
              [&](schedule& on) { return two_warps(on, capacity, first); });
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
