// MHive's schedulers pass the test of all schedulers of task graphs.

#include "mhive/graph_executor.hpp"

#include <boost/test/unit_test.hpp>

#include "any_graph_checks.hpp"
#include "test_schedulers.hpp"

namespace gridloom::mhive::test {
namespace {

BOOST_AUTO_TEST_SUITE(graph_executors)

template <class Scheduler>
std::unique_ptr<executor> made(device& machine, csr_graph const& graph,
                               synthetic_graph_ref const& tasks, executor_settings settings) {
  settings.threads = settings.threads < 32 ? 1 : settings.threads < 128 ? 32 : 128;
  return make_graph_executor<Scheduler>(machine, graph, tasks, settings);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_graph_runs, Scheduler, test_schedulers) {
  gridloom::test::check_executor(made<Scheduler>);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_trace_has_each_task_once_and_after_its_predecessors, Scheduler,
                              test_schedulers) {
  csr_graph const graph =
      generate_graph("random:tasks=300,window=300,degree=4,least=0,shuffle=1,seed=5");
  gridloom::test::on_each_machine([&](gridloom::test::test_machine const& on, device& machine) {
    synthetic_graph tasks(machine, graph, 0);
    auto const run = made<Scheduler>(machine, graph, tasks.ref(),
                                     {.workers = on.shape.blocks, .threads = on.shape.threads});
    trace_buffer trace(machine, run->workers(), 300);
    run->run(trace.arm());
    run->require_done();
    std::vector<trace_event> by_task(300);
    auto const events = trace.events();
    BOOST_TEST(events.size() == 300U);
    for (traced_task const& one : events) by_task[one.event.task] = one.event;
    for (std::uint32_t from = 0; from < 300; ++from) {
      BOOST_TEST(by_task[from].end_ns > 0U);
      for (std::uint32_t const to : graph.of(from))
        BOOST_TEST(by_task[from].end_ns <= by_task[to].begin_ns);
    }
  });
}

BOOST_AUTO_TEST_CASE(other_numbers_of_threads_are_refused) {
  csr_graph const graph{{0, 0}, {}};
  gridloom::test::on_each_machine([&](gridloom::test::test_machine const&, device& machine) {
    synthetic_graph tasks(machine, graph, 0);
    BOOST_TEST(gridloom::test::error_text<usage_error>([&] {
                 (void)make_graph_executor<megakernel_or_only>(machine, graph, tasks.ref(),
                                                               {.threads = 96});
               }) == "--threads: MHive executes these tasks with 1 or 32 or 128 threads, got 96");
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace gridloom::mhive::test
