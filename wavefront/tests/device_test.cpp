#define BOOST_TEST_MODULE wavefront_device
#define BOOST_TEST_NO_MAIN
// The properties of the host tests on a CUDA device. Blocks have 1, 32, 96 and 256 threads, and
// grids 1, 7 and 132 blocks. Blocks of one thread separate compiler errors from concurrency errors.
// The suite `small` is for compute-sanitizer: wavefront_device_test --run_test=small

#include <boost/test/unit_test.hpp>
#include <cstdio>

#include "scheduler_checks.hpp"

using namespace gridloom;
using namespace gridloom::wavefront;
using namespace gridloom::wavefront::test;

namespace {

constexpr grid all_grids[] = {{1, 1},  {1, 32},  {1, 96},  {1, 256},  {7, 1},    {7, 32},
                              {7, 96}, {7, 256}, {132, 1}, {132, 32}, {132, 96}, {132, 256}};
constexpr grid some_grids[] = {{1, 1}, {7, 32}, {132, 96}, {132, 256}};

}  // namespace

BOOST_AUTO_TEST_SUITE(small)

BOOST_AUTO_TEST_CASE(every_algorithm_on_a_small_lattice_and_a_small_dag) {
  device machine("cuda", 0);
  constexpr grid grids[] = {{1, 1}, {2, 32}, {3, 96}};
  check_results(machine, grids,
                {lattice_of(9, 13), lattice_of(3, 5, 4), random_graph(120, 41, true)});
}

BOOST_AUTO_TEST_CASE(wide_results_on_a_small_lattice_and_a_small_dag) {
  device machine("cuda", 0);
  constexpr grid grids[] = {{1, 1}, {3, 96}};
  check_wide_results(machine, grids, {lattice_of(9, 13), random_graph(120, 41, true)}, 1);
}

