// The transport sweep, on host workers and on CUDA blocks: cells by hand, the balance of what is given
// and taken, and every way to sweep against the serial one.

#include <boost/test/unit_test.hpp>
#include <numeric>

#include "gridloom/error.hpp"
#include "test_machines.hpp"
#include "transport.hpp"

using namespace gridloom;
using namespace gridloom::wavefront::kba;
using gridloom::test::error_text;
using gridloom::test::on_each_machine;
using gridloom::test::test_machine;

BOOST_AUTO_TEST_CASE(the_flux_of_two_cells_is_that_by_hand) {
  // One direction an octant, along x: psi = (1 + 2 in) / (1 + 2 + 0 + 0), out = 2 psi - in. The first
  // cell: 1/3, out 2/3; the second (1 + 4/3) / 3 = 7/9. Four octants go forward, four backward.
  box of{2, 1, 1, {{2, 0, 0, 0.125}}, {1, 1}, {1, 1}};
  double const mean = (1.0 / 3 + 7.0 / 9) / 2;
  for (double const flux : sweep_serially(of)) BOOST_TEST(std::abs(flux - mean) < 1e-15);
  on_each_machine([&](test_machine const& on, device& machine) {
    auto const by = make_sweeper(machine, of, "in_order", {on.shape, 1, false, 300});
    by->load(of);
    by->run();
    auto const flux = by->flux();
    by->require_done();
    for (double const one : flux) BOOST_TEST(std::abs(one - mean) < 1e-15);
  });
}

BOOST_AUTO_TEST_CASE(a_large_box_holds_what_its_source_gives) {
  // Far from the sides flux times absorption is the source, where both are the same everywhere.
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

BOOST_AUTO_TEST_CASE(every_way_to_sweep_gives_the_serial_flux) {
  struct size {
    std::uint32_t nx, ny, nz, angles, tile;
  };
  on_each_machine([&](test_machine const& on, device& machine) {
    for (auto const& [nx, ny, nz, angles, tile] : {size{1, 1, 1, 1, 4}, size{19, 13, 10, 5, 4},
                                                   size{9, 5, 7, 40, 3}, size{16, 16, 16, 32, 8}}) {
      box const of = make_box(nx, ny, nz, angles, nx);
      auto const expected = sweep_serially(of);
      std::vector<double> first;
      for (auto const* how :
           {"scanning", "single_queue", "multi_queue", "in_order", "in_order_ticket",
            "waves_barrier", "waves_stream", "waves_graph", "waves_graph_pdl"}) {
        for (bool const one_by_one : {false, true}) {
          // On a GPU some of them with as many blocks as it has multiprocessors.
          launch_shape shape = on.shape;
          if (!machine.is_host() && (one_by_one || nx == 16))
            shape.blocks = machine.properties().multiprocessors;
          BOOST_TEST_CONTEXT(how << ", " << nx << " x " << ny << " x " << nz) {
            auto const by = make_sweeper(machine, of, how, {shape, tile, one_by_one, 300});
            for (int k = 0; k < 2; ++k) {
              by->load(of);
              by->run();
              auto const flux = by->flux();
              by->require_done();
              BOOST_TEST(error_text<wrong_result>([&] { require_flux(of, expected, flux); }) == "");
              if (first.empty()) first = flux;
              BOOST_TEST((flux == first), "not the same bits");
            }
          }
        }
      }
    }
  });
}
