// The published schedulers and in_order pass the test of all schedulers of task graphs.

#include "wavefront/graph_executor.hpp"

#include <boost/test/unit_test.hpp>

#include "any_graph_checks.hpp"
#include "wavefront/ours/in_order_executor.hpp"

using namespace gridloom;
using namespace gridloom::wavefront;

namespace {

void check(published_method how) {
  gridloom::test::check_executor([how](device& machine, csr_graph const& graph,
                                       synthetic_graph_ref const& tasks,
                                       executor_settings const& settings) {
    return std::unique_ptr<executor>(
        new graph_executor<synthetic_graph_ref>(machine, graph, tasks, how, settings));
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(wavefront_graph_executor)

BOOST_AUTO_TEST_CASE(in_order_runs_every_graph) {
  for (bool const by_tickets : {false, true}) {
    gridloom::test::check_executor([by_tickets](device& machine, csr_graph const& graph,
                                                synthetic_graph_ref const& tasks,
                                                executor_settings const& settings) {
      return std::unique_ptr<executor>(
          new in_order_executor<synthetic_graph_ref>(machine, graph, tasks, by_tickets, settings));
    });
  }
}
BOOST_AUTO_TEST_CASE(scanning_runs_every_graph) { check(published_method::scanning); }
BOOST_AUTO_TEST_CASE(single_queue_runs_every_graph) { check(published_method::single_queue); }
BOOST_AUTO_TEST_CASE(multi_queue_runs_every_graph) { check(published_method::multi_queue); }

BOOST_AUTO_TEST_SUITE_END()
