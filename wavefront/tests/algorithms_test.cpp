// The serial reference is right, and configurations that cannot run are refused.

#include <boost/test/unit_test.hpp>
#include <functional>

#include "scheduler_checks.hpp"

BOOST_AUTO_TEST_SUITE(algorithms_test)

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::wavefront;
using namespace gridloom::wavefront::test;

BOOST_AUTO_TEST_CASE(the_serial_reference_is_right_on_lattices_small_enough_to_check_by_hand) {
  // seed(t) = t * 2654435761 + 12345 and add(x, y) = z ^ z >> 15 with z = (x ^ y) * 2246822519, all
  // mod 2^32:
  //   task 0: seed(0) = 12345
  //   task 1: add(seed(1), 12345) = add(2654448106, 12345)
  //   task 2: add(seed(2), 12345) = add(1013916571, 12345)
  //   task 3: add(add(seed(3), result of 1, the row above), result of 2, to the left)
  std::vector<std::uint32_t> const square{12345, 1055490758, 3973328357, 1222025042};
  BOOST_TEST(serial_results(lattice_of(2, 2)) == square, per_element());
  std::vector<std::uint32_t> const nine{12345,      1055490758, 3645298357, 733979676, 2691475670,
                                        2942789328, 651203204,  2900000911, 1205644428};
  BOOST_TEST(serial_results(lattice_of(3, 3)) == nine, per_element());
}

BOOST_AUTO_TEST_CASE(edges_of_a_small_lattice_are_those_of_the_paper) {
  // Each cell has edges to the right and down:
  // 0 1
  // 2 3
  std::vector<edge> const expected{{0, 1}, {0, 2}, {1, 3}, {2, 3}};
  BOOST_TEST((edges_of(lattice_of(2, 2)) == expected));
  // Two planes of one row: edges to the next column and to the next plane.
  std::vector<edge> const sweep{{0, 1}, {0, 2}, {1, 3}, {2, 3}};
  BOOST_TEST((edges_of(lattice_of(1, 2, 2)) == sweep));
}

BOOST_AUTO_TEST_CASE(dependent_launch_is_refused_in_one_line_on_a_device_before_9_0) {
  device_properties machine;
  machine.backend = "cuda";
  machine.name = "an A100";
  machine.compute_capability = 80;
  for (auto const& info : algorithms()) {
    std::string const expected = info.name == "waves_graph_pdl" || info.name == "waves_cluster"
                                     ? "needs compute capability 9.0, an A100 has 8.0"
                                 : !info.on_cuda ? "does not run on the cuda backend"
                                                 : "";
    BOOST_TEST(why_not_on(machine, info) == expected, info.name);
  }
  configuration config;
  config.algorithm = &find_algorithm("waves_graph_pdl");
  BOOST_CHECK_THROW(require_fit(machine, true, config), usage_error);
  machine.compute_capability = 90;
  BOOST_CHECK_NO_THROW(require_fit(machine, true, config));

  config.width = task_width::lane;
  for (auto const* name : {"in_order", "in_order_cluster"}) {
    config.algorithm = &find_algorithm(name);
    for (int const threads : {33, 544, 1024}) {
      config.threads = threads;
      BOOST_CHECK_THROW(require_fit(machine, true, config), usage_error);
    }
    for (int const threads : {1, 31, 32, 512}) {
      config.threads = threads;
      BOOST_CHECK_NO_THROW(require_fit(machine, true, config));
    }
  }
  // On devices before compute capability 9.0 a cluster has one block.
  for (auto const& [capability, most] : {std::pair{90, 16}, std::pair{80, 1}}) {
    machine.compute_capability = capability;
    config.blocks = most;
    BOOST_CHECK_NO_THROW(require_fit(machine, true, config));
    ++config.blocks;
    BOOST_CHECK_THROW(require_fit(machine, true, config), usage_error);
  }
}

