// Jacobi iteration: its graph, the serial version compared with results by hand, and the tiled
// layout of fields.

#include <boost/test/unit_test.hpp>

#include "apps/jacobi/inspection.hpp"
#include "gridloom/error.hpp"
#include "gridloom/taskgraph/shape.hpp"

using namespace gridloom;
using namespace gridloom::juggler;

namespace {

task_dag dag_of_jacobi(tiling const& cut, int steps) {
  std::vector<double> const u(static_cast<std::size_t>(cut.cells()));
  std::vector<double> const next(u.size());
  return jacobi::inspect_jacobi(cut, steps, u.data(), next.data()).context.dag();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(jacobi_test)

BOOST_AUTO_TEST_CASE(a_computation_waits_for_copies_and_a_copy_for_computations) {
  task_dag const dag = dag_of_jacobi({2, 4, 2}, 2);
  using types = std::vector<std::uint32_t>;
  BOOST_TEST(dag.kernel_types == (types{0, 0, 1, 1, 0, 0, 1, 1}));
  // Tasks 0 1 are copies, 2 3 computations, 4 5 copies, 6 7 computations. Both computations of a
  // step read each copy, so a tile's next copy depends on both. So a tile's computation also
  // precedes its next computation.
  BOOST_TEST(dag.children.row_offsets ==
             (std::vector<std::uint64_t>{0, 3, 6, 9, 12, 14, 16, 16, 16}));
  BOOST_TEST(dag.children.columns == (types{2, 3, 4, 2, 3, 5, 4, 5, 6, 4, 5, 7, 6, 7, 6, 7}));
}

BOOST_AUTO_TEST_CASE(thirty_tiles_in_a_row_and_two_steps_are_those_of_table_1) {
  task_dag const dag = dag_of_jacobi({30, 30, 1}, 2);
  BOOST_TEST(dag.tasks() == 3600U);
  graph_shape const shape = shape_of(dag.children);
  BOOST_TEST(shape.widest_level == 900);
  BOOST_TEST(shape.narrowest_level == 900);
  // A path of length 4 means that all waves have 900 tasks.
  BOOST_TEST(shape.depth == 4);
}

BOOST_AUTO_TEST_CASE(eighteen_steps_are_the_last_tasks_of_figure_7) {
  BOOST_TEST(dag_of_jacobi({30, 30, 1}, 18).tasks() == 32400U);
}

BOOST_AUTO_TEST_CASE(a_step_by_hand) {
  std::vector<double> u{4, 8, 4, 0,  //
                        8, 1, 5, 4,  //
                        0, 3, 1, 0,  //
                        1, 2, 3, 4};
  jacobi::iterate(4, 4, 1, u);
  std::vector<double> const expected{4, 8, 4,    0,  //
                                     8, 6, 2.5,  4,  //
                                     0, 1, 2.75, 0,  //
                                     1, 2, 3,    4};
  BOOST_TEST(u == expected);
}

BOOST_AUTO_TEST_CASE(tiles_hold_the_field_and_are_compared_bit_by_bit) {
  tiling const cut{3, 3, 2};
  std::vector<double> const field{1, 2, 3, 4, 5, 6, 7, 8, 0};
  std::vector<double> tiles = to_tiles<double>(cut, field);
  BOOST_TEST(tiles == (std::vector<double>{1, 2, 4, 5, 3, 0, 6, 0, 7, 8, 0, 0, 0, 0, 0, 0}));
  BOOST_CHECK_NO_THROW(require_same(cut, tiles, field));
  // This element is outside the field.
  tiles[13] = -1;
  BOOST_CHECK_NO_THROW(require_same(cut, tiles, field));
  tiles[12] = -0.0;
  BOOST_CHECK_THROW(require_same(cut, tiles, field), wrong_result);
}

BOOST_AUTO_TEST_CASE(each_cell_of_a_generated_field_is_a_number_of_the_seed_s_sequence) {
  random_source random(1);
  for (std::int64_t row = 0; row < 3; ++row) {
    for (std::int64_t col = 0; col < 5; ++col) {
      double const value = random.unit();
      BOOST_TEST((random_field{1, 5}(row, col)) == value);
      BOOST_TEST((random_field{2, 5}(row, col)) != value);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
