// The transport sweep on host workers and on CUDA blocks. Checks are cells computed by hand, the
// balance of sources and losses, and a comparison of every method with the serial sweep.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>

#include "gridloom/error.hpp"
#include "test_machines.hpp"
#include "transport.hpp"

using namespace gridloom;
using namespace gridloom::wavefront::kba;
using namespace gridloom::test;
using gridloom::wavefront::tiles::tile_way;

BOOST_AUTO_TEST_CASE(the_flux_of_two_cells_equals_the_one_computed_by_hand) {
  // One direction per octant, along x: psi = (1 + 2 in) / (1 + 2 + 0 + 0), out = 2 psi - in. First
  // cell: 1/3, out 2/3. Second cell: (1 + 4/3) / 3 = 7/9. Four octants go forward, four backward.
  box of{2, 1, 1, {{2, 0, 0, 0.125}}, {1, 1}, {1, 1}};
  double const mean = (1.0 / 3 + 7.0 / 9) / 2;
  for (double const flux : sweep_serially(of)) BOOST_TEST(std::abs(flux - mean) < 1e-15);
  on_each_machine([&](test_machine const& on, device& machine) {
    auto const by = make_sweeper(machine, of, tile_way::in_order, {on.shape, 1, false, 300});
    by->load(of);
    by->run();
    auto const flux = by->flux();
    by->require_done();
    for (double const one : flux) BOOST_TEST(std::abs(one - mean) < 1e-15);
  });
}

BOOST_AUTO_TEST_CASE(a_large_box_holds_what_its_source_gives) {
  // If source and absorption are uniform, flux times absorption equals the source far from the
  // sides.
  box of = make_box(60, 60, 60, 4, 1);
  of.absorption.assign(of.cells(), 500);
  of.source.assign(of.cells(), 1);
  auto const flux = sweep_serially(of);
  BOOST_TEST(std::abs(500 * flux[(30 * 60 + 30) * 60 + 30] - 1) < 1e-3);
  BOOST_TEST(std::abs(std::accumulate(
                          of.directions.begin(), of.directions.end(), 0.0,
                          [](double sum, direction const& d) { return sum + octants * d.weight; }) -
                      1) < 1e-12);
}

BOOST_AUTO_TEST_CASE(another_flux_is_wrong) {
  box const of = make_box(3, 4, 5, 2, 1);
  auto const expected = sweep_serially(of);
  auto const wrong = [&](double value) {
    auto found = expected;
    found[7] = value;
    return error_text<wrong_result>([&] { require_flux(of, expected, found); });
  };
  BOOST_TEST(wrong(expected[7] * (1 + 1e-14)) == "");
  for (double const value : {expected[7] * (1 + 1e-8), 0.0, -expected[7], std::nan("")})
    BOOST_TEST(wrong(value).starts_with("cell 7: expected the flux "));
}

BOOST_AUTO_TEST_CASE(directions_are_spread_evenly_over_an_octant) {
  std::uint32_t const angles = 400;
  box const of = make_box(2, 3, 4, angles, 1);
  double sum[3] = {};
  double squares[3] = {};
  for (direction const& d : of.directions) {
    double const along[3] = {d.x / (2 * of.nx), d.y / (2 * of.ny), d.z / (2 * of.nz)};
    BOOST_TEST(std::abs(std::hypot(along[0], along[1], along[2]) - 1) < 1e-12);
    for (int k = 0; k < 3; ++k) {
      BOOST_TEST(along[k] > 0);
      sum[k] += along[k] / angles;
      squares[k] += along[k] * along[k] / angles;
    }
  }
  // First and second moments of points spread evenly over an octant of a sphere.
  for (int k = 0; k < 3; ++k) {
    BOOST_TEST(std::abs(sum[k] - 1.0 / 2) < 0.01);
    BOOST_TEST(std::abs(squares[k] - 1.0 / 3) < 0.01);
  }
}

BOOST_AUTO_TEST_CASE(octants_one_by_one_run_their_levels_one_after_the_other) {
  device machine("host", 0);
  // The box has 2 x 3 x 2 tiles.
  box const of = make_box(16, 9, 6, 1, 1);
  auto const waves = [&](bool one_by_one) {
    return make_sweeper(machine, of, tile_way::barrier, {{1, 1}, 3, one_by_one, 300})->waves();
  };
  BOOST_TEST(waves(true) == 8U * (2 + 3 + 2 - 2));
  BOOST_TEST(waves(false) < waves(true));
}

BOOST_AUTO_TEST_CASE(a_sweep_beyond_its_limit_is_stopped) {
  on_each_machine([&](test_machine const& on, device& machine) {
    box const of = make_box(40, 40, 40, 8, 1);
    // These methods check the watchdog after each tile or level.
    for (auto const how : {tile_way::in_order, tile_way::in_order_ticket, tile_way::barrier}) {
      BOOST_TEST_CONTEXT(static_cast<int>(how)) {
        auto const by = make_sweeper(machine, of, how, {on.shape, 4, false, 1e-6});
        by->load(of);
        by->run();
        BOOST_TEST(contains(error_text<timeout_error>([&] { by->require_done(); }), "--timeout-s"));
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(every_method_gives_the_serial_flux) {
  struct size {
    std::uint32_t nx, ny, nz, angles, tile;
  };
  on_each_machine([&](test_machine const& on, device& machine) {
    for (auto const& [nx, ny, nz, angles, tile] : {size{1, 1, 1, 1, 4}, size{19, 13, 10, 5, 4},
                                                   size{9, 5, 7, 40, 3}, size{16, 16, 16, 32, 8}}) {
      // Runs alternate between two boxes. So a flux left by the previous run would be noticed.
      box const boxes[] = {make_box(nx, ny, nz, angles, nx), make_box(nx, ny, nz, angles, nx + 1)};
      std::vector<double> const expected[] = {sweep_serially(boxes[0]), sweep_serially(boxes[1])};
      std::vector<double> first[2];
      using enum tile_way;
      for (auto const how : {scanning, single_queue, multi_queue, in_order, in_order_ticket,
                             barrier, launches, graph, graph_pdl}) {
        for (bool const one_by_one : {false, true}) {
          // On a GPU some methods also run with one block per multiprocessor.
          launch_shape shape = on.shape;
          if (!machine.is_host() && (one_by_one || nx == 16))
            shape.blocks = machine.properties().multiprocessors;
          BOOST_TEST_CONTEXT(static_cast<int>(how) << ", " << nx << " x " << ny << " x " << nz) {
            auto const by = make_sweeper(machine, boxes[0], how, {shape, tile, one_by_one, 300});
            for (int run = 0; run < 3; ++run) {
              auto const k = static_cast<std::size_t>(run % 2);
              by->load(boxes[k]);
              by->run();
              auto const flux = by->flux();
              by->require_done();
              BOOST_TEST(error_text<wrong_result>(
                             [&] { require_flux(boxes[k], expected[k], flux); }) == "");
              if (first[k].empty()) first[k] = flux;
              BOOST_TEST((flux == first[k]), "not the same bits");
            }
          }
        }
      }
    }
  });
}
