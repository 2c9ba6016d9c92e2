// Dynamic time warping: its graph, and its serial version by hand.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "apps/dtw/inspection.hpp"
#include "apps/juggler/graph_shape.hpp"

using namespace gridloom;
using namespace gridloom::juggler;

BOOST_AUTO_TEST_SUITE(dtw_test)

BOOST_AUTO_TEST_CASE(a_tile_waits_for_the_three_before_it) {
  blocking const cut{6, 3};
  std::vector<double> const costs(static_cast<std::size_t>(cut.elements()));
  auto const graph = dtw::inspect_dtw(cut, costs.data());
  task_dag const& dag = graph.context.dag();
  BOOST_TEST(dag.children.columns == (std::vector<std::uint32_t>{1, 2, 3, 3, 3}));
  BOOST_TEST(dag.children.row_offsets == (std::vector<std::uint64_t>{0, 3, 4, 5, 5}));
}

BOOST_AUTO_TEST_CASE(seventy_two_tiles_in_a_row_are_those_of_table_1) {
  blocking const cut{72, 1};
  std::vector<double> const costs(static_cast<std::size_t>(cut.elements()));
  auto const graph = dtw::inspect_dtw(cut, costs.data());
  task_dag const& dag = graph.context.dag();
  BOOST_TEST(dag.tasks() == 5184U);
  BOOST_TEST(shape_of(dag).widest_wave == 72);
  BOOST_TEST(shape_of(dag).longest_path == 2 * 72 - 1);
}

BOOST_AUTO_TEST_CASE(series_by_hand) {
  // 1 2 4 against 1 3 4: the match 1-1, 2-3, 4-4.
  BOOST_TEST(dtw::warp({1, 2, 4}, {1, 3, 4}) == (std::vector<double>{0, 2, 5, 1, 1, 3, 4, 2, 1}));
}

BOOST_AUTO_TEST_CASE(a_series_matches_itself_at_no_cost) {
  std::vector<double> const x = dtw::make_series(50, 3);
  BOOST_TEST(dtw::warp(x, x).back() == 0.0);
  BOOST_TEST(dtw::warp(x, dtw::make_series(50, 4)).back() > 0.0);
}

BOOST_AUTO_TEST_SUITE_END()
