// PETS: known values of Topcuoglu's graph, ties, and the check of schedules, including wrong ones.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>

#include "pets/pets.hpp"
#include "pets/priorities.hpp"
#include "pets/rivals/list_scheduler.hpp"
#include "pets/selection.hpp"
#include "pets/support/generate.hpp"

BOOST_AUTO_TEST_SUITE(pets_test)

using namespace gridloom;
using namespace gridloom::pets;

namespace {

std::vector<std::uint32_t> counted_from_one(std::vector<std::uint32_t> tasks) {
  for (std::uint32_t& task : tasks) ++task;
  return tasks;
}

task_graph alone(std::vector<time_value> costs, std::uint32_t processors) {
  std::size_t const n = costs.size() / processors;
  return make_task_graph({std::vector<std::uint64_t>(n + 1, 0), {}}, {}, std::move(costs),
                         processors, "g");
}

}  // namespace

BOOST_AUTO_TEST_CASE(levels_ranks_and_order_of_topcuoglus_graph) {
  task_graph const graph = topcuoglu_graph();
  priorities const by = priorities_of(graph);
  BOOST_TEST(by.level == (std::vector<std::uint32_t>{0, 1, 1, 1, 1, 1, 2, 2, 2, 3}));
  BOOST_TEST(by.rank == (std::vector<time_value>{77, 129, 114, 140, 102, 105, 142, 161, 170, 185}));
  BOOST_TEST(by.num_levels == 4U);
  BOOST_TEST(counted_from_one(order_of(graph, by)) ==
             (std::vector<std::uint32_t>{1, 4, 2, 3, 6, 5, 9, 8, 7, 10}));
}

BOOST_AUTO_TEST_CASE(makespans_of_topcuoglus_graph) {
  task_graph const graph = topcuoglu_graph();
  for (auto const& [how, makespan] :
       {std::pair{policy::insertion, 76U}, std::pair{policy::append, 89U}}) {
    schedule const made = gridloom::pets::pets(graph, how);
    BOOST_TEST(check_schedule(graph, made) == "");
    BOOST_TEST(made.makespan() == makespan);
  }
  quality const found = quality_of(graph, gridloom::pets::pets(graph, policy::insertion));
  // The smallest costs along 1-2-9-10 are 9 + 13 + 12 + 7. All tasks take 127 on the first
  // processor.
  BOOST_TEST(found.slr == 76.0 / 41.0);
  BOOST_TEST(found.speedup == 127.0 / 76.0);
  BOOST_TEST(found.efficiency == 127.0 / 76.0 / 3.0);
}

BOOST_AUTO_TEST_CASE(measures_of_tasks_that_cost_nothing_are_infinite_or_one) {
  task_graph const graph = alone({0, 9, 9, 0}, 2);
  quality const found = quality_of(graph, gridloom::pets::pets(graph, policy::append));
  BOOST_TEST(found.makespan == 0U);
  BOOST_TEST(found.slr == 1.0);
  BOOST_TEST(std::isinf(found.speedup));
}

BOOST_AUTO_TEST_CASE(average_costs_are_rounded_half_up) {
  BOOST_TEST(rounded_mean(3, 2) == 2U);
  BOOST_TEST(rounded_mean(4, 3) == 1U);
  BOOST_TEST(rounded_mean(5, 3) == 2U);
  BOOST_TEST(rounded_mean(0, 7) == 0U);
}

BOOST_AUTO_TEST_CASE(equal_ranks_go_by_average_cost_and_then_by_number) {
  // The ACC of one task is 2, and of three tasks 5 / 3. All round to 2.
  task_graph const graph = alone({2, 2, 2, 1, 2, 2, 2, 1, 2, 2, 2, 1}, 3);
  priorities const by = priorities_of(graph);
  BOOST_TEST(by.rank == (std::vector<time_value>{2, 2, 2, 2}));
  BOOST_TEST(order_of(graph, by) == (std::vector<std::uint32_t>{1, 2, 3, 0}));
}

BOOST_AUTO_TEST_CASE(the_lower_of_two_processors_with_equal_finish_is_taken) {
  schedule const made = gridloom::pets::pets(alone({3, 3, 3}, 3), policy::append);
  BOOST_TEST(made.of[0].processor == 0U);
}

