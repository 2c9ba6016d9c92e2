// Tiles of images and fields by several lanes and warps: all results are those of the serial versions.

#include <boost/test/unit_test.hpp>

#include "apps/heat/inspection.hpp"
#include "apps/int_hist/inspection.hpp"
#include "apps/sat/inspection.hpp"
#include "lane_block.hpp"

using namespace gridloom;
using namespace gridloom::juggler;
using namespace gridloom::juggler::test;

namespace {

std::size_t size(std::int64_t cells) { return static_cast<std::size_t>(cells); }

/// All tiles, row by row, `steps` times.
template <class App>
void make(App const& app, int threads, int steps = 1) {
  auto const shared = std::make_unique<typename App::scratch>();
  on_lanes(threads, [&](lane_block const& block) {
    for (int step = 0; step < steps; ++step) {
      for (std::int32_t i = 0; i < app.cut.tile_rows(); ++i) {
        for (std::int32_t j = 0; j < app.cut.tile_cols(); ++j) {
          app(block, 0, {i, j}, *shared);
          block.sync();
        }
      }
    }
  });
}

void check_histogram(int threads, tiling const& cut, int bins) {
  grey_image const image = make_image(cut.rows, cut.cols, 255, 1);
  auto const pixels = int_hist::to_tiles(cut, image);
  std::vector<std::uint32_t> counts(size(cut.cells() * bins));
  std::vector<std::uint32_t> row_counts(size(cut.tiles() * cut.tile * bins));
  int_hist::app const app{pixels.data(), counts.data(), row_counts.data(), cut, bins};
  make(app, threads);
  for (int bin = 0; bin < bins; ++bin) {
    auto const expected = int_hist::count_bin(image, bins, bin);
    for (std::int64_t row = 0; row < cut.rows; ++row) {
      for (std::int64_t col = 0; col < cut.cols; ++col) {
        std::int64_t const place = app.begin(row / cut.tile, col / cut.tile, bin) +
                                   row % cut.tile * cut.tile + col % cut.tile;
        BOOST_REQUIRE(counts[size(place)] == expected[size(row * cut.cols + col)]);
      }
    }
  }
}

template <int Width, int Rows>
void check_sums(int threads, tiling const& cut) {
  grey_image const image = make_image(cut.rows, cut.cols, 255, 2);
  auto const pixels = sat::to_tiles(cut, image);
  // Pieces of a row begin at multiples of their own size.
  using piece = typename sat::app<Width, Rows>::piece;
  std::vector<piece> sums(size(cut.cells()) / Width + 1), held(sums.size());
  auto* const to = sums[0].of;
  std::copy(pixels.begin(), pixels.end(), held[0].of);
  std::vector<std::uint32_t> row_sums(size(cut.tiles() * cut.tile));
  make(sat::app<Width, Rows>{held[0].of, to, row_sums.data(), cut}, threads);
  auto const expected = sat::sum_up(image);
  for_each_cell(cut, [&](std::int64_t row, std::int64_t col, std::size_t place) {
    BOOST_REQUIRE(to[place] == expected[size(row * cut.cols + col)]);
  });
}

void check_heat(int threads, std::int64_t rows, int tile, int steps) {
  tiling const cut{rows, rows, tile};
  std::vector<double> field = make_field(rows, 3);
  std::vector<double> u = to_tiles(cut, field);
  make(heat::app{u.data(), cut}, threads, steps);
  heat::simulate(rows, steps, field);
  require_same(cut, u, field);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(grid_lanes)

BOOST_AUTO_TEST_CASE(histograms_of_tiles_that_a_warp_has_once_or_several_times) {
  for (int const threads : {1, 5, 70}) {
    for (int const tile : {1, 3, 8, 13, 32, 40}) {
      BOOST_TEST_CONTEXT(threads << " threads, tiles of " << tile) {
        check_histogram(threads, {2 * tile + 1, 3 * tile - 1, tile}, 5);
      }
    }
  }
  // More bins than all groups of lanes take at once, and fewer than those of one warp.
  check_histogram(64, {17, 16, 8}, 37);
  check_histogram(64, {17, 16, 8}, 2);
}

BOOST_AUTO_TEST_CASE(sums_of_tiles_in_one_piece_and_in_several) {
  for (int const threads : {1, 5, 70}) {
    for (int const tile : {4, 16, 32, 132}) {
      BOOST_TEST_CONTEXT(threads << " threads, tiles of " << tile) {
        check_sums<4, 4>(threads, {2 * tile + 1, 2 * tile - 1, tile});
        check_sums<4, 16>(threads, {2 * tile + 1, 2 * tile - 1, tile});
        check_sums<1, 16>(threads, {tile, 2 * tile - 3, tile - 1});
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(heat_in_tiles_of_a_row_and_of_two_rows_a_lane) {
  for (int const threads : {1, 5, 70}) {
    for (int const tile : {1, 2, 7, 16, 32, 33, 64}) {
      BOOST_TEST_CONTEXT(threads << " threads, tiles of " << tile) {
        for (std::int64_t const rows : {tile + 2, 2 * tile, 3 * tile - 1})
          check_heat(threads, rows, tile, 2);
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
