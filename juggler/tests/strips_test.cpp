// Tiles cut into strips: their graph, and when warps process the strips.

#include <boost/test/unit_test.hpp>
#include <map>
#include <memory>

#include "apps/strips/inspection.hpp"
#include "apps/strips/walk.hpp"
#include "gridloom/taskgraph/shape.hpp"

using namespace gridloom;
using namespace gridloom::juggler;
using namespace gridloom::juggler::strips;

namespace {

task_dag dag_of(tile_grid const& grid) {
  std::vector<double> const bottoms(static_cast<std::size_t>(grid.bottoms()));
  std::vector<double> const rights(static_cast<std::size_t>(grid.rights()));
  return inspect_tiles(grid, bottoms.data(), rights.data()).context.dag();
}

/// Cells whose row data is the row's number.
struct counted {
  static constexpr int columns = 4;
  using value = std::int64_t;
  std::int64_t row_value(std::int64_t i) const { return i; }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(strips_test)

BOOST_AUTO_TEST_CASE(a_tile_waits_for_the_three_before_it) {
  task_dag const dag = dag_of({6, 5, 3});
  BOOST_TEST(dag.children.columns == (std::vector<std::uint32_t>{1, 2, 3, 3, 3}));
  BOOST_TEST(dag.children.row_offsets == (std::vector<std::uint64_t>{0, 3, 4, 5, 5}));
}

BOOST_AUTO_TEST_CASE(seventy_two_tiles_in_a_row_are_those_of_table_1) {
  task_dag const dag = dag_of({72, 72, 1});
  BOOST_TEST(dag.tasks() == 5184U);
  BOOST_TEST(shape_of(dag.children).widest_level == 72);
  BOOST_TEST(shape_of(dag.children).depth == 2 * 72 - 1);
}

BOOST_AUTO_TEST_CASE(a_matrix_may_be_of_any_shape) {
  task_dag const dag = dag_of({10, 100, 7});
  BOOST_TEST(dag.tasks() == 30U);
  BOOST_TEST(shape_of(dag.children).widest_level == 2);
  BOOST_TEST(shape_of(dag.children).depth == 16);
}

BOOST_AUTO_TEST_CASE(each_strip_is_walked_once_and_reads_results_of_earlier_phases) {
  for (int const warps : {1, 2, 3, 8}) {
    for (int const strip_cols : {1, 2, 10, 20, 33, 64, 128}) {
      for (auto const& [rows, cols] :
           {std::pair{1, 1}, {1, 1000}, {1000, 1}, {64, 1024}, {33, 500}}) {
        BOOST_TEST_CONTEXT(warps << " warps, strips of " << strip_cols << ", " << rows << " x "
                                 << cols) {
          int const steps = rows + std::min(cols, strip_cols) - 1;
          int const length = (steps + phase_steps - 1) / phase_steps;
          std::map<int, std::vector<int>> phases_of;
          int strips = 0;
          for (int warp = 0; warp < warps; ++warp) {
            strip_turns turns({most_lanes, warps, 0, warp}, rows, cols, strip_cols);
            BOOST_TEST(turns.steps() == steps);
            strips = turns.strips();
            for (int phase = 0; phase < turns.phases(); ++phase, turns.next()) {
              if (!turns.works()) continue;
              std::vector<int>& own = phases_of[turns.strip()];
              BOOST_TEST(turns.at() == static_cast<int>(own.size()));
              BOOST_TEST(turns.begins() == own.empty());
              own.push_back(phase);
              BOOST_TEST(turns.ends() == (static_cast<int>(own.size()) == length));
            }
          }
          BOOST_TEST(strips * strip_cols >= cols);
          BOOST_TEST((strips - 1) * strip_cols < cols);
          BOOST_TEST(static_cast<int>(phases_of.size()) == strips);
          for (auto const& [strip, phases] : phases_of) {
            BOOST_TEST(static_cast<int>(phases.size()) == length);
            BOOST_TEST(phases.back() - phases.front() == length - 1);
            if (strip == 0) continue;
            int const before = phases_of[strip - 1].front();
            for (int row = 0; row < rows; ++row) {
              int const read = row / phase_steps;
              int const written = (row + strip_cols - 1) / phase_steps;
              BOOST_REQUIRE(phases.front() + read > before + written);  // WA.R1
              BOOST_REQUIRE(phases.front() + read > before + read);     // WA.R2
            }
          }
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_strip_begins_no_phase_later_than_it_must) {
  auto const phases = [](int strip_cols) {
    return strip_turns({most_lanes, 2, 0, 0}, 1, 2 * strip_cols, strip_cols).phases();
  };
  // Strips that take 1, 33, 64 and 128 steps. A sum is the delay of the second strip and its
  // length, in phases.
  BOOST_TEST(phases(1) == 1 + 1);
  BOOST_TEST(phases(33) == 2 + 2);
  BOOST_TEST(phases(64) == 3 + 2);
  BOOST_TEST(phases(128) == 5 + 4);
}

BOOST_AUTO_TEST_CASE(lanes_find_the_rows_of_their_steps) {
  auto const lines = std::make_unique<row_lines<counted>>();
  lines->fill(host_block(0, 1, nullptr), counted{}, most_lanes, 1000, 50);
  for (int lane = 0; lane < most_lanes; ++lane) {
    for (int step = 0; step < 50; step += group_steps) {
      for (int more = 0; more < 3 * group_steps; ++more)
        BOOST_TEST(lines->at(lane, step)[row_lines<counted>::further(more)] ==
                   1000 + step + more - lane * 4);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
