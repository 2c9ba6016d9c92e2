// Tiles computed by several lanes and warps. The last row and column of each tile must equal those
// of the serial version.

#include <boost/test/unit_test.hpp>

#include "apps/dtw/cells.hpp"
#include "apps/dtw/input.hpp"
#include "apps/strips/app.hpp"
#include "apps/sw/alignment.hpp"
#include "apps/sw/input.hpp"
#include "lane_block.hpp"

using namespace gridloom;
using namespace gridloom::juggler;
using namespace gridloom::juggler::strips;
using namespace gridloom::juggler::test;

namespace {

/// The data, padded at both ends as rows.hpp requires.
template <class T>
std::vector<T> with_room(std::vector<T> const& values) {
  std::vector<T> all(room_before, T{});
  all.insert(all.end(), values.begin(), values.end());
  all.resize(all.size() + room_behind);
  return all;
}

/// The last rows and last columns of all tiles.
template <class Side>
struct borders {
  tile_grid grid;
  std::vector<Side> bottoms;
  std::vector<Side> rights;

  explicit borders(tile_grid const& of)
      : grid(of),
        bottoms(static_cast<std::size_t>(of.bottoms())),
        rights(static_cast<std::size_t>(of.rights())) {}

  template <class Cells>
  void make(Cells const& cells, int threads) {
    app<Cells> const tiles{cells, grid, bottoms.data(), rights.data()};
    auto const shared = std::make_unique<typename app<Cells>::scratch>();
    on_lanes(threads, [&](lane_block const& block) {
      for (std::int32_t i = 0; i < grid.down(); ++i) {
        for (std::int32_t j = 0; j < grid.across(); ++j) {
          tiles(block, 0, {i, j}, *shared);
          block.sync();
        }
      }
    });
  }
  void check(std::size_t row, std::size_t col, Side const& below, Side const& beside) const {
    auto const tile = static_cast<std::size_t>(grid.tile);
    auto const i = static_cast<std::int64_t>(row / tile);
    auto const j = static_cast<std::int64_t>(col / tile);
    if (static_cast<int>(row % tile) == grid.rows_of(i) - 1) {
      bool const same = bottoms[static_cast<std::size_t>(grid.bottom(i, j)) + col % tile] == below;
      BOOST_TEST(same, "below " << row << ", " << col);
    }
    if (static_cast<int>(col % tile) == grid.cols_of(j) - 1) {
      bool const same = rights[static_cast<std::size_t>(grid.right(i, j)) + row % tile] == beside;
      BOOST_TEST(same, "beside " << row << ", " << col);
    }
  }
};

template <int Columns>
void check_alignment(int threads, sw::input const& given, int tile) {
  tile_grid const grid{static_cast<std::int64_t>(given.x.size()),
                       static_cast<std::int64_t>(given.y.size()), tile};
  sw::sequence const x = with_room(given.x);
  std::vector<sw::best_cell> best(static_cast<std::size_t>(grid.down() * grid.across()));
  borders<sw::side> found(grid);
  found.make(sw::cells<Columns>{x.data() + room_before, given.y.data(), given.by.scores.data(),
                                static_cast<int>(given.by.letters.size()), given.by.gap_open,
                                given.by.gap_extend, best.data()},
             threads);
  auto const expected = sw::align(given.x, given.y, given.by,
                                  [&](std::size_t i, std::size_t j, sw::scored const& of) {
                                    found.check(i, j, {of.score, of.down}, {of.score, of.along});
                                  });
  BOOST_TEST((best.back() == expected));
}

template <int Columns>
void check_warping(int threads, dtw::input const& given, int tile) {
  borders<dtw::side<double>> found(
      {static_cast<std::int64_t>(given.x.size()), static_cast<std::int64_t>(given.y.size()), tile});
  std::vector<double> const x = with_room(given.x);
  found.make(dtw::cells<double, Columns>{x.data() + room_before, given.y.data()}, threads);
  dtw::warp(std::span<double const>(given.x), std::span<double const>(given.y),
            [&](std::size_t i, std::size_t j, double cost) { found.check(i, j, {cost}, {cost}); });
}

sw::scoring const dna = sw::nucleotides(2, -3, 5, 2);

}  // namespace

