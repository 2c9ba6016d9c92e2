// A plan's lists can be executed, and its makespan is that of its schedule.

#include "pets/ours/plan.hpp"

#include <boost/test/unit_test.hpp>

#include "gridloom/taskgraph/generate.hpp"
#include "pets/pets.hpp"
#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(pets_plans)

using namespace gridloom;
using namespace gridloom::pets;
using gridloom::test::per_element;

namespace {

using numbers = std::vector<std::uint32_t>;

list_scheduler const pets_plan{"pets", gridloom::pets::pets, policy::insertion};
list_scheduler const heft_plan{"heft", heft, policy::insertion};

// Task 0 precedes 1 and 2, both precede 3.
csr_graph const diamond{{0, 2, 3, 4, 4}, {1, 2, 3, 3}};

}  // namespace

// Some tasks take no time, so they start when their predecessors do.
BOOST_AUTO_TEST_CASE(lists_never_wait_for_each_other_in_a_circle) {
  auto const* const random = "random:tasks=700,window=700,degree=4,least=0,shuffle=1,seed=3";
  csr_graph const graph = generate_graph(random);
  plan_times times;
  for (std::uint32_t task = 0; task < graph.tasks(); ++task) times.tasks.push_back(task % 4 * 300);
  for (list_scheduler const& by : {pets_plan, heft_plan}) {
    for (std::uint32_t const workers : {1, 2, 8}) {
      task_groups const lists = make_plan(by, graph, workers, times).lists.lists;
      numbers missing(graph.tasks(), 0);
      for (std::uint32_t const to : graph.columns) ++missing[to];
      numbers at(lists.first.begin(), lists.first.end() - 1);
      std::uint32_t executed = 0;
      for (std::uint32_t before = ~0U; executed != before;) {
        before = executed;
        for (std::uint32_t worker = 0; worker < workers; ++worker) {
          for (; at[worker] < lists.first[worker + 1]; ++at[worker]) {
            std::uint32_t const task = lists.tasks[at[worker]];
            if (missing[task] != 0) break;
            for (std::uint32_t const to : graph.of(task)) --missing[to];
            ++executed;
          }
        }
      }
      BOOST_TEST(executed == graph.tasks());
    }
  }
}

BOOST_AUTO_TEST_CASE(the_makespan_is_that_of_durations_and_hand_overs) {
  for (list_scheduler const& by : {pets_plan, heft_plan}) {
    plan const cheap = make_plan(by, diamond, 2, {{500, 700, 600, 100}, 50});
    // Task 1 stays on the worker of task 0; task 2 and its result move.
    BOOST_TEST(cheap.makespan_ns == 500 + 50 + 600 + 50 + 100);
    plan const dear = make_plan(by, diamond, 2, {{500, 700, 600, 100}, 5000});
    BOOST_TEST(dear.makespan_ns == 500 + 700 + 600 + 100);
    plan const equal = make_plan(by, diamond, 1, {});
    BOOST_TEST(equal.makespan_ns == 4000U);
    BOOST_TEST(equal.lists.lists.first == (numbers{0, 4}), per_element());
  }
}

BOOST_AUTO_TEST_CASE(lists_are_in_the_order_of_starts_and_then_of_placement) {
  schedule const made{{{1, 5, 9}, {0, 0, 0}, {0, 4, 8}, {0, 0, 4}}, {1, 3, 0, 2}};
  task_groups const lists = lists_of(made, 3);
  BOOST_TEST(lists.first == (numbers{0, 3, 4, 4}), per_element());
  BOOST_TEST(lists.tasks == (numbers{1, 3, 2, 0}), per_element());
}

BOOST_AUTO_TEST_CASE(a_plan_needs_one_duration_per_task_and_starts_after_predecessors) {
  list_scheduler const literal{"pets_literal", gridloom::pets::pets, policy::literal};
  BOOST_CHECK_THROW((void)make_plan(literal, diamond, 2, {}), usage_error);
  BOOST_CHECK_THROW((void)make_plan(heft_plan, diamond, 2, {{1, 2, 3}, 1}), usage_error);
}

BOOST_AUTO_TEST_SUITE_END()