BOOST_AUTO_TEST_CASE(a_small_ring_on_a_wide_graph) {
  device machine("cuda", 0);
  constexpr grid grids[] = {{3, 32}};
  check_tiny_rings(machine, grids, {star(150), hubs(70)});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(all_algorithms_agree_with_the_serial_run_on_lattices) {
  device machine("cuda", 0);
  check_results(machine, all_grids, lattices(), 1);
}

BOOST_AUTO_TEST_CASE(all_algorithms_agree_with_the_serial_run_on_other_graphs) {
  device machine("cuda", 0);
  check_results(machine, all_grids, dags(), 1);
}

BOOST_AUTO_TEST_CASE(all_algorithms_agree_with_the_serial_run_on_a_hundred_thousand_tasks) {
  device machine("cuda", 0);
  constexpr grid grids[] = {{132, 96}};
  check_results(machine, grids,
                {lattice_of(311, 331), random_graph(100'000, 6, false), layered(100, 1000, 3)}, 1);
}

BOOST_AUTO_TEST_CASE(wide_results_agree_with_the_serial_run) {
  device machine("cuda", 0);
  check_wide_results(
      machine, some_grids,
      {lattice_of(1, 70), lattice_of(61, 83), lattice_of(5, 7, 9), random_graph(3000, 6, false),
       random_graph(300, 31, true), hubs(90), layered(20, 300, 14)});
}

BOOST_AUTO_TEST_CASE(no_run_has_the_number_of_an_empty_word) {
  device machine("cuda", 0);
  check_runs_that_wrap(machine, {7, 96}, lattice_of(17, 29));
  check_runs_that_wrap(machine, {7, 96}, random_graph(300, 31, true));
}

BOOST_AUTO_TEST_CASE(a_ticket_queue_with_a_tiny_ring_parks_tasks_that_do_not_fit) {
  device machine("cuda", 0);
  check_tiny_rings(machine, some_grids, wide_graphs());
}

BOOST_AUTO_TEST_CASE(every_algorithm_keeps_every_edge_under_injected_delays) {
  device machine("cuda", 0);
  std::uint32_t const seeds[] = {0, 1, 2};
  std::vector<test_graph> const graphs{lattice_of(29, 43), lattice_of(6, 7, 5),
                                       random_graph(700, 22, true), hubs(150)};
  check_certificates(machine, some_grids, graphs, seeds);
}

BOOST_AUTO_TEST_CASE(a_trace_holds_every_task_once) {
  device machine("cuda", 0);
  check_traces(machine, {7, 96}, lattice_of(17, 29));
  check_traces(machine, {7, 32}, random_graph(300, 31, true));
}

BOOST_AUTO_TEST_CASE(every_task_takes_the_duration_drawn_for_it_under_every_algorithm) {
  device machine("cuda", 0);
  check_durations(machine, {7, 64}, lattice_of(17, 29), 20'000);
  check_durations(machine, {7, 32}, random_graph(300, 31, true), 20'000);
}

BOOST_AUTO_TEST_CASE(a_lost_dependence_stops_every_algorithm_at_the_limit) {
  device machine("cuda", 0);
  constexpr grid grids[] = {{1, 32}, {132, 96}};
  check_watchdog(machine, grids);
}

BOOST_AUTO_TEST_CASE(a_round_that_is_never_drawn_stops_tickets_at_the_limit) {
  device machine("cuda", 0);
  constexpr grid grids[] = {{1, 32}, {7, 1}, {132, 96}};
  check_watchdog_of_tickets(machine, grids);
}

BOOST_AUTO_TEST_CASE(work_beyond_the_limit_stops_algorithms_without_counters) {
  device machine("cuda", 0);
  check_watchdog_by_work(machine, 32);
}

BOOST_AUTO_TEST_CASE(a_cluster_of_any_size_agrees_with_the_serial_run) {
  device machine("cuda", 0);
  int const most = most_cluster_blocks_of(machine.properties());
  // Some graphs have rounds with more edges than are copied. The last two have levels with more
  // tasks than a ring has slots, so the ring may lose results before a lane looks.
  std::vector<test_graph> const graphs{lattice_of(9, 13),           lattice_of(311, 331),
                                       random_graph(700, 22, true), falling_chain(500),
                                       layered(30, 300, 14),        layered(100, 1000, 3),
                                       layered(5, 20'000, 3),       left_behind(300'000)};
  for (auto const& graph : graphs) {
    bench on(machine, graph, {16, 512});
    auto const expected = serial_results(graph);
    for (auto const* name : {"in_order_cluster", "waves_cluster"}) {
      if (!why_not_on(machine.properties(), find_algorithm(name)).empty()) continue;
      for (int const blocks : {1, 2, 3, 8, 16}) {
        for (int const threads : {1, 32, 96, 512}) {
          if (blocks > most) continue;
          BOOST_TEST_CONTEXT(graph.name)
          check_runs(on, lane_configuration(name, {blocks, threads}), expected, 3);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_cluster_that_waits_in_vain_stops_at_the_limit) {
  device machine("cuda", 0);
  auto const graph = lattice_of(1, 2000);
  auto const millisecond = static_cast<std::uint64_t>(1e6 * machine.properties().ticks_per_ns);
  for (int const blocks : {1, 2, 16}) {
    if (blocks > most_cluster_blocks_of(machine.properties())) continue;
    auto const config = lane_configuration("in_order_cluster", {blocks, 64});
    BOOST_TEST_CONTEXT(name_of(config)) {
      bench on(machine, graph, {blocks, 64});
      auto const algorithm = on.make(config);
      on.limit(short_limit_s);
      algorithm->reset();
      check_stopped(on, *algorithm, work_body{millisecond});
      on.limit(long_limit_s);
      algorithm->reset();
      check_run(on.run(*algorithm), serial_results(graph));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_grid_that_the_device_cannot_hold_is_refused_with_the_number_that_fits) {
  device machine("cuda", 0);
  constexpr grid too_many{1 << 20, 1};
  bench on(machine, lattice_of(4, 4), {1, 1});
  for (auto const& config : configurations(machine, on.graph, too_many)) {
    std::string_view const name = config.algorithm->name;
    // The cluster has its own number of blocks.
    if (config.algorithm->one_cluster) continue;
    bool const launches = name.starts_with("waves_") && name != "waves_barrier";
    // Blocks of these algorithms do not wait for each other.
    if (name == "scanning" || launches) continue;
    BOOST_TEST_CONTEXT(name_of(config)) {
      BOOST_CHECK_EXCEPTION(
          on.make(config)->run({}, {}), usage_error, [](usage_error const& error) {
            return std::string(error.what()).find("of them at once") != std::string::npos;
          });
    }
  }
}

int main(int argc, char** argv) {
  try {
    device("cuda", 0);
  } catch (usage_error const&) {
    std::puts("no CUDA device: skipped");
    return 77;
  }
  return boost::unit_test::unit_test_main(&init_unit_test, argc, argv);
}