BOOST_AUTO_TEST_SUITE(strips_lanes)

BOOST_AUTO_TEST_CASE(a_few_lanes_go_over_tiles_of_any_size) {
  for (int const threads : {1, 3, 7}) {
    for (auto const& [rows, cols, tile] :
         {std::tuple{1, 1, 1}, {5, 6, 8}, {40, 45, 17}, {33, 30, 12}}) {
      BOOST_TEST_CONTEXT(threads << " threads, " << rows << " x " << cols << ", " << tile) {
        sw::input const aligned{sw::make_sequence(rows, 1, dna), sw::make_sequence(cols, 2, dna),
                                dna};
        dtw::input const warped{dtw::make_series(rows, 1), dtw::make_series(cols, 2)};
        check_alignment<2>(threads, aligned, tile);
        check_alignment<4>(threads, aligned, tile);
        check_warping<2>(threads, warped, tile);
        check_warping<4>(threads, warped, tile);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(all_columns_of_a_warp_work_in_the_middle_of_a_strip) {
  // There are phases in which all columns work, and phases before and after. There is one strip, or
  // two; the second is as wide as the first or narrower.
  check_alignment<2>(32, {sw::make_sequence(131, 3, dna), sw::make_sequence(100, 4, dna), dna},
                     131);
  check_alignment<4>(33, {sw::make_sequence(200, 3, dna), sw::make_sequence(256, 4, dna), dna},
                     300);
  check_warping<2>(32, {dtw::make_series(129, 3), dtw::make_series(128, 4)}, 129);
  check_warping<4>(32, {dtw::make_series(197, 3), dtw::make_series(150, 4)}, 200);
}

BOOST_AUTO_TEST_CASE(warps_follow_each_other_on_neighbouring_strips) {
  // Two warps process three strips in two rounds; four warps process five strips.
  check_alignment<4>(64, {sw::make_sequence(140, 5, dna), sw::make_sequence(330, 6, dna), dna},
                     330);
  check_alignment<2>(128, {sw::make_sequence(70, 5, dna), sw::make_sequence(300, 6, dna), dna},
                     300);
  check_warping<4>(70, {dtw::make_series(140, 5), dtw::make_series(300, 6)}, 300);
  check_warping<2>(64, {dtw::make_series(100, 5), dtw::make_series(190, 6)}, 190);
}

BOOST_AUTO_TEST_CASE(ties_of_lanes_are_decided_by_row_then_column) {
  // A lane reaches row 3 of its first column one step before row 2 of its third column.
  check_alignment<4>(1, {{3, 3, 0, 1}, {1, 2, 0, 2}, dna}, 8);
  sw::sequence const word = sw::make_sequence(12, 7, dna);
  sw::sequence repeated;
  for (int times = 0; times < 5; ++times) repeated.insert(repeated.end(), word.begin(), word.end());
  sw::sequence const same(30, std::uint8_t{0});
  sw::sequence const once{1, 2, 1, 0, 3, 0, 1, 2, 1};
  for (sw::scoring const& by : {dna, sw::nucleotides(2, -3, 0, 0), sw::nucleotides(1, -1, 0, 0)}) {
    check_alignment<2>(8, {repeated, repeated, by}, 24);
    check_alignment<4>(8, {repeated, repeated, by}, 24);
    check_alignment<4>(32, {word, repeated, by}, 64);
    for (int const tile : {4, 40}) {
      check_alignment<2>(5, {once, same, by}, tile);
      check_alignment<4>(5, {once, same, by}, tile);
      check_alignment<4>(3, {same, once, by}, tile);
      check_alignment<4>(3, {once, once, by}, tile);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
