// Orders that the host makes: waves, lists, and the parents in lists.

#include "juggler/ours/task_order.hpp"

#include <boost/test/unit_test.hpp>

#include "graphs.hpp"
#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(juggler_task_order_test)

using namespace gridloom;
using namespace gridloom::juggler;
using namespace gridloom::juggler::test;
using gridloom::test::per_element;

using numbers = std::vector<std::uint32_t>;

BOOST_AUTO_TEST_CASE(a_graph_without_tasks_gives_empty_lists) {
  task_groups const waves = waves_of(dag_of(0, {}));
  task_groups const lists = dealt_to(3, waves);
  BOOST_TEST(lists.first == (numbers{0, 0, 0, 0}), per_element());
}

BOOST_AUTO_TEST_CASE(waves_are_dealt_in_turns_one_after_the_other) {
  task_groups const waves{{3, 4, 5, 0, 2, 1}, {0, 3, 5, 6}};
  task_groups const lists = dealt_to(4, waves);
  BOOST_TEST(lists.first == (numbers{0, 2, 4, 5, 6}), per_element());
  BOOST_TEST(lists.tasks == (numbers{3, 2, 4, 1, 5, 0}), per_element());
}

BOOST_AUTO_TEST_SUITE_END()
