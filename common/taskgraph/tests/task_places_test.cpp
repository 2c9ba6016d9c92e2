// The parents that the worker of a task waits for. When these have ended, all other parents must
// have ended, too.

#include "gridloom/taskgraph/rivals/task_places.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "gridloom/random.hpp"
#include "gridloom/taskgraph/generate.hpp"
#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(task_places_test)

using namespace gridloom;
using gridloom::test::per_element;

namespace {

using numbers = std::vector<std::uint32_t>;
using edge_list = std::vector<graph_edge>;

/// The parents of each task; edges go from parents to children.
csr_graph parents_in(std::uint32_t tasks, edge_list const& edges) {
  return transposed(graph_of_edges(tasks, edges));
}

/// The parents that the task waits for.
numbers awaited(task_places const& made, std::uint32_t task) {
  for (task_place const& place : made.places) {
    if (place.task != task) continue;
    auto const* const begin = made.parents.data() + place.parents_begin;
    return {begin, begin + place.n_parents};
  }
  return {};
}

/// Checks for each task that its worker knows that all parents have ended. The worker knows that
/// from the words that it waits for, and from its own earlier tasks. `lists` is empty if workers
/// draw tickets.
void check(csr_graph const& before, task_groups const& waves, task_groups const& lists,
           task_places const& made) {
  std::size_t const tasks = waves.tasks.size();
  std::vector<task_place> place_of(tasks);
  numbers previous(tasks, no_task);
  for (std::size_t at = 0; at < tasks; ++at) place_of[made.places[at].task] = made.places[at];
  for (std::uint32_t list = 0; list + 1 < lists.first.size(); ++list) {
    for (std::uint32_t at = lists.first[list] + 1; at < lists.first[list + 1]; ++at)
      previous[lists.tasks[at]] = lists.tasks[at - 1];
  }
  std::vector<std::vector<bool>> ended(tasks, std::vector<bool>(tasks, false));
  for (std::uint32_t const task : waves.tasks) {
    auto const learn = [&](std::uint32_t from) {
      for (std::size_t t = 0; t < tasks; ++t) ended[task][t] = ended[task][t] || ended[from][t];
      ended[task][from] = true;
    };
    if (previous[task] != no_task) learn(previous[task]);
    task_place const place = place_of[task];
    auto const parents = before.of(task);
    for (std::uint32_t k = 0; k < place.n_parents; ++k) {
      std::uint32_t const parent = made.parents[place.parents_begin + k];
      BOOST_TEST(std::ranges::count(parents, parent) == 1);
      learn(parent);
    }
    for (std::uint32_t const parent : parents) BOOST_TEST(ended[task][parent]);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_parents_have_ended_by_what_a_worker_waits_for) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    auto const tasks = static_cast<std::uint32_t>(20 * seed);
    csr_graph const graph =
        generate_graph("random:tasks=" + std::to_string(tasks) +
                       ",degree=4,least=0,shuffle=1,seed=" + std::to_string(seed));
    csr_graph const before = transposed(graph);
    task_groups const waves = levels_by_number(graph);
    task_places const common = places_of(before, waves.tasks);
    check(before, waves, {}, common);
    BOOST_TEST(common.parents.size() <= before.columns.size());
    for (std::uint32_t const workers : {1U, 2U, 8U}) {
      random_source random(seed);
      numbers worker_of(tasks);
      for (std::uint32_t& worker : worker_of)
        worker = static_cast<std::uint32_t>(random.below(workers));
      for (task_groups const& lists :
           {dealt_to(workers, waves), dealt_to(workers, waves, worker_of)}) {
        task_places const made = places_of(before, lists);
        check(before, waves, lists, made);
        BOOST_TEST(made.parents.size() <= common.parents.size());
        if (workers == 1) BOOST_TEST(made.parents.empty());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(each_rule_leaves_out_what_it_says) {
  // Task 0 precedes task 3 because of 0 -> 2 -> 3.
  csr_graph const before = parents_in(4, {{0, 2}, {0, 3}, {1, 3}, {2, 3}});
  BOOST_TEST(awaited(places_of(before, numbers{0, 1, 2, 3}), 3) == (numbers{1, 2}), per_element());
  // Task 1 is in the worker's own list.
  BOOST_TEST(awaited(places_of(before, {{0, 1, 3, 2}, {0, 1, 3, 4}}), 3) == (numbers{2}),
             per_element());
  // The other worker runs task 1 before task 2 in the first case, and task 2 before task 1 in the
  // second.
  BOOST_TEST(awaited(places_of(before, {{3, 0, 1, 2}, {0, 1, 4}}), 3) == (numbers{2}),
             per_element());
  BOOST_TEST(awaited(places_of(before, {{3, 0, 2, 1}, {0, 1, 4}}), 3) == (numbers{1}),
             per_element());
}

BOOST_AUTO_TEST_CASE(a_parent_that_precedes_the_only_other_parent_is_left_out) {
  csr_graph const before = parents_in(3, {{0, 1}, {0, 2}, {1, 2}});
  BOOST_TEST(awaited(places_of(before, numbers{0, 1, 2}), 2) == (numbers{1}), per_element());
}

BOOST_AUTO_TEST_CASE(redundant_parents_are_removed_only_where_parents_are_few) {
  constexpr auto few = static_cast<std::uint32_t>(detail::few_parents);
  for (std::uint32_t const parents : {few, few + 1}) {
    // Tasks 0 to parents - 1 precede `join`, and 0 also precedes the last of them. `last` depends
    // on 0 and on `join`.
    std::uint32_t const join = parents, last = parents + 1;
    edge_list edges{{0, parents - 1}, {0, last}, {join, last}};
    numbers order{0};
    for (std::uint32_t t = 0; t < parents; ++t) edges.push_back({t, join});
    for (std::uint32_t t = 1; t <= last; ++t) order.push_back(t);
    task_places const made = places_of(parents_in(last + 1, edges), order);
    BOOST_TEST(awaited(made, join).size() == (parents == few ? parents - 1 : parents));
    BOOST_TEST(awaited(made, last).size() == (parents == few ? 1U : 2U));
  }
}

BOOST_AUTO_TEST_CASE(many_parents_are_reduced_to_one_per_list) {
  edge_list hub;
  for (std::uint32_t t = 0; t < 1000; ++t) hub.push_back({t, 1000});
  csr_graph const before = parents_in(1001, hub);
  task_groups const lists = dealt_to(8, levels_by_number(transposed(before)));
  BOOST_TEST(
      awaited(places_of(before, lists), 1000) == (numbers{993, 994, 995, 996, 997, 998, 999}),
      per_element());
}

BOOST_AUTO_TEST_SUITE_END()
