// Orders that the host makes: waves, lists, and the parents beside their places.

#include "juggler/rivals/task_order.hpp"

#include <boost/test/unit_test.hpp>

#include "graphs.hpp"

BOOST_AUTO_TEST_SUITE(juggler_task_order_test)

using namespace gridloom::juggler;
using namespace gridloom::juggler::test;

using numbers = std::vector<std::uint32_t>;

BOOST_AUTO_TEST_CASE(waves_are_tasks_of_one_depth_by_number) {
  task_groups const waves = waves_of(dag_of(6, {{5, 0}, {5, 2}, {0, 1}, {2, 1}, {5, 1}, {4, 2}}));
  BOOST_TEST(waves.first == (numbers{0, 3, 5, 6}), boost::test_tools::per_element());
  BOOST_TEST(waves.tasks == (numbers{3, 4, 5, 0, 2, 1}), boost::test_tools::per_element());
  BOOST_TEST(waves.groups() == 3U);
  BOOST_TEST(waves.size(1) == 2U);
}

BOOST_AUTO_TEST_CASE(a_graph_without_tasks_has_no_wave) {
  task_groups const waves = waves_of(dag_of(0, {}));
  BOOST_TEST(waves.groups() == 0U);
  task_groups const lists = dealt_to(3, waves);
  BOOST_TEST(lists.first == (numbers{0, 0, 0, 0}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(waves_are_dealt_in_turns_one_after_the_other) {
  task_groups const waves{{3, 4, 5, 0, 2, 1}, {0, 3, 5, 6}};
  task_groups const lists = dealt_to(4, waves);
  BOOST_TEST(lists.first == (numbers{0, 2, 4, 5, 6}), boost::test_tools::per_element());
  BOOST_TEST(lists.tasks == (numbers{3, 2, 4, 1, 5, 0}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(each_place_has_its_parents) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    auto const tasks = static_cast<std::uint32_t>(30 * seed);
    auto const edges = random_edges(tasks, seed);
    task_dag const dag = dag_of(tasks, edges);
    task_groups const waves = waves_of(dag);
    task_places const made = places_of(dag, waves.tasks);
    std::vector<bool> is_before(tasks, false);
    std::vector<std::vector<std::uint32_t>> parents(tasks);
    for (std::uint32_t t = 0; t < tasks; ++t) {
      for (auto e = dag.children.row_offsets[t]; e < dag.children.row_offsets[t + 1]; ++e)
        parents[dag.children.columns[e]].push_back(t);
    }
    for (std::uint32_t wave = 0; wave < waves.groups(); ++wave) {
      for (std::uint32_t at = waves.first[wave]; at < waves.first[wave + 1]; ++at) {
        task_place const place = made.places[at];
        numbers const own(made.parents.begin() + place.parents_begin,
                          made.parents.begin() + place.parents_begin + place.n_parents);
        BOOST_TEST(place.task == waves.tasks[at]);
        BOOST_TEST(own == parents[place.task], boost::test_tools::per_element());
        for (std::uint32_t const parent : own) BOOST_TEST(is_before[parent]);
      }
      for (std::uint32_t at = waves.first[wave]; at < waves.first[wave + 1]; ++at)
        is_before[waves.tasks[at]] = true;
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