BOOST_AUTO_TEST_CASE(graph_store_knows_the_edges_and_the_width_of_its_graph) {
  device machine("host", 0);
  for (auto const& graph : lattices()) {
    auto const store = make_store(machine, graph);
    BOOST_TEST(store.edges() == edges_of(graph).size(), graph.name);
  }
  BOOST_TEST(make_store(machine, lattice_of(37, 53)).width_bound() == 37U);
  BOOST_TEST(make_store(machine, lattice_of(40, 3, 9)).width_bound() == 27U);
  BOOST_TEST(make_store(machine, star(70)).width_bound() >= 70U);
}

BOOST_AUTO_TEST_CASE(configurations_that_cannot_run_are_refused_in_words) {
  device machine("host", 0);
  bench on_lattice(machine, lattice_of(4, 5), {4, 1});
  bench on_dag(machine, star(5), {4, 1});
  bench falling(machine, falling_chain(9), {4, 1});
  constexpr auto lane = task_width::lane;
  constexpr auto block = task_width::block;
  using change = std::function<void(configuration&)>;
  change const nothing = [](configuration&) {};
  auto const says = [&](bench& on, std::string const& name, task_width width, change const& spoil,
                        std::string const& words) {
    std::string const message = message_of<usage_error>([&] {
      auto config = lane_configuration(name, {4, 1});
      config.width = width;
      spoil(config);
      on.make(config);
    });
    BOOST_TEST(contains(message, words));
  };

  for (auto const& info : algorithms())
    says(on_lattice, "quantum", block, nothing, std::string(info.name));
  says(on_dag, "stripes", lane, nothing, "lattices only");
  says(on_lattice, "stripes", block, nothing, "--width lane");
  says(on_lattice, "scanning", lane, nothing, "--width block");
  says(on_lattice, "in_order_cluster", block, nothing, "--width lane");
  says(on_lattice, "waves_graph", lane, nothing, "host");
  says(on_lattice, "serial", lane, nothing, "serial: --workers: expected 1, got 4");
  for (int const queues : {0, -1, 5}) {
    says(
        on_lattice, "multi_queue", block, [&](auto& c) { c.queues = queues; }, "1 to 4 queues");
  }
  for (int const blocks : {17, 100}) {
    says(
        on_lattice, "in_order_cluster", lane, [&](auto& c) { c.blocks = blocks; },
        "has at most 16 blocks, got " + std::to_string(blocks));
  }
  for (auto const* name : {"in_order", "in_order_ticket", "in_order_cluster"}) {
    // All warps must have rounds of one size.
    says(
        on_lattice, name, lane, [](auto& c) { c.threads = 40; }, "multiple of 32");
    says(
        falling, name, lane, [](auto& c) { c.numbering = task_numbering::own; },
        "--numbering own: expected edges from smaller to larger numbers, got edge");
  }
  says(
      on_lattice, "in_order_cluster", lane, [](auto& c) { c.wide_results = true; },
      "--body wide: expected results of 4 bytes");
  says(
      on_lattice, "omp_tiles", lane, [](auto& c) { c.tile = 0; }, "--tiles: expected at least 1");
  // A ring of one slot cannot distinguish a value from room for the next, so it would lose tasks.
  for (std::uint32_t const slots : {1U, 3U, 12U}) {
    says(
        on_lattice, "ticket_queue", lane, [&](auto& c) { c.ring_slots = slots; }, "power of two");
  }
}

BOOST_AUTO_TEST_CASE(graphs_without_a_task_or_with_too_many_are_refused) {
  device machine("host", 0);
  for (lattice_size const size :
       {lattice_size{0, 1, 1}, lattice_size{1, -1, 1}, lattice_size{1, 1, 0},
        lattice_size{1LL << 40, 1, 1}, lattice_size{100'000, 100'000, 1},
        lattice_size{1 << 16, 1 << 15, 1}, lattice_size{1 << 11, 1 << 10, 1 << 10}}) {
    BOOST_CHECK_THROW(device_graph(machine, size), usage_error);
  }
  BOOST_CHECK_THROW(device_graph(machine, csr_graph{{0}, {}}), usage_error);
}

BOOST_AUTO_TEST_SUITE_END()
