// The lock and the locked stack under thousands of seeded schedules on a weak memory model.
// scripts/tests/test_queue_mutations.py checks that this test finds faults that are put into
// locked_stack.hpp.

#include "explore.hpp"
#include "stack_scenes.hpp"

BOOST_AUTO_TEST_SUITE(stack_schedule_test)

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::wavefront::test;

BOOST_AUTO_TEST_CASE(a_lock_excludes_others_and_publishes_its_stores) {
  for (int const workers : {2, 3, 4}) {
    explore("lock, workers " + std::to_string(workers), seeds_from(2000),
            [&](schedule& on) { return counting_under_a_lock(on, workers, 3); });
  }
}

BOOST_AUTO_TEST_CASE(a_locked_stack_is_a_stack) {
  for (std::uint32_t const capacity : {1U, 2U, 4U}) {
    for (int const workers : {2, 3, 4}) {
      explore(
          "stack, capacity " + std::to_string(capacity) + ", workers " + std::to_string(workers),
          seeds_from(2000),
          [&](schedule& on) { return sharing_a_stack(on, capacity, workers, 3); });
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
