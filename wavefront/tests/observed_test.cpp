// Observed runs: tickets of one global clock prove every edge under injected delays, traces hold
// every task once, and every task takes its duration.

#include "certificate.hpp"
#include "gridloom/trace.hpp"
#include "scheduler_checks.hpp"

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::wavefront;
using namespace gridloom::wavefront::test;

namespace {

/// A trace holds every task once, and its times agree with the edges of the graph.
void check_traces(grid shape, test_graph const& graph) {
  bench on(machine(), graph, shape);
  auto const edges = edges_of(graph);
  trace_buffer trace(machine(), shape.blocks * shape.threads, on.graph.tasks());
  for (auto const& config : configurations(machine(), on.graph, shape)) {
    if (!config.algorithm->observable) continue;
    BOOST_TEST_CONTEXT(graph.name << ": " << name_of(config)) {
      probe_ref observer;
      observer.trace = trace.arm();
      auto const algorithm = on.make(config, true);
      BOOST_TEST(on.run(*algorithm, observer).executed == on.graph.tasks());
      std::vector<int> times(on.graph.tasks(), 0);
      bool forward = true;
      for (auto const& [worker, event] : trace.events()) {
        ++times.at(event.task);
        forward = forward && event.end_ns >= event.begin_ns;
        BOOST_TEST(worker < config.units());
      }
      BOOST_TEST(std::count(times.begin(), times.end(), 1) == on.graph.tasks());
      BOOST_TEST(forward);
      BOOST_TEST(trace.dropped() == 0U);
    }
  }
}

void check_durations(grid shape, test_graph const& graph, std::uint64_t mean_ns) {
  constexpr std::uint32_t seed = 11;
  // On CUDA, the clock of a trace is coarser than that of the tasks' work. Work counts cycles at
  // the clock rate that the device reports; the real rate may be slightly higher.
  std::uint64_t const step_ns = machine().is_host() ? 0 : 2100;
  double const share = machine().is_host() ? 1 : 0.98;
  bench on(machine(), graph, shape);
  trace_buffer trace(machine(), shape.blocks * shape.threads, on.graph.tasks());
  for (auto const& config : configurations(machine(), on.graph, shape)) {
    if (!config.algorithm->observable) continue;
    for (auto const kind : {task_durations::constant, task_durations::uniform,
                            task_durations::exponential, task_durations::rare_long}) {
      BOOST_TEST_CONTEXT(name_of(config)
                         << ", " << task_durations_names[static_cast<std::size_t>(kind)]) {
        auto const ticks = static_cast<std::uint64_t>(static_cast<double>(mean_ns) *
                                                      machine().properties().ticks_per_ns);
        work_body const body{ticks, kind, seed};
        probe_ref observer;
        observer.trace = trace.arm();
        auto const algorithm = on.make(config, true);
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

}  // namespace

// Tickets prove each edge and exactly-once execution. Seed 0 means no delays.
BOOST_AUTO_TEST_CASE(every_algorithm_keeps_every_edge_under_injected_delays) {
  auto const shapes = some_grids();
  for (auto const& graph : {lattice_of(19, 23), lattice_of(6, 7, 5), random_graph(400, 21, true),
                            hubs(150), star(200)}) {
    bench on(machine(), graph, largest(shapes));
    auto const expected = serial_results(graph);
    auto const edges = edges_of(graph);
    auto const clock = machine().allocate<std::uint32_t>(1);
    auto const tickets = machine().allocate<order_ticket>(on.graph.tasks());
    for (auto const& shape : shapes) {
      auto configs = configurations(machine(), on.graph, shape);
      auto const tiny = tiny_ring_configurations(shape);
      configs.insert(configs.end(), tiny.begin(), tiny.end());
      for (auto const& config : configs) {
        if (!config.algorithm->observable) continue;
        for (std::uint32_t const seed : {0U, 1U, 2U, 3U}) {
          BOOST_TEST_CONTEXT(graph.name << ": " << name_of(config) << ", delays of seed " << seed) {
            probe_ref observer;
            observer.ticket_clock = clock.data();
            observer.tickets = tickets.data();
            observer.delay_seed = seed;
            auto const algorithm = on.make(config, true);
            // In the second run, a ring on the host still holds the results of the first.
            for (int left = config.algorithm->name == "in_order_cluster" ? 2 : 1; left > 0;
                 --left) {
              machine().fill_bytes(clock, 0);
              machine().fill_bytes(tickets, 0);
              check_run(on.run(*algorithm, observer), expected);
              for (auto const& wrong : violations(machine().copy_to_host(tickets), edges))
                BOOST_ERROR(wrong);
            }
          }
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_trace_holds_every_task_once) {
  check_traces(by_machine<grid>({4, 1}, {7, 96}), lattice_of(17, 29));
  check_traces(by_machine<grid>({3, 1}, {7, 32}), random_graph(300, 31, true));
}

BOOST_AUTO_TEST_CASE(every_task_takes_the_duration_drawn_for_it_under_every_algorithm) {
  if (machine().is_host()) return check_durations({2, 1}, lattice_of(6, 7), 2000);
  check_durations({7, 64}, lattice_of(17, 29), 20'000);
  check_durations({7, 32}, random_graph(300, 31, true), 20'000);
}
