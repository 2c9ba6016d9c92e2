// Heat simulation: its graph, and the serial version compared with results by hand.

#include <boost/test/unit_test.hpp>

#include "apps/heat/inspection.hpp"
#include "gridloom/taskgraph/shape.hpp"

using namespace gridloom;
using namespace gridloom::juggler;

namespace {

task_dag dag_of_heat(tiling const& cut, int steps) {
  std::vector<double> const u(static_cast<std::size_t>(cut.cells()));
  return heat::inspect_heat(cut, steps, u.data()).context.dag();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(heat_test)

BOOST_AUTO_TEST_CASE(a_step_is_a_wavefront_and_the_next_follows_its_neighbours) {
  task_dag const dag = dag_of_heat({4, 4, 2}, 2);
  // Step 1 has tiles 0 1 / 2 3, and step 2 has 4 5 / 6 7. In one step, a tile precedes its right
  // and lower neighbours. In the next step, it precedes itself, its left and its upper neighbour.
  BOOST_TEST(dag.children.columns ==
             (std::vector<std::uint32_t>{1, 2, 4, 3, 4, 5, 3, 4, 6, 5, 6, 7, 5, 6, 7, 7}));
  BOOST_TEST(dag.children.row_offsets ==
             (std::vector<std::uint64_t>{0, 3, 6, 9, 12, 14, 15, 16, 16}));
}

BOOST_AUTO_TEST_CASE(ninety_tiles_in_a_row_are_those_of_table_1) {
  task_dag const dag = dag_of_heat({90, 90, 1}, 1);
  BOOST_TEST(dag.tasks() == 8100U);
  graph_shape const shape = shape_of(dag.children);
  BOOST_TEST(shape.widest_level == 90);
  BOOST_TEST(shape.depth == 2 * 90 - 1);
}

BOOST_AUTO_TEST_CASE(two_steps_by_hand) {
  // The boundary never changes; each cell uses the new values above and to its left.
  std::vector<double> u{4, 8, 4, 0,  //
                        8, 1, 5, 4,  //
                        0, 3, 1, 0,  //
                        1, 2, 3, 4};
  heat::simulate(4, 4, 1, u);
  std::vector<double> const first{4, 8,    4,    0,  //
                                  8, 6,    3.75, 4,  //
                                  0, 2.25, 2.25, 0,  //
                                  1, 2,    3,    4};
  BOOST_TEST(u == first);
  heat::simulate(4, 4, 1, u);
  BOOST_TEST(u[5] == (8 + 8 + 3.75 + 2.25) / 4);
}

BOOST_AUTO_TEST_SUITE_END()
