// Tests the builder of graphs (errors, compiled graph, levels) without running a scheduler.

#include <algorithm>
#include <limits>

#include "rivals/graph_runs.hpp"
#include "test_support.hpp"
#include "tiled_qr/general/task_graph.hpp"
#include "tiled_qr/general/task_view.hpp"

BOOST_AUTO_TEST_SUITE(tiled_qr_general_graph_test)

using namespace gridloom;
using namespace gridloom::tiled_qr::general;
using namespace gridloom::test;

namespace {

/// Requires that `what` throws a usage_error whose message is one line, begins with "task graph: "
/// and contains `words`.
void check_refused(std::function<void()> const& what, char const* words) {
  std::string const text = message_of<usage_error>(what);
  BOOST_TEST((text.starts_with("task graph: ") && !contains(text, "\n")), text);
  BOOST_TEST(contains(text, words));
}

/// Makes the graph 0 -> {1, 2} -> 3 with costs 1, 2, 5, 1.
task_graph diamond() {
  task_graph graph({{"one", 1}, {"two", 2}, {"five", 5}});
  task_id const first = graph.add_task(0);
  task_id const left = graph.add_task(1);
  task_id const right = graph.add_task(2);
  task_id const last = graph.add_task(0);
  for (task_id const side : {left, right}) {
    graph.add_dependency(first, side);
    graph.add_dependency(side, last);
  }
  return graph;
}

}  // namespace

BOOST_AUTO_TEST_CASE(unknown_types_tasks_and_resources_are_refused_at_once) {
  task_graph graph({{"work", 1}});
  check_refused([&] { graph.add_task(1); }, "type 1 is unknown, expected one below 1");
  task_id const task = graph.add_task(0);
  check_refused([&] { graph.add_dependency(task, task_id{1}); }, "no task 1");
  check_refused([&] { graph.add_dependency(task, task); }, "task 0 depends on itself");
  check_refused([&] { graph.uses(task, resource_id{0}); }, "uses resource 0");
  check_refused([&] { graph.uses(task_id{7}, graph.add_resource()); }, "no task 7");
  check_refused([&] { graph.add_conflict(task, task); }, "with itself");
  check_refused([&] { graph.set_priority(task_id{3}, 1); }, "no task 3");
  check_refused([&] { graph.set_priority(task, std::numeric_limits<double>::quiet_NaN()); },
                "finite");
  check_refused([] { task_graph({{"odd", -1}}); }, "odd");
}

BOOST_AUTO_TEST_CASE(a_cycle_is_refused_and_named) {
  task_graph graph({{"work", 1}});
  for (int i = 0; i < 4; ++i) graph.add_task(0);
  graph.add_dependency(task_id{0}, task_id{1});
  graph.add_dependency(task_id{1}, task_id{2});
  graph.add_dependency(task_id{2}, task_id{3});
  (void)graph.compile();
  graph.add_dependency(task_id{3}, task_id{1});
  check_refused([&] { (void)graph.compile(); }, "lies on a cycle");
}

BOOST_AUTO_TEST_CASE(an_empty_graph_and_bad_numbers_of_classes_are_refused) {
  task_graph const empty({{"work", 1}});
  check_refused([&] { (void)empty.compile(); }, "no tasks");
  for (std::uint32_t const classes : {0U, 33U}) {
    check_refused([&] { (void)diamond().compile(priority_by::critical_path, classes); }, "classes");
  }
}

BOOST_AUTO_TEST_CASE(payloads_of_one_type_have_one_size_and_arrive) {
  struct pair {
    double x;
    std::uint32_t y;
  };
  task_graph graph({{"pair", 1}, {"byte", 1}, {"none", 1}});
  graph.add_task(1, std::uint8_t{7});
  graph.add_task(0, pair{2.5, 9});
  graph.add_task(2);
  check_refused([&] { graph.add_task(0, 1.0); }, "8 bytes");
  check_refused([&] { graph.add_task(0); }, "0 bytes");
  compiled_graph const made = graph.compile();
  BOOST_TEST(made.payload_bytes == 16U);
  auto const view = [&](std::uint32_t task) {
    return task_view(task, made.types[task], made.payloads.data() + task * made.payload_bytes);
  };
  BOOST_TEST(view(0).payload<std::uint8_t>() == 7);
  BOOST_TEST(view(1).payload<pair>().x == 2.5);
  BOOST_TEST(view(1).payload<pair>().y == 9U);
}

