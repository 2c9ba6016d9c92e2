#pragma once
// Properties that every scheduler must have. Host tests and device tests call these functions.

#include <boost/test/unit_test.hpp>
#include <span>
#include <string>
#include <vector>

#include "bench.hpp"
#include "certificate.hpp"
#include "gridloom/trace.hpp"

namespace gridloom::wavefront::test {

using gridloom::test::contains;

inline grid largest(std::span<grid const> grids) {
  grid most{1, 1};
  for (auto const& g : grids) {
    if (g.blocks * g.threads > most.blocks * most.threads) most = g;
  }
  return most;
}

/// Compares a finished run with the serial results, and names the first difference.
template <class Value>
void check_run(run_result const& got, std::vector<Value> const& values,
               std::vector<Value> const& expected) {
  BOOST_TEST(got.executed == expected.size());
  BOOST_TEST(!got.stopped,
             "stopped by the watchdog, " << (got.waits.empty() ? "no notes" : got.waits.front()));
  BOOST_TEST_REQUIRE(values.size() == expected.size());
  std::size_t task = 0;
  while (task < expected.size() && values[task] == expected[task]) ++task;
  BOOST_TEST(task == expected.size(), "result of task " << task << " differs from the serial run");
}
inline void check_run(run_result const& got, std::vector<std::uint32_t> const& expected) {
  check_run(got, got.values, expected);
}

/// The configuration of an algorithm with one task per lane.
inline configuration lane_configuration(std::string_view name, grid shape) {
  configuration config;
  config.algorithm = &find_algorithm(name);
  config.blocks = shape.blocks;
  config.threads = shape.threads;
  config.width = task_width::lane;
  return config;
}

/// Runs one scheduler several times.
inline void check_runs(bench& on, configuration const& config,
                       std::vector<std::uint32_t> const& expected, int times) {
  BOOST_TEST_CONTEXT(name_of(config)) {
    auto const algorithm = on.make(config);
    for (int k = 0; k < times; ++k) {
      algorithm->reset();
      check_run(on.run(*algorithm), expected);
    }
  }
}

/// Every algorithm's results equal the serial ones, also when the same scheduler runs again.
inline void check_results(device& machine, std::span<grid const> grids,
                          std::vector<test_graph> const& graphs, int times = 2) {
  for (auto const& graph : graphs) {
    bench on(machine, graph, largest(grids));
    auto const expected = serial_results(graph);
    BOOST_TEST((on.graph.reference() == expected),
               graph.name << ": device_graph has another reference");
    for (auto const& shape : grids) {
      for (auto const& config : configurations(machine, on.graph, shape)) {
        BOOST_TEST_CONTEXT(graph.name) { check_runs(on, config, expected, times); }
      }
    }
  }
}

/// Every algorithm that supports wide results gives the results of a serial run.
inline void check_wide_results(device& machine, std::span<grid const> grids,
                               std::vector<test_graph> const& graphs, int times = 2) {
  for (auto const& graph : graphs) {
    bench on(machine, graph, largest(grids));
    auto const expected = serial_wide_results(graph);
    BOOST_TEST((on.graph.wide_reference() == expected),
               graph.name << ": device_graph has another reference");
    auto const body = on.body_with_wide_results();
    // A body that needs no results would allow schedulers to omit fences.
    BOOST_TEST(body.needs_results());
    for (auto const& shape : grids) {
      for (auto config : configurations(machine, on.graph, shape)) {
        // Other algorithms refuse wide results.
        if (!config.algorithm->wide_results) continue;
        config.wide_results = true;
        BOOST_TEST_CONTEXT(graph.name << ": " << name_of(config)) {
          for (bool const observe : {false, true}) {
            auto const algorithm = on.make(config, observe);
            for (int k = 0; k < times; ++k) {
              algorithm->reset();
              algorithm->prepare(body, {});
              auto const got = on.run(*algorithm, body);
              check_run(got, got.wide_values, expected);
            }
          }
        }
      }
    }
  }
}

/// The number of the run skips 0, which is the tag of words that were never written.
inline void check_runs_that_wrap(device& machine, grid shape, test_graph const& graph) {
  bench on(machine, graph, shape);
  auto const expected = serial_results(graph);
  for (auto config : configurations(machine, on.graph, shape)) {
    if (!config.algorithm->in_order) continue;
    for (std::uint32_t const before : {0xffffffffU, 0xfffffffeU}) {
      config.runs_before = before;
      BOOST_TEST_CONTEXT(graph.name << ", " << before << " runs before") {
        check_runs(on, config, expected, 4);
      }
    }
  }
}

/// The ticket queue finishes with rings far smaller than the number of tasks ready at once.
inline void check_tiny_rings(device& machine, std::span<grid const> grids,
                             std::vector<test_graph> const& graphs) {
  for (auto const& graph : graphs) {
    bench on(machine, graph, largest(grids));
    auto const expected = serial_results(graph);
    for (auto const& shape : grids) {
      for (auto const& config : tiny_ring_configurations(shape)) {
        BOOST_TEST_CONTEXT(graph.name) { check_runs(on, config, expected, 1); }
      }
    }
  }
}

/// Tickets prove each edge and exactly-once execution, under delays that `seeds` inject.
inline void check_certificates(device& machine, std::span<grid const> grids,
                               std::vector<test_graph> const& graphs,
                               std::span<std::uint32_t const> seeds) {
  for (auto const& graph : graphs) {
    bench on(machine, graph, largest(grids));
    auto const expected = serial_results(graph);
    auto const edges = edges_of(graph);
    auto const clock = machine.allocate<std::uint32_t>(1);
    auto const tickets = machine.allocate<order_ticket>(on.graph.tasks());
    for (auto const& shape : grids) {
      auto configs = configurations(machine, on.graph, shape);
      auto const tiny = tiny_ring_configurations(shape);
      configs.insert(configs.end(), tiny.begin(), tiny.end());
      for (auto const& config : configs) {
        if (!config.algorithm->observable) continue;
        for (std::uint32_t const seed : seeds) {
          BOOST_TEST_CONTEXT(graph.name << ": " << name_of(config) << ", delays of seed " << seed) {
            probe_ref observer;
            observer.ticket_clock = clock.data();
            observer.tickets = tickets.data();
            observer.delay_seed = seed;
            auto const algorithm = on.make(config, true);
            // In the second run, a ring on the host still holds the results of the first.
            for (int left = config.algorithm->name == "in_order_cluster" ? 2 : 1; left > 0;
                 --left) {
              machine.fill_bytes(clock, 0);
              machine.fill_bytes(tickets, 0);
              algorithm->reset();
              check_run(on.run(*algorithm, observer), expected);
              for (auto const& wrong : violations(machine.copy_to_host(tickets), edges))
                BOOST_ERROR(wrong);
            }
          }
        }
      }
    }
  }
}

/// A trace holds every task once, and its times agree with the edges of the graph.
inline void check_traces(device& machine, grid shape, test_graph const& graph) {
  bench on(machine, graph, shape);
  auto const edges = edges_of(graph);
  trace_buffer trace(machine, shape.blocks * shape.threads, on.graph.tasks());
  for (auto const& config : configurations(machine, on.graph, shape)) {
    if (!config.algorithm->observable) continue;
    BOOST_TEST_CONTEXT(graph.name << ": " << name_of(config)) {
      probe_ref observer;
      observer.trace = trace.arm();
      auto const algorithm = on.make(config, true);
      algorithm->reset();
      BOOST_TEST(on.run(*algorithm, observer).executed == on.graph.tasks());
      std::vector<int> times(on.graph.tasks(), 0);
      bool forward = true;
      for (auto const& [worker, event] : trace.events()) {
        ++times.at(event.task);
        forward = forward && event.end_ns >= event.begin_ns;
        BOOST_TEST(worker < algorithm->observers());
      }
      BOOST_TEST(std::count(times.begin(), times.end(), 1) == on.graph.tasks());
      BOOST_TEST(forward);
      BOOST_TEST(trace.dropped() == 0U);
    }
  }
}

/// Every task takes at least its drawn duration under every algorithm, up to differences of clocks.
inline void check_durations(device& machine, grid shape, test_graph const& graph,
                            std::uint64_t mean_ns) {
  constexpr std::uint32_t seed = 11;
  // On CUDA, the clock of a trace is coarser than that of the tasks' work. Work counts cycles at
  // the clock rate that the device reports; the real rate may be slightly higher.
  std::uint64_t const step_ns = machine.is_host() ? 0 : 2100;
  double const share = machine.is_host() ? 1 : 0.98;
  bench on(machine, graph, shape);
  trace_buffer trace(machine, shape.blocks * shape.threads, on.graph.tasks());
  for (auto const& config : configurations(machine, on.graph, shape)) {
    if (!config.algorithm->observable) continue;
    for (auto const kind : {task_durations::constant, task_durations::uniform,
                            task_durations::exponential, task_durations::rare_long}) {
      BOOST_TEST_CONTEXT(name_of(config)
                         << ", " << task_durations_names[static_cast<std::size_t>(kind)]) {
        auto const ticks = static_cast<std::uint64_t>(static_cast<double>(mean_ns) *
                                                      machine.properties().ticks_per_ns);
        work_body const body{ticks, kind, seed};
        probe_ref observer;
        observer.trace = trace.arm();
        auto const algorithm = on.make(config, true);
        algorithm->reset();
        algorithm->prepare(body, observer);
        BOOST_TEST(on.run(*algorithm, body, observer).executed == on.graph.tasks());
        std::size_t short_tasks = 0;
        double most_ns = 0;
        for (auto const& [worker, event] : trace.events()) {
          double const drawn =
              share * static_cast<double>(mean_ns) * duration_of(kind, seed, event.task) - 1;
          auto const taken = static_cast<double>(event.end_ns - event.begin_ns + step_ns);
          if (taken >= drawn) continue;
          ++short_tasks;
          most_ns = std::max(most_ns, drawn - taken);
        }
        BOOST_TEST(short_tasks == 0U,
                   short_tasks << " tasks are short, by " << most_ns << " ns at most");
      }
    }
  }
}

inline constexpr double short_limit_s = 0.3;

/// Checks a run that cannot end, or that has far more work than its limit allows.
inline run_result check_stopped(bench& on, scheduler& algorithm, any_body const& body) {
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

/// If a task's counter never reaches zero, every algorithm that counts dependencies stops at the
/// limit and says what it waited for. After a reset it runs again.
inline void check_watchdog(device& machine, std::span<grid const> grids) {
  auto const graph = lattice_of(20, 30);
  bench on(machine, graph, largest(grids));
  for (auto const& shape : grids) {
    for (auto const& config : configurations(machine, on.graph, shape)) {
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
        auto counters = machine.copy_to_host(on.memory.dependencies);
        ++counters[on.graph.tasks() / 2];
        machine.copy_to_device(on.memory.dependencies, std::span<std::uint32_t const>(counters));
        check_stopped(on, *algorithm, on.body_with_results());
        on.limit(long_limit_s);
        algorithm->reset();
        check_run(on.run(*algorithm), serial_results(graph));
      }
    }
  }
}

/// If a round is never drawn, tasks that need it wait forever. The watchdog must stop the run.
inline void check_watchdog_of_tickets(device& machine, std::span<grid const> grids) {
  auto const graph = lattice_of(20, 30);
  bench on(machine, graph, largest(grids));
  for (auto const& shape : grids) {
    auto const config = lane_configuration("in_order_ticket", shape);
    BOOST_TEST_CONTEXT(name_of(config)) {
      auto const algorithm = on.make(config);
      on.limit(short_limit_s);
      algorithm->reset();
      scheduler_words words{};
      words.cursor = 1;
      machine.copy_to_device(on.memory.words, std::span<scheduler_words const>(&words, 1));
      auto const got = check_stopped(on, *algorithm, on.body_with_results());
      BOOST_TEST(got.executed == 0U);
      for (auto const& line : got.waits) BOOST_TEST(contains(line, " waited for task "));
      on.limit(long_limit_s);
      algorithm->reset();
      check_run(on.run(*algorithm), serial_results(graph));
    }
  }
}

/// No test can make algorithms without counters hang. But work far above the limit stops them, too.
inline void check_watchdog_by_work(device& machine, int threads) {
  // Two stripes.
  std::int64_t const rows = machine.is_host() ? 2 : 2 * threads;
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
    if (!why_not_on(machine.properties(), find_algorithm(name)).empty()) continue;
    BOOST_TEST_CONTEXT(name << (width == task_width::lane ? "" : ", one block per task") << ", "
                            << work_ns << " ns per task, " << blocks << " blocks") {
      bench on(machine, graph, {blocks, threads});
      auto config = lane_configuration(name, {blocks, threads});
      config.width = width;
      config.publish_every = 1;
      auto const algorithm = on.make(config);
      on.limit(short_limit_s);
      algorithm->reset();
      auto const ticks = static_cast<std::uint64_t>(work_ns * machine.properties().ticks_per_ns);
      check_stopped(on, *algorithm, work_body{ticks});
    }
  }
}

}  // namespace gridloom::wavefront::test
