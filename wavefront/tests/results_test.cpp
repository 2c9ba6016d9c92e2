// Every algorithm gives the results of a serial run, on host workers and on a CUDA device. The suite
// `small` is for compute-sanitizer.

#include "scheduler_checks.hpp"

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::wavefront;
using namespace gridloom::wavefront::test;

#if defined(__SANITIZE_ADDRESS__)
// libgomp never frees the teams of threads that a smaller parallel region leaves unused.
extern "C" char const* __lsan_default_suppressions() { return "leak:libgomp"; }
#endif

namespace {

using grids = std::vector<grid>;
using graphs = std::vector<test_graph>;

grids all_grids() {
  if (machine().is_host()) return some_grids();
  grids made;
  for (int const blocks : {1, 7, 132}) {
    for (int const threads : {1, 32, 96, 256}) made.push_back({blocks, threads});
  }
  return made;
}

/// The same scheduler runs several times.
void check_results(grids const& shapes, graphs const& all, int times) {
  for (auto const& graph : all) {
    bench on(machine(), graph, largest(shapes));
    auto const expected = serial_results(graph);
    BOOST_TEST((on.graph.reference() == expected),
               graph.name << ": device_graph has another reference");
    for (auto const& shape : shapes) {
      for (auto const& config : configurations(machine(), on.graph, shape)) {
        BOOST_TEST_CONTEXT(graph.name) { check_runs(on, config, expected, times); }
      }
    }
  }
}

void check_wide_results(grids const& shapes, graphs const& all, int times) {
  for (auto const& graph : all) {
    bench on(machine(), graph, largest(shapes));
    auto const expected = serial_wide_results(graph);
    BOOST_TEST((on.graph.wide_reference() == expected),
               graph.name << ": device_graph has another reference");
    auto const body = on.body_with_wide_results();
    // A body that needs no results would allow schedulers to omit fences.
    BOOST_TEST(body.needs_results());
    for (auto const& shape : shapes) {
      for (auto config : configurations(machine(), on.graph, shape)) {
        // Other algorithms refuse wide results.
        if (!config.algorithm->wide_results) continue;
        config.wide_results = true;
        BOOST_TEST_CONTEXT(graph.name << ": " << name_of(config)) {
          for (bool const observe : {false, true}) {
            auto const algorithm = on.make(config, observe);
            for (int k = 0; k < times; ++k) {
              auto const got = on.run(*algorithm, body);
              check_run(got, got.wide_values, expected);
            }
          }
        }
      }
    }
  }
}

/// The ticket queue finishes with rings far smaller than the number of tasks ready at once.
void check_tiny_rings(grids const& shapes, graphs const& all) {
  for (auto const& graph : all) {
    bench on(machine(), graph, largest(shapes));
    auto const expected = serial_results(graph);
    for (auto const& shape : shapes) {
      for (auto const& config : tiny_ring_configurations(shape)) {
        BOOST_TEST_CONTEXT(graph.name) { check_runs(on, config, expected, 1); }
      }
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(small)

BOOST_AUTO_TEST_CASE(every_algorithm_on_a_small_lattice_and_a_small_dag) {
  check_results(by_machine<grids>({{3, 1}}, {{1, 1}, {2, 32}, {3, 96}}),
                {lattice_of(9, 13), lattice_of(3, 5, 4), random_graph(120, 41, true)}, 2);
}

BOOST_AUTO_TEST_CASE(wide_results_on_a_small_lattice_and_a_small_dag) {
  check_wide_results(by_machine<grids>({{3, 1}}, {{1, 1}, {3, 96}}),
                     {lattice_of(9, 13), random_graph(120, 41, true)}, 1);
}

BOOST_AUTO_TEST_CASE(a_small_ring_on_a_wide_graph) {
  check_tiny_rings(by_machine<grids>({{3, 1}}, {{3, 32}}), {star(150), hubs(70)});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(all_algorithms_agree_with_the_serial_run_on_lattices) {
  if (!can_run("omp_tasks"))
    std::puts("omp_tasks, omp_tiles: skipped, libgomp is not instrumented for ThreadSanitizer");
  check_results(all_grids(), lattices(), by_machine(2, 1));
}

BOOST_AUTO_TEST_CASE(all_algorithms_agree_with_the_serial_run_on_other_graphs) {
  check_results(all_grids(), dags(), by_machine(2, 1));
}

BOOST_AUTO_TEST_CASE(all_algorithms_agree_with_the_serial_run_on_a_hundred_thousand_tasks) {
  if (machine().is_host()) return;
  check_results({{132, 96}},
                {lattice_of(311, 331), random_graph(100'000, 6, false), layered(100, 1000, 3)}, 1);
}

BOOST_AUTO_TEST_CASE(wide_results_agree_with_the_serial_run) {
  check_wide_results(
      some_grids(),
      {lattice_of(1, 70), lattice_of(61, 83), lattice_of(5, 7, 9), random_graph(3000, 6, false),
       random_graph(300, 31, true), hubs(90), layered(20, 300, 14)},
      2);
}

// The number of the run skips 0, which is the tag of words that were never written.
BOOST_AUTO_TEST_CASE(no_run_has_the_number_of_an_empty_word) {
  grid const shape = by_machine<grid>({3, 1}, {7, 96});
  for (auto const& graph : {lattice_of(17, 29), random_graph(300, 31, true)}) {
    bench on(machine(), graph, shape);
    auto const expected = serial_results(graph);
    for (auto config : configurations(machine(), on.graph, shape)) {
      if (!config.algorithm->in_order) continue;
      for (std::uint32_t const before : {0xffffffffU, 0xfffffffeU}) {
        config.runs_before = before;
        BOOST_TEST_CONTEXT(graph.name << ", " << before << " runs before") {
          check_runs(on, config, expected, 4);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_ticket_queue_with_a_tiny_ring_parks_tasks_that_do_not_fit) {
  check_tiny_rings(some_grids(), wide_graphs());
}

BOOST_AUTO_TEST_CASE(a_cluster_of_any_size_agrees_with_the_serial_run) {
  int const most = most_cluster_blocks_of(machine().properties());
  // Some graphs have rounds with more edges than are copied. The last two have levels with more
  // tasks than a ring has slots, so the ring may lose results before a lane looks.
  graphs const all =
      machine().is_host()
          ? graphs{lattice_of(9, 13), left_behind(60'000)}
          : graphs{lattice_of(9, 13),     lattice_of(311, 331), random_graph(700, 22, true),
                   falling_chain(500),    layered(30, 300, 14), layered(100, 1000, 3),
                   layered(5, 20'000, 3), left_behind(300'000)};
  for (auto const& graph : all) {
    bench on(machine(), graph, {16, 512});
    auto const expected = serial_results(graph);
    for (auto const* name : {"in_order_cluster", "waves_cluster"}) {
      if (!why_not_on(machine().properties(), find_algorithm(name)).empty()) continue;
      for (int const blocks : {1, 2, 3, 8, 16}) {
        for (int const threads : by_machine<std::vector<int>>({1}, {1, 32, 96, 512})) {
          if (blocks > most) continue;
          BOOST_TEST_CONTEXT(graph.name)
          check_runs(on, lane_configuration(name, {blocks, threads}), expected, 3);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_grid_that_the_device_cannot_hold_is_refused_with_the_number_that_fits) {
  if (machine().is_host()) return;
  constexpr grid too_many{1 << 20, 1};
  bench on(machine(), lattice_of(4, 4), {1, 1});
  for (auto const& config : configurations(machine(), on.graph, too_many)) {
    std::string_view const name = config.algorithm->name;
    // The cluster has its own number of blocks.
    if (config.algorithm->one_cluster) continue;
    bool const launches = name.starts_with("waves_") && name != "waves_barrier";
    // Blocks of these algorithms do not wait for each other.
    if (name == "scanning" || launches) continue;
    BOOST_TEST_CONTEXT(name_of(config)) {
      BOOST_CHECK_EXCEPTION(on.make(config)->run(), usage_error, [](usage_error const& error) {
        return std::string(error.what()).find("of them at once") != std::string::npos;
      });
    }
  }
}
