#include "gridloom/taskgraph/synthetic_graph.hpp"

#include <boost/test/unit_test.hpp>

#include "gridloom/error.hpp"
#include "gridloom/taskgraph/drawn_work.hpp"

BOOST_AUTO_TEST_SUITE(synthetic_graph_test)

using namespace gridloom;

namespace {

// The graph 3 -> {1, 2} -> 0, with numbers that fall along edges.
csr_graph const diamond{{0, 0, 1, 2, 4}, {0, 0, 1, 2}};

/// The message of verify() after one worker ran the tasks in this order; empty if it passed.
std::string said_after(csr_graph const& graph, std::vector<std::uint32_t> const& order) {
  device machine("host", 0);
  synthetic_graph tasks(machine, graph, 0);
  tasks.clear();
  host_block const block(0, 1, nullptr);
  for (std::uint32_t const task : order) tasks.ref().execute(block, task);
  tasks.fetch();
  try {
    tasks.verify();
  } catch (wrong_result const& found) {
    return found.what();
  }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(values_are_the_recurrence_of_the_predecessors_by_rising_number) {
  auto const value_of = [](std::uint32_t task, std::vector<std::uint32_t> const& before) {
    recurrence result(task);
    for (std::uint32_t const value : before) result.add(value);
    return result.value();
  };
  std::uint32_t const top = value_of(3, {});
  std::uint32_t const left = value_of(1, {top});
  std::uint32_t const right = value_of(2, {top});
  BOOST_TEST(synthetic_values(transposed(diamond)) ==
                 (std::vector<std::uint32_t>{value_of(0, {left, right}), left, right, top}),
             boost::test_tools::per_element());
  BOOST_TEST(value_of(0, {left, right}) != value_of(0, {right, left}));
  BOOST_TEST(synthetic_values({{0}, {}}).empty());
}

BOOST_AUTO_TEST_CASE(every_order_that_keeps_the_edges_passes) {
  BOOST_TEST(said_after(diamond, {3, 1, 2, 0}) == "");
  BOOST_TEST(said_after(diamond, {3, 2, 1, 0}) == "");
  BOOST_TEST(said_after({{0, 0, 0}, {}}, {1, 0}) == "");
}

BOOST_AUTO_TEST_CASE(a_task_that_runs_too_early_too_often_or_never_is_found) {
  BOOST_TEST(said_after(diamond, {3, 1, 0, 2}) == "task 0 did not see its predecessors");
  BOOST_TEST(said_after(diamond, {1, 3, 2, 0}) == "task 0 did not see its predecessors");
  BOOST_TEST(said_after({{0, 1, 1}, {1}}, {1, 0}) == "task 1 did not see its predecessors");
  BOOST_TEST(said_after(diamond, {3, 1, 1, 2, 0}) == "task 1 ran 2 times");
  BOOST_TEST(said_after(diamond, {3, 1, 2}) == "task 0 ran 0 times");
  BOOST_TEST(said_after(diamond, {}) == "task 0 ran 0 times");
}

BOOST_AUTO_TEST_CASE(clear_forgets_earlier_tasks) {
  device machine("host", 0);
  synthetic_graph tasks(machine, diamond, 0);
  host_block const block(0, 1, nullptr);
  for (int again = 0; again < 2; ++again) {
    tasks.clear();
    for (std::uint32_t const task : {3U, 1U, 2U, 0U}) tasks.ref().execute(block, task);
    tasks.fetch();
    BOOST_CHECK_NO_THROW(tasks.verify());
  }
}

BOOST_AUTO_TEST_CASE(a_task_takes_its_time_at_least) {
  device machine("host", 0);
  constexpr std::int64_t mean_ns = 2000000;
  synthetic_graph tasks(machine, {{0, 0, 0}, {}}, mean_ns);
  auto const takes = [&](std::uint32_t task, double multiple) {
    std::uint64_t const begin = now_ns();
    tasks.ref().execute(host_block(0, 1, nullptr), task);
    BOOST_TEST(static_cast<double>(now_ns() - begin) >= multiple * mean_ns * 0.999);
  };
  takes(0, 1);
  for (auto const kind : {task_durations::uniform, task_durations::exponential}) {
    tasks.set_work(mean_ns, kind, 7);
    takes(1, duration_of(kind, 7, 1));
  }
  tasks.set_work(mean_ns, {0.5F, 1.5F});
  takes(1, 1.5);
  takes(0, 0.5);
}

BOOST_AUTO_TEST_CASE(work_is_summed_over_tasks_and_along_the_path_that_takes_longest) {
  // The path over task 2 takes longest, and task 4 is alone.
  csr_graph const graph{{0, 0, 1, 2, 4, 4}, {0, 0, 1, 2}};
  drawn_work const found = work_of(graph, {1, 2, 4, 8, 0.5F});
  BOOST_TEST(found.total == 15.5);
  BOOST_TEST(found.path == 13);
}

BOOST_AUTO_TEST_SUITE_END()
