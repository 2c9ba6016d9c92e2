// Tiles of images and fields, computed by several lanes and warps. All results must equal those of
// the serial versions.

#include <boost/test/unit_test.hpp>

#include "apps/heat/inspection.hpp"
#include "apps/int_hist/inspection.hpp"
#include "apps/sat/inspection.hpp"
#include "gridloom/watchdog.hpp"
#include "juggler/ours/int_hist/carries.hpp"
#include "juggler/ours/sat/carries.hpp"
#include "lane_block.hpp"

using namespace gridloom;
using namespace gridloom::juggler;
using namespace gridloom::juggler::test;

namespace {

/// Whether Kernel::min_blocks blocks fit in the shared memory of an H200's multiprocessor. Each
/// block takes 1 KiB more than its scratch.
template <class Kernel>
constexpr bool fits_multiprocessor() {
  return (sizeof(typename Kernel::scratch) + 1024) * Kernel::min_blocks <= std::size_t{228} * 1024;
}
static_assert(fits_multiprocessor<sat::carries_kernel>());
static_assert(fits_multiprocessor<int_hist::carries_kernel>());
static_assert(fits_multiprocessor<int_hist::app>());

std::size_t size(std::int64_t cells) { return static_cast<std::size_t>(cells); }

/// Computes all tiles, row by row, `steps` times.
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

/// Requires that all bins have the counts of the serial version.
void require_counts(int_hist::app const& app, grey_image const& image) {
  tiling const& cut = app.cut;
  for (int bin = 0; bin < app.bins; ++bin) {
    auto const expected = int_hist::count_bin(image, app.bins, bin);
    for (std::int64_t row = 0; row < cut.rows; ++row) {
      for (std::int64_t col = 0; col < cut.cols; ++col) {
        std::int64_t const place = app.begin(row / cut.tile, col / cut.tile, bin) +
                                   row % cut.tile * cut.tile + col % cut.tile;
        BOOST_REQUIRE(app.counts[place] == expected[size(row * cut.cols + col)]);
      }
    }
  }
}

void check_histogram(int threads, tiling const& cut, int bins) {
  grey_image const image = make_image(cut.rows, cut.cols, 255, 1);
  auto const pixels = to_tiles<std::uint8_t>(cut, image.pixels);
  std::vector<std::uint32_t> counts(size(cut.cells() * bins));
  std::vector<std::uint32_t> row_counts(size(cut.tiles() * cut.tile * bins));
  int_hist::app const app{pixels.data(), counts.data(), row_counts.data(), cut, bins};
  make(app, threads);
  require_counts(app, image);
}

template <int Width, int Rows>
void check_sums(int threads, tiling const& cut) {
  grey_image const image = make_image(cut.rows, cut.cols, 255, 2);
  auto const pixels = to_tiles<std::uint32_t>(cut, image.pixels);
  // Vector accesses need pieces of a row that are aligned to their size.
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

/// Runs a `carries` kernel three times with one block, with one word for each of `rows` and `cols`.
/// Requires that each run makes all tiles.
template <class Kernel>
void run_carries(Kernel kernel, int threads, std::int64_t tiles, std::int64_t rows,
                 std::int64_t cols) {
  device host("host", 0);
  watchdog dog(host, 1, 60);
  std::vector<carry_word> row_words(size(rows)), col_words(size(cols));
  std::vector<tile_tickets::word> tickets(2);
  std::uint32_t executed = 0;
  kernel.of_rows = row_words.data();
  kernel.of_cols = col_words.data();
  kernel.tickets = {tickets.data()};
  kernel.executed = &executed;
  auto const shared = std::make_unique<typename Kernel::scratch>();
  for (kernel.run = 1; kernel.run <= 3; ++kernel.run) {
    executed = 0;
    kernel.dog = dog.arm();
    on_lanes(threads, [&](lane_block const& block) { kernel(block, *shared); });
    dog.require_in_time("in lanes");
    BOOST_REQUIRE(executed == tiles);
  }
}

void check_carried_sums(int threads, tiling const& cut) {
  grey_image const image = make_image(cut.rows, cut.cols, 255, 5);
  auto const pixels = to_tiles<std::uint32_t>(cut, image.pixels);
  using piece = sat::strip<4, 1>::piece;
  std::vector<piece> sums(size(cut.cells()) / 4 + 1), held(sums.size());
  std::copy(pixels.begin(), pixels.end(), held[0].of);
  run_carries(
      sat::carries_kernel{
          {held[0].of, sums[0].of, cut}, nullptr, nullptr, {nullptr}, 0, nullptr, {}},
      threads, cut.tiles(), cut.tile_rows() * cut.tile, cut.tile_cols() * cut.tile);
  auto const expected = sat::sum_up(image);
  for_each_cell(cut, [&](std::int64_t row, std::int64_t col, std::size_t place) {
    BOOST_REQUIRE(sums[0].of[place] == expected[size(row * cut.cols + col)]);
  });
}

void check_carried_counts(int threads, tiling const& cut, int bins) {
  grey_image const image = make_image(cut.rows, cut.cols, 255, 6);
  auto const pixels = to_tiles<std::uint8_t>(cut, image.pixels);
  std::vector<std::uint64_t> held(size(cut.cells() * bins) / 2 + 1);
  auto* const counts = reinterpret_cast<std::uint32_t*>(held.data());
  int_hist::app const app{pixels.data(), counts, nullptr, cut, bins};
  run_carries(int_hist::carries_kernel{app, nullptr, nullptr, {nullptr}, 0, nullptr, {}}, threads,
              cut.tiles(), cut.tile_rows() * cut.tile * bins, cut.tile_cols() * cut.tile * bins);
  require_counts(app, image);
}

void check_heat(int threads, std::int64_t rows, int tile, int steps) {
  tiling const cut{rows, rows, tile};
  std::vector<double> field;
  for (std::int64_t k = 0; k < rows * rows; ++k) field.push_back(random_field{3, rows}(0, k));
  std::vector<double> u = to_tiles<double>(cut, field);
  make(heat::app{u.data(), cut}, threads, steps);
  heat::simulate(rows, rows, steps, field);
  require_same(cut, u, field);
}

/// Calls body(threads, tile) for several numbers of threads and these sizes of tiles.
template <class Body>
void for_lanes(std::initializer_list<int> tiles, Body const& body) {
  for (int const threads : {1, 5, 70}) {
    for (int const tile : tiles) {
      BOOST_TEST_CONTEXT(threads << " threads, tiles of " << tile) { body(threads, tile); }
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(grid_lanes)

BOOST_AUTO_TEST_CASE(histograms_with_one_or_several_tiles_per_warp) {
  for_lanes({1, 3, 5, 8, 13, 32, 40}, [](int threads, int tile) {
    check_histogram(threads, {2 * tile + 1, 3 * tile - 1, tile}, 5);
  });
  // More bins than all groups of lanes take at once, then fewer bins than one warp takes.
  check_histogram(64, {17, 16, 8}, 37);
  check_histogram(64, {17, 16, 8}, 2);
  // More bins than fit into a block's shared memory at once.
  check_histogram(70, {70, 66, 64}, 33);
  check_histogram(70, {130, 150, 128}, 9);
  check_histogram(70, {70, 100, 99}, 11);
  // Tiles of several parts.
  check_histogram(70, {256, 300, 256}, 5);
}

BOOST_AUTO_TEST_CASE(sums_of_tiles_in_one_piece_and_in_several) {
  for_lanes({4, 16, 32, 132}, [](int threads, int tile) {
    check_sums<2, 8>(threads, {2 * tile + 1, 2 * tile - 1, tile});
    check_sums<4, 16>(threads, {2 * tile + 1, 2 * tile - 1, tile});
    check_sums<1, 16>(threads, {tile, 2 * tile - 3, tile - 1});
    check_sums<1, 4>(threads, {tile, 2 * tile - 3, tile - 1});
  });
}

BOOST_AUTO_TEST_CASE(sums_that_tiles_carry_on) {
  for_lanes({1, 4, 7, 32, 33, 128}, [](int threads, int tile) {
    check_carried_sums(threads, {2 * tile + 1, 3 * tile - 1, tile});
  });
}

BOOST_AUTO_TEST_CASE(counts_that_tiles_carry_on) {
  for_lanes({1, 3, 8, 32, 40, 63, 64}, [](int threads, int tile) {
    check_carried_counts(threads, {2 * tile + 1, 3 * tile - 1, tile}, 5);
  });
  check_carried_counts(70, {17, 16, 8}, 256);
}

BOOST_AUTO_TEST_CASE(a_word_that_does_not_come_is_waited_for_until_time_is_up) {
  device host("host", 0);
  watchdog dog(host, 1, 0.01);
  watchdog_ref const limits = dog.arm();
  on_lanes(40, [&](lane_block const& block) {
    carry_word const never{};
    direct_memory memory;
    watch patience(limits, 0);
    std::uint32_t number = 0;
    carry_line const second = line_at(1, 2, 1);
    bool const late =
        block.thread_rank() % 3 == 1 && !second.take(memory, block, patience, &never, number);
    if (block.any(late) && block.thread_rank() == 0) patience.note(wait_kind::neighbour, 0, 0, 1);
  });
  BOOST_TEST(dog.fired());
}

BOOST_AUTO_TEST_CASE(diagonals_visit_each_tile_behind_those_above_and_to_its_left) {
  for (auto const& [rows, cols] : {std::pair{1, 1}, {1, 7}, {7, 1}, {5, 3}, {3, 5}, {4, 4}}) {
    for (std::int64_t const step : {1, 2, 3, 50}) {
      std::vector<std::int64_t> place(size(rows * cols), -1);
      for (std::int64_t first = 0; first < step; ++first) {
        std::int64_t at = first;
        for (diagonal_cursor tile(rows, cols, first); !tile.at_end(); tile.advance(step)) {
          BOOST_REQUIRE(tile.number() ==
                        static_cast<std::uint32_t>(tile.row() * cols + tile.col()));
          BOOST_REQUIRE(place[size(tile.row() * cols + tile.col())] == -1);
          place[size(tile.row() * cols + tile.col())] = at;
          at += step;
        }
      }
      for (std::int64_t k = 0; k < rows * cols; ++k) {
        BOOST_REQUIRE(place[size(k)] >= 0);
        if (k >= cols) BOOST_REQUIRE(place[size(k - cols)] < place[size(k)]);
        if (k % cols > 0) BOOST_REQUIRE(place[size(k - 1)] < place[size(k)]);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(heat_in_tiles_of_one_row_and_of_two_rows_per_lane) {
  for_lanes({1, 2, 7, 16, 32, 33, 64}, [](int threads, int tile) {
    for (std::int64_t const rows : {tile + 2, 2 * tile, 3 * tile - 1})
      check_heat(threads, rows, tile, 2);
  });
  // Tiles of several parts.
  for_lanes({70, 128}, [](int threads, int tile) { check_heat(threads, 2 * tile - 3, tile, 2); });
}

BOOST_AUTO_TEST_SUITE_END()
