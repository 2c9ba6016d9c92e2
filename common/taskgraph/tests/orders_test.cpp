#include "gridloom/taskgraph/shape.hpp"

#include <boost/test/unit_test.hpp>

#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(orders_test)

using namespace gridloom;
using gridloom::test::per_element;

using numbers = std::vector<std::uint32_t>;

namespace {

// Tasks 3, 4 and 5 depend on nothing; their successors are released against their numbers.
csr_graph const graph{{0, 1, 1, 2, 2, 3, 6}, {1, 1, 2, 2, 0, 1}};

}  // namespace

BOOST_AUTO_TEST_CASE(levels_are_tasks_of_one_depth_in_the_order_of_their_release) {
  task_groups const levels = levels_of(graph);
  BOOST_TEST(levels.first == (numbers{0, 3, 5, 6}), per_element());
  BOOST_TEST(levels.tasks == (numbers{3, 4, 5, 2, 0, 1}), per_element());
  BOOST_TEST(levels.groups() == 3U);
  BOOST_TEST(levels.size(1) == 2U);
}

BOOST_AUTO_TEST_CASE(the_shape_is_the_number_of_levels_and_their_widths) {
  graph_shape const shape = shape_of(graph);
  BOOST_TEST(shape.depth == 3);
  BOOST_TEST(shape.widest_level == 3);
  BOOST_TEST(shape.narrowest_level == 1);
}

BOOST_AUTO_TEST_CASE(a_cycle_and_tasks_after_it_are_left_out) {
  // 0 -> 1 -> 2 -> 1 and 2 -> 3.
  task_groups const levels = levels_of({{0, 1, 2, 4, 4}, {1, 2, 1, 3}});
  BOOST_TEST(levels.tasks == (numbers{0}), per_element());
}

BOOST_AUTO_TEST_CASE(levels_by_number_ascend) {
  BOOST_TEST(group_of_task(levels_of(graph)) == (numbers{1, 2, 1, 0, 0, 0}), per_element());
  task_groups const levels = levels_by_number(graph);
  BOOST_TEST(levels.first == (numbers{0, 3, 5, 6}), per_element());
  BOOST_TEST(levels.tasks == (numbers{3, 4, 5, 0, 2, 1}), per_element());
}

BOOST_AUTO_TEST_CASE(a_graph_without_tasks_has_no_level) {
  task_groups const levels = levels_of({{0}, {}});
  BOOST_TEST(levels.groups() == 0U);
  BOOST_TEST(shape_of(levels).widest_level == 0);
  BOOST_TEST(levels_by_number({{0}, {}}).groups() == 0U);
  BOOST_TEST(dealt_to(3, levels).first == (numbers{0, 0, 0, 0}), per_element());
}

BOOST_AUTO_TEST_CASE(levels_are_dealt_in_turns_one_after_the_other) {
  task_groups const lists = dealt_to(4, levels_by_number(graph));
  BOOST_TEST(lists.first == (numbers{0, 2, 4, 5, 6}), per_element());
  BOOST_TEST(lists.tasks == (numbers{3, 2, 4, 1, 5, 0}), per_element());
}

BOOST_AUTO_TEST_SUITE_END()
