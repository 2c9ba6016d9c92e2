// Integral histograms: their graph, and the serial version compared with results by hand.

#include <boost/test/unit_test.hpp>

#include "apps/int_hist/inspection.hpp"
#include "gridloom/taskgraph/shape.hpp"

using namespace gridloom;
using namespace gridloom::juggler;

namespace {

task_dag dag_of_int_hist(tiling const& cut, int bins) {
  std::vector<std::uint32_t> counts(static_cast<std::size_t>(cut.cells() * bins));
  std::vector<std::uint32_t> row_counts(static_cast<std::size_t>(cut.tiles() * cut.tile * bins));
  return int_hist::inspect_int_hist({nullptr, counts.data(), row_counts.data(), cut, bins})
      .context.dag();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(int_hist_test)

BOOST_AUTO_TEST_CASE(a_tile_waits_for_the_one_above_and_the_one_to_its_left) {
  task_dag const dag = dag_of_int_hist({6, 8, 3}, 4);
  BOOST_TEST(dag.children.columns == (std::vector<std::uint32_t>{1, 3, 2, 4, 5, 4, 5}));
  BOOST_TEST(dag.children.row_offsets == (std::vector<std::uint64_t>{0, 2, 4, 5, 6, 7, 7}));
}

BOOST_AUTO_TEST_CASE(ninety_tiles_in_a_row_are_those_of_table_1) {
  task_dag const dag = dag_of_int_hist({90, 90, 1}, 2);
  BOOST_TEST(dag.tasks() == 8100U);
  graph_shape const shape = shape_of(dag.children);
  BOOST_TEST(shape.widest_level == 90);
  BOOST_TEST(shape.depth == 2 * 90 - 1);
}

BOOST_AUTO_TEST_CASE(counts_by_hand) {
  grey_image const image{2, 3, {0, 127, 128, 255, 64, 0}};
  using counts = std::vector<std::uint32_t>;
  BOOST_TEST(int_hist::count_bin(image, 2, 0) == (counts{1, 2, 2, 1, 3, 4}));
  BOOST_TEST(int_hist::count_bin(image, 2, 1) == (counts{0, 0, 1, 1, 1, 2}));
  BOOST_TEST(int_hist::count_bin(image, 256, 64) == (counts{0, 0, 0, 0, 1, 1}));
  BOOST_TEST(int_hist::count_bin(image, 3, 2) == (counts{0, 0, 0, 1, 1, 1}));
}

BOOST_AUTO_TEST_CASE(all_bins_count_each_pixel_once) {
  grey_image const image = make_image(7, 9, 255, 3);
  for (int const bins : {1, 5, 32, 256}) {
    std::uint32_t sum = 0;
    for (int bin = 0; bin < bins; ++bin) sum += int_hist::count_bin(image, bins, bin).back();
    BOOST_TEST(sum == 63U);
  }
}

BOOST_AUTO_TEST_SUITE_END()
