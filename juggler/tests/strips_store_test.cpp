// dtw and sw verify the last row and the last column of each tile.

#include "apps/strips/store.hpp"

#include "apps/dtw/cells.hpp"
#include "test_machines.hpp"

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::juggler;

BOOST_AUTO_TEST_SUITE(juggler_strips_store)

BOOST_AUTO_TEST_CASE(an_element_at_a_tiles_end_is_found_only_if_it_was_left_on_all_sides) {
  on_each_machine([](test_machine const&, device& machine) {
    strips::tile_grid const grid{7, 5, 3};
    strips::tile_store<dtw::side<double>> store(machine, grid);
    store.clear();
    store.fetch();
    for (std::int64_t row = 0; row < grid.rows; ++row) {
      for (std::int64_t col = 0; col < grid.cols; ++col) {
        bool const ends = row % 3 == 2 || row == 6 || col % 3 == 2 || col == 4;
        BOOST_TEST_CONTEXT(row << ", " << col) {
          BOOST_TEST(store.is_found(row, col, {1.0}, {1.0}) == !ends);
        }
      }
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()