BOOST_AUTO_TEST_CASE(a_repeated_dependency_or_use_counts_once) {
  task_graph graph = diamond();
  graph.add_dependency(task_id{0}, task_id{1});
  resource_id const shared = graph.add_resource();
  for (int i = 0; i < 3; ++i) graph.uses(task_id{2}, shared);
  compiled_graph const made = graph.compile();
  BOOST_TEST(made.dependences == (std::vector<std::uint32_t>{0, 1, 1, 2}), per_element());
  BOOST_TEST(made.successors.edges() == 4U);
  BOOST_TEST(made.uses.size() == 1U);
}

BOOST_AUTO_TEST_CASE(uses_ascend_for_any_order_of_adding) {
  task_graph graph({{"work", 1}});
  task_id const task = graph.add_task(0);
  std::vector<resource_id> all;
  for (int i = 0; i < 5; ++i) all.push_back(graph.add_resource());
  for (int const i : {3, 0, 4, 1, 2}) graph.uses(task, all[static_cast<std::size_t>(i)]);
  compiled_graph const made = graph.compile();
  BOOST_TEST(std::is_sorted(made.uses.begin(), made.uses.end()));
  BOOST_TEST(made.uses.size() == 5U);
}

BOOST_AUTO_TEST_CASE(a_priority_is_the_longest_path_or_the_users_own) {
  task_graph graph = diamond();
  compiled_graph made = graph.compile(priority_by::critical_path, 4);
  BOOST_TEST(made.priorities == (std::vector<double>{7, 3, 6, 1}), per_element());
  BOOST_TEST(made.classes == (std::vector<std::uint32_t>{0, 2, 1, 3}), per_element());
  graph.set_priority(task_id{3}, 100);
  made = graph.compile(priority_by::critical_path, 4);
  BOOST_TEST(made.priorities == (std::vector<double>{7, 3, 6, 100}), per_element());
  BOOST_TEST(made.classes == (std::vector<std::uint32_t>{1, 3, 2, 0}), per_element());
  made = graph.compile(priority_by::none, 4);
  BOOST_TEST(made.num_classes == 1U);
}

BOOST_AUTO_TEST_CASE(classes_are_never_empty_and_keep_equal_priorities_together) {
  task_graph graph({{"work", 1}});
  for (int i = 0; i < 100; ++i) graph.set_priority(graph.add_task(0), i < 90 ? 1 : i);
  for (std::uint32_t const classes : {1U, 2U, 7U, 32U}) {
    compiled_graph const made = graph.compile(priority_by::critical_path, classes);
    BOOST_TEST(made.num_classes <= classes);
    std::vector<int> sizes(made.num_classes, 0);
    for (std::size_t task = 0; task < 100; ++task) {
      ++sizes[made.classes[task]];
      if (task < 90) BOOST_TEST(made.classes[task] == made.classes[0]);
    }
    BOOST_TEST(std::count(sizes.begin(), sizes.end(), 0) == 0);
  }
}

BOOST_AUTO_TEST_CASE(levels_keep_dependences_and_conflicts) {
  task_graph graph = diamond();
  compiled_graph made = graph.compile();
  BOOST_TEST(levels_of(made).first == (std::vector<std::uint32_t>{0, 1, 3, 4}), per_element());
  graph.add_conflict(task_id{1}, task_id{2});
  made = graph.compile();
  task_groups const levels = levels_of(made);
  BOOST_TEST(levels.first == (std::vector<std::uint32_t>{0, 1, 2, 3, 4}), per_element());
  BOOST_TEST(levels.tasks == (std::vector<std::uint32_t>{0, 1, 2, 3}), per_element());
}

BOOST_AUTO_TEST_SUITE_END()
