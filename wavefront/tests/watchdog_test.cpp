// A scheduler that cannot finish returns within the time limit and says what each worker waited
// for. After a reset it runs again.

#include "scheduler_checks.hpp"

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::wavefront;
using namespace gridloom::wavefront::test;

namespace {

constexpr double short_limit_s = 0.3;

/// Checks a run that cannot end, or that has far more work than its limit allows.
run_result check_stopped(bench& on, body_executor& algorithm, any_body const& body) {
  auto const got = on.run(algorithm, body);
  BOOST_TEST(got.stopped);
  BOOST_TEST(got.executed < on.graph.tasks());
  BOOST_TEST(!got.waits.empty());
  for (auto const& line : got.waits) {
    bool const working = line.find(" was working: ") != std::string::npos;
    bool const waited =
        line.find(" waited for ") != std::string::npos && line.find("wanted ") != std::string::npos;
    BOOST_TEST((line.starts_with("worker ") && (working || waited)), line);
  }
  return got;
}

}  // namespace

// If a task's counter never reaches zero, every algorithm that counts dependencies stops.
BOOST_AUTO_TEST_CASE(a_lost_dependence_stops_every_algorithm_at_the_limit) {
  auto const shapes = by_machine<std::vector<grid>>({{1, 1}, {2, 1}, {8, 1}}, {{1, 32}, {132, 96}});
  auto const graph = lattice_of(20, 30);
  bench on(machine(), graph, largest(shapes));
  for (auto const& shape : shapes) {
    for (auto const& config : configurations(machine(), on.graph, shape)) {
      std::string_view const name = config.algorithm->name;
      // Algorithms without counters are skipped.
      if (name == "stripes" || !config.algorithm->observable || name.starts_with("waves_") ||
          config.algorithm->in_order)
        continue;
      if (name == "multi_queue" && config.hash != task_hash::b) continue;
      BOOST_TEST_CONTEXT(name_of(config)) {
        auto const algorithm = on.make(config);
        on.limit(short_limit_s);
        algorithm->reset();
        auto counters = machine().copy_to_host(on.memory.dependencies);
        ++counters[on.graph.tasks() / 2];
        machine().copy_to_device(on.memory.dependencies, std::span<std::uint32_t const>(counters));
        check_stopped(on, *algorithm, on.body_with_results());
        on.limit(long_limit_s);
        check_run(on.run(*algorithm), serial_results(graph));
      }
    }
  }
}

// If a round is never drawn, tasks that need it wait forever.
BOOST_AUTO_TEST_CASE(a_round_that_is_never_drawn_stops_tickets_at_the_limit) {
  auto const shapes =
      by_machine<std::vector<grid>>({{1, 1}, {2, 1}, {8, 1}}, {{1, 32}, {7, 1}, {132, 96}});
  auto const graph = lattice_of(20, 30);
  bench on(machine(), graph, largest(shapes));
  for (auto const& shape : shapes) {
    auto const config = lane_configuration("in_order_ticket", shape);
    BOOST_TEST_CONTEXT(name_of(config)) {
      auto const algorithm = on.make(config);
      on.limit(short_limit_s);
      algorithm->reset();
      scheduler_words words{};
      words.cursor = 1;
      machine().copy_to_device(on.memory.words, std::span<scheduler_words const>(&words, 1));
      auto const got = check_stopped(on, *algorithm, on.body_with_results());
      BOOST_TEST(got.executed == 0U);
      for (auto const& line : got.waits) BOOST_TEST(contains(line, " waited for task "));
      on.limit(long_limit_s);
      check_run(on.run(*algorithm), serial_results(graph));
    }
  }
}

// No test can make algorithms without counters hang. But work far above the limit stops them, too.
BOOST_AUTO_TEST_CASE(work_beyond_the_limit_stops_algorithms_without_counters) {
  int const threads = by_machine(1, 32);
  // Two stripes.
  std::int64_t const rows = machine().is_host() ? 2 : 2 * threads;
  struct setting {
    std::string name;
    test_graph graph;
    task_width width = task_width::lane;
    double work_ns = 1e6;
    int blocks = 2;
  };
  // With short tasks the watchdog is asked only from time to time.
  for (auto const& [name, graph, width, work_ns, blocks] :
       {setting{"stripes", lattice_of(rows, 2000)}, setting{"waves_barrier", lattice_of(1, 2000)},
        setting{"waves_barrier", lattice_of(1, 40'000), task_width::lane, 5e4},
        setting{"waves_barrier", lattice_of(1, 2000), task_width::lane, 1e6, 1},
        setting{"waves_barrier", lattice_of(1, 40'000), task_width::lane, 5e4, 1},
        setting{"waves_cluster", lattice_of(1, 2000)},
        setting{"waves_cluster", lattice_of(1, 40'000), task_width::lane, 5e4},
        setting{"in_order", lattice_of(1, 2000)}, setting{"in_order_ticket", lattice_of(1, 2000)},
        setting{"in_order_cluster", lattice_of(1, 2000)},
        setting{"in_order", lattice_of(1, 2000), task_width::block},
        setting{"in_order_ticket", lattice_of(1, 2000), task_width::block}}) {
    if (!why_not_on(machine().properties(), find_algorithm(name)).empty()) continue;
    BOOST_TEST_CONTEXT(name << (width == task_width::lane ? "" : ", one block per task") << ", "
                            << work_ns << " ns per task, " << blocks << " blocks") {
      bench on(machine(), graph, {blocks, threads});
      auto config = lane_configuration(name, {blocks, threads});
      config.width = width;
      config.publish_every = 1;
      auto const algorithm = on.make(config);
      on.limit(short_limit_s);
      auto const ticks = static_cast<std::uint64_t>(work_ns * machine().properties().ticks_per_ns);
      check_stopped(on, *algorithm, work_body{ticks});
    }
  }
}

BOOST_AUTO_TEST_CASE(a_cluster_that_waits_in_vain_stops_at_the_limit) {
  auto const graph = lattice_of(1, 2000);
  auto const millisecond = static_cast<std::uint64_t>(1e6 * machine().properties().ticks_per_ns);
  for (int const blocks : {1, 2, 16}) {
    if (blocks > most_cluster_blocks_of(machine().properties())) continue;
    grid const shape{blocks, by_machine(1, 64)};
    auto const config = lane_configuration("in_order_cluster", shape);
    BOOST_TEST_CONTEXT(name_of(config)) {
      bench on(machine(), graph, shape);
      auto const algorithm = on.make(config);
      on.limit(short_limit_s);
      check_stopped(on, *algorithm, work_body{millisecond});
      on.limit(long_limit_s);
      check_run(on.run(*algorithm), serial_results(graph));
    }
  }
}
