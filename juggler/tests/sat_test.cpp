// Summed area tables: their graph, the serial version compared with results by hand, and sums that
// do not fit.

#include <boost/test/unit_test.hpp>

#include "apps/sat/inspection.hpp"
#include "gridloom/error.hpp"
#include "gridloom/taskgraph/shape.hpp"

using namespace gridloom;
using namespace gridloom::juggler;

namespace {

task_dag dag_of_sat(tiling const& cut) {
  std::vector<std::uint32_t> const sums(static_cast<std::size_t>(cut.cells()));
  std::vector<std::uint32_t> const row_sums(static_cast<std::size_t>(cut.tiles() * cut.tile));
  return sat::inspect_sat(cut, sums.data(), row_sums.data()).context.dag();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sat_test)

BOOST_AUTO_TEST_CASE(a_tile_waits_for_the_one_above_and_the_one_to_its_left) {
  task_dag const dag = dag_of_sat({6, 8, 3});
  BOOST_TEST(dag.children.columns == (std::vector<std::uint32_t>{1, 3, 2, 4, 5, 4, 5}));
  BOOST_TEST(dag.children.row_offsets == (std::vector<std::uint64_t>{0, 2, 4, 5, 6, 7, 7}));
}

BOOST_AUTO_TEST_CASE(ninety_tiles_in_a_row_are_those_of_table_1) {
  task_dag const dag = dag_of_sat({90, 90, 1});
  BOOST_TEST(dag.tasks() == 8100U);
  BOOST_TEST(shape_of(dag.children).widest_level == 90);
  BOOST_TEST(shape_of(dag.children).depth == 2 * 90 - 1);
}

BOOST_AUTO_TEST_CASE(a_table_by_hand) {
  BOOST_TEST(sat::sum_up({2, 3, {1, 2, 3, 4, 5, 6}}) ==
             (std::vector<std::uint32_t>{1, 3, 6, 5, 12, 21}));
}

BOOST_AUTO_TEST_CASE(tiles_hold_the_image_and_nothing_beyond_it) {
  BOOST_TEST(to_tiles<std::uint32_t>({2, 3, 2}, std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6}) ==
             (std::vector<std::uint32_t>{1, 2, 4, 5, 3, 0, 6, 0}));
}

BOOST_AUTO_TEST_CASE(sums_beyond_32_bits_are_refused) {
  // 4105² pixels of value 255 sum to more than 2^32; 4104² fit.
  grey_image image{4105, 4105, std::vector<std::uint8_t>(std::size_t{4105} * 4105, 255)};
  BOOST_CHECK_THROW(sat::require_fit(image, "--image"), usage_error);
  image.pixels.resize(std::size_t{4104} * 4104);
  BOOST_CHECK_NO_THROW(sat::require_fit(image, "--image"));
}

BOOST_AUTO_TEST_CASE(generated_images_are_as_bright_as_sums_allow) {
  BOOST_TEST(sat::brightest(1, 1) == 255);
  BOOST_TEST(sat::brightest(4000, 4000) == 255);
  for (std::int64_t const n : {5000, 32768, 65535}) {
    std::int64_t const most = sat::brightest(n, n);
    BOOST_TEST(most >= 1);
    BOOST_TEST(most * n * n < std::int64_t{1} << 32);
    BOOST_TEST((most + 1) * n * n >= std::int64_t{1} << 32);
  }
}

BOOST_AUTO_TEST_SUITE_END()
