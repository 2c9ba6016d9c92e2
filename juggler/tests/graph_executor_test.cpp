// The published policies pass the test of all schedulers of task graphs.

#include <boost/test/unit_test.hpp>

#include "any_graph_checks.hpp"
#include "juggler/graph_app.hpp"
#include "juggler/ours/make_runtime.hpp"

using namespace gridloom;
using namespace gridloom::juggler;

BOOST_AUTO_TEST_SUITE(juggler_graph_executor)

BOOST_AUTO_TEST_CASE(every_policy_runs_every_graph) {
  for (std::string_view const name : policies::names) {
    BOOST_TEST_CONTEXT(name) {
      gridloom::test::check_executor([name](device& machine, csr_graph const& graph,
                                            synthetic_graph_ref const& tasks,
                                            executor_settings const& settings) {
        return make_graph_executor<policies>(name, machine, graph, tasks, {settings});
      });
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
