// The rivals pass the test of all schedulers.

#include <boost/test/unit_test.hpp>

#include "any_graph_checks.hpp"
#include "gridloom/taskgraph/rivals/level_barriers.hpp"
#include "gridloom/taskgraph/rivals/level_launches.hpp"
#include "gridloom/taskgraph/rivals/ordered_lists.hpp"
#include "gridloom/taskgraph/rivals/serial_block.hpp"

BOOST_AUTO_TEST_SUITE(taskgraph_rivals)

using namespace gridloom;
using namespace gridloom::test;

namespace {

using tasks_type = synthetic_graph_ref;

std::shared_ptr<device_levels const> levels_on(device& machine, csr_graph const& graph) {
  return std::make_shared<device_levels const>(machine, [&] { return levels_of(graph); });
}

template <bool Overlap>
void check_launches(bool is_graph) {
  check_executor([is_graph](device& machine, csr_graph const& graph, tasks_type const& tasks,
                            executor_settings const& settings) -> std::unique_ptr<executor> {
    return std::make_unique<level_launches<tasks_type, Overlap>>(
        machine, levels_on(machine, graph), tasks, settings, graph_memory{}, is_graph);
  });
}

void check_lists(list_maker find) {
  check_executor([find](device& machine, csr_graph const& graph, tasks_type const& tasks,
                        executor_settings const& settings) -> std::unique_ptr<executor> {
    return std::make_unique<ordered_lists<tasks_type>>(machine, graph, find, tasks, settings,
                                                       graph_memory{});
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_launch_per_level_runs_every_graph) { check_launches<false>(false); }
BOOST_AUTO_TEST_CASE(recorded_launches_run_every_graph) { check_launches<false>(true); }
BOOST_AUTO_TEST_CASE(overlapping_launches_run_every_graph) { check_launches<true>(true); }

BOOST_AUTO_TEST_CASE(one_barrier_per_level_runs_every_graph) {
  check_executor([](device& machine, csr_graph const& graph, tasks_type const& tasks,
                    executor_settings const& settings) -> std::unique_ptr<executor> {
    return std::make_unique<level_barriers<tasks_type>>(machine, levels_on(machine, graph), tasks,
                                                        settings, graph_memory{});
  });
}

BOOST_AUTO_TEST_CASE(one_list_per_worker_runs_every_graph) { check_lists(lists_in_turns); }
BOOST_AUTO_TEST_CASE(tickets_for_one_list_run_every_graph) { check_lists(common_list); }

BOOST_AUTO_TEST_CASE(one_block_runs_every_graph) {
  check_executor([](device& machine, csr_graph const& graph, tasks_type const& tasks,
                    executor_settings const& settings) -> std::unique_ptr<executor> {
    return std::make_unique<serial_block<tasks_type>>(machine, levels_of(graph).tasks, tasks,
                                                      settings, graph_memory{});
  });
}

BOOST_AUTO_TEST_SUITE_END()