BOOST_AUTO_TEST_CASE(insertion_fills_a_gap_that_append_leaves) {
  // 0 -> 1 sends 10 units. Tasks 0 and 1 are fast on different processors; task 2 fits before task
  // 1.
  task_graph const graph =
      make_task_graph({{0, 1, 1, 1, 1}, {1}}, {10}, {2, 90, 90, 2, 99, 5, 1, 90}, 2, "g");
  std::vector<std::uint32_t> const order{0, 1, 2, 3};
  schedule const appended = select_processors(graph, order, policy::append);
  schedule const inserted = select_processors(graph, order, policy::insertion);
  BOOST_TEST(appended.of[1].start == 12U);
  BOOST_TEST(appended.of[2].start == 14U);
  BOOST_TEST(inserted.of[2].start == 0U);
  BOOST_TEST(check_schedule(graph, appended) == "");
  BOOST_TEST(check_schedule(graph, inserted) == "");
}

BOOST_AUTO_TEST_CASE(the_listing_spares_only_the_last_parent_its_transfer) {
  // Both parents are on processor 0. The child could start there at 4, but code 4.6 of the thesis
  // (`policy::literal`) adds the other parent's transfer.
  task_graph const graph =
      make_task_graph({{0, 1, 2, 2}, {2, 2}}, {5, 9}, {2, 99, 2, 99, 1, 99}, 2, "g");
  std::vector<std::uint32_t> const order{0, 1, 2};
  BOOST_TEST(select_processors(graph, order, policy::append).of[2].start == 4U);
  schedule const made = select_processors(graph, order, policy::literal);
  BOOST_TEST(made.of[2].start == 7U);
  BOOST_TEST(check_schedule(graph, made) == "");
}

BOOST_AUTO_TEST_CASE(all_schedulers_make_right_schedules_of_random_graphs) {
  for (char const* specification :
       {"v=1,beta=0", "v=300,alpha=0.5,beta=3,ccr=2", "v=300,alpha=2,beta=6,ccr=0",
        "v=200,eta=2,ccr=5,w=1", "sweep:width=12,steps=23", "fft:width=16,steps=5,ccr=3",
        "random_nearest:width=12,steps=7"}) {
    for (std::uint32_t const processors : {1U, 3U, 40U}) {
      task_graph const graph = generate(specification, processors, 5);
      for (list_scheduler const& by : list_schedulers()) {
        BOOST_TEST_CONTEXT(specification << ", " << processors << " processors, " << by.name) {
          schedule const made = by.run(graph, by.how);
          BOOST_TEST(check_schedule(graph, made) == "");
          BOOST_TEST(quality_of(graph, made).slr >= 1.0);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(the_check_finds_what_is_wrong) {
  task_graph const graph = topcuoglu_graph();
  schedule const right = gridloom::pets::pets(graph, policy::insertion);
  auto const found = [&](auto&& spoil) {
    schedule made = right;
    spoil(made);
    return check_schedule(graph, made);
  };
  BOOST_TEST(found([](schedule&) {}) == "");
  auto const has = [](std::string const& text, char const* words) {
    return text.find(words) != std::string::npos;
  };
  BOOST_TEST(has(found([](schedule& s) { s.of.pop_back(); }), "expected 10 tasks, got 9"));
  BOOST_TEST(
      has(found([](schedule& s) { s.of[3].processor = 3; }), "expected one of 3 processors"));
  BOOST_TEST(has(found([](schedule& s) { ++s.of[3].finish; }), "expected it to take"));
  BOOST_TEST(has(found([](schedule& s) {
                   --s.of[9].start;
                   --s.of[9].finish;
                 }),
                 "or more after task"));
  // Two independent tasks; one is moved onto the other.
  task_graph const two = alone({4, 9, 4, 9}, 2);
  schedule made = gridloom::pets::pets(two, policy::append);
  made.of[1] = {0, 3, 7};
  BOOST_TEST(has(check_schedule(two, made), "expected it not to overlap"));
}

// Recording finishes takes another path through the code. The schedule must be the same, and each
// task must end at the smallest of its finishes.
BOOST_AUTO_TEST_CASE(selection_with_a_record_of_finishes_makes_the_same_schedule) {
  for (char const* specification :
       {"v=400,ccr=3", "v=400,alpha=5,beta=9,eta=2", "fft:width=32,steps=6"}) {
    for (std::uint32_t const processors : {1U, 3U, 20U}) {
      task_graph const graph = generate(specification, processors, 5);
      auto const order = order_of(graph, priorities_of(graph));
      for (policy const how : {policy::insertion, policy::append, policy::literal}) {
        std::vector<time_value> finishes;
        schedule const recorded = select_processors(graph, order, how, &finishes);
        schedule const plain = select_processors(graph, order, how);
        BOOST_TEST((recorded.of == plain.of));
        for (std::uint32_t task = 0; task < graph.num_tasks; ++task) {
          auto const own = finishes.begin() + std::ptrdiff_t{task} * processors;
          BOOST_TEST(*std::min_element(own, own + processors) == plain.of[task].finish);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
