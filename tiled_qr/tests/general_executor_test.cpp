// FR4 passes the test of all schedulers of task graphs.

#include <boost/test/unit_test.hpp>

#include "any_graph_checks.hpp"
#include "tiled_qr/general/graph_body.hpp"

using namespace gridloom;
using namespace gridloom::tiled_qr::general;

BOOST_AUTO_TEST_SUITE(tiled_qr_general_executor)

BOOST_AUTO_TEST_CASE(every_graph_runs_with_both_priorities) {
  for (priority_by const order : {priority_by::critical_path, priority_by::none}) {
    test::check_executor([order](device& machine, csr_graph const& graph,
                                 synthetic_graph_ref const& tasks,
                                 executor_settings const& settings) {
      return make_graph_executor(machine, graph, tasks, order, settings);
    });
  }
}

BOOST_AUTO_TEST_SUITE_END()
