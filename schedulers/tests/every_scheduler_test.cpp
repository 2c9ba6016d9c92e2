// Every scheduler runs every graph, its trace has each task once, after its predecessors, and its
// time limit ends a run. A scheduler has its own test case, which has its name.

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "any_graph_checks.hpp"
#include "apps/schedulers/all.hpp"
#include "gridloom/taskgraph/shared_graph.hpp"

BOOST_AUTO_TEST_SUITE(schedulers)

using namespace gridloom;
using namespace gridloom::schedulers;
using gridloom::test::test_machine;

namespace {

bool runs_on(synthetic_scheduler const& one, device const& machine) {
  return machine.is_host() ||
         (one.on_cuda && machine.properties().compute_capability >= one.needs);
}

/// MHive has workers of 1, 32 and 128 threads.
int threads_for(synthetic_scheduler const& one, int threads) {
  if (!one.name.starts_with("mhive")) return threads;
  return threads < 32 ? 1 : threads < 128 ? 32 : 128;
}

void check_graphs(synthetic_scheduler const& one) {
  gridloom::test::check_executor([&](device& machine, csr_graph const& graph,
                                     synthetic_graph_ref const& tasks, executor_settings settings) {
    settings.threads = threads_for(one, settings.threads);
    settings.block_per_task = one.launches_levels && settings.workers % 2 == 0;
    return one.make(machine, graph, tasks, settings);
  });
}

void check_trace(synthetic_scheduler const& one, test_machine const& on) {
  csr_graph const graph =
      generate_graph("random:tasks=300,window=300,degree=4,least=0,shuffle=1,seed=5");
  synthetic_graph tasks(*on.machine, graph, 0);
  shared_graph shared(*on.machine, graph);
  auto const run = one.make(*on.machine, graph, tasks.ref(),
                            {.workers = on.shape.blocks,
                             .threads = threads_for(one, on.shape.threads),
                             .shared = &shared});
  trace_buffer trace(*on.machine, run->workers(), 300);
  run->run(trace.arm());
  run->require_done();
  std::vector<trace_event> by_task(300);
  auto const events = trace.events();
  BOOST_TEST(events.size() == 300U);
  for (traced_task const& event : events) by_task[event.event.task] = event.event;
  for (std::uint32_t from = 0; from < 300; ++from) {
    BOOST_TEST(by_task[from].end_ns > 0U);
    for (std::uint32_t const to : graph.of(from))
      BOOST_TEST(by_task[from].end_ns <= by_task[to].begin_ns);
  }
}

/// The critical path takes ten times as long as the limit allows.
void check_time_limit(synthetic_scheduler const& one, test_machine const& on) {
  if (!on.machine->is_host() && !one.stops_on_cuda) return;
  csr_graph const graph = generate_graph("stencil_1d:width=4,steps=200");
  synthetic_graph tasks(*on.machine, graph, 1'000'000);
  auto const run = one.make(*on.machine, graph, tasks.ref(),
                            {.workers = on.shape.blocks,
                             .threads = threads_for(one, on.shape.threads),
                             .timeout_s = 0.02});
  for (int again = 0; again < 2; ++again) {
    BOOST_CHECK_THROW((run->run(), run->require_done()), timeout_error);
    BOOST_TEST(run->finished() < graph.tasks());
  }
}

void check(synthetic_scheduler const& one) {
  device const& machine = *gridloom::test::test_machines().front().machine;
  if (!runs_on(one, machine)) {
    BOOST_TEST_MESSAGE(one.name << " does not run on " << machine.properties().name);
    return;
  }
  check_graphs(one);
  gridloom::test::on_each_machine([&](test_machine const& on, device&) {
    check_trace(one, on);
    check_time_limit(one, on);
  });
}

/// Adds the test cases to the suite before main() begins.
std::vector<boost::unit_test::ut_detail::auto_test_unit_registrar> const cases = [] {
  std::vector<boost::unit_test::ut_detail::auto_test_unit_registrar> all;
  for (synthetic_scheduler const& one : all_schedulers()) {
    all.emplace_back(boost::unit_test::make_test_case([&one] { check(one); }, std::string(one.name),
                                                      __FILE__, __LINE__),
                     boost::unit_test::decorator::collector_t::instance());
  }
  return all;
}();

}  // namespace

// On a GPU, the driver may take a recorded graph from memory that it kept.
BOOST_AUTO_TEST_CASE(recorded_launches_take_memory_of_a_host) {
  csr_graph const graph = generate_graph("stencil_1d:width=1,steps=20000");
  device machine("host", 0);
  synthetic_graph tasks(machine, graph, 0);
  auto const bytes = [&](std::string_view name) {
    return named(name, all_schedulers()).make(machine, graph, tasks.ref(), {})->bytes();
  };
  BOOST_TEST(bytes("graph") >= bytes("launches") + graph.tasks());
}

BOOST_AUTO_TEST_CASE(mhive_refuses_other_numbers_of_threads) {
  csr_graph const graph{{0, 0}, {}};
  for (synthetic_scheduler const& one : all_schedulers()) {
    if (!one.name.starts_with("mhive")) continue;
    gridloom::test::on_each_machine([&](test_machine const&, device& machine) {
      synthetic_graph tasks(machine, graph, 0);
      BOOST_TEST(gridloom::test::error_text<usage_error>([&] {
                   (void)one.make(machine, graph, tasks.ref(), {.threads = 96});
                 }) == "--threads: MHive executes these tasks with 1 or 32 or 128 threads, got 96");
    });
  }
}

BOOST_AUTO_TEST_SUITE_END()
