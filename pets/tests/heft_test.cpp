// HEFT and CPOP on the example of their paper, optimum() on graphs with a known smallest makespan,
// and all of them on random graphs.
#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "gridloom/error.hpp"
#include "optimum.hpp"
#include "pets/priorities.hpp"
#include "pets/rivals/list_scheduler.hpp"
#include "pets/support/generate.hpp"
#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(heft_test)

using namespace gridloom::pets;
using gridloom::csr_graph;
using gridloom::test::per_element;

namespace {

struct edge {
  std::uint32_t from;
  std::uint32_t to;
  time_value weight;
};

task_graph graph_of(std::uint32_t processors, std::vector<time_value> costs,
                    std::vector<edge> edges) {
  std::ranges::stable_sort(edges, {}, &edge::from);
  csr_graph rows;
  rows.row_offsets.assign(costs.size() / processors + 1, 0);
  std::vector<time_value> weights;
  for (edge const& one : edges) {
    ++rows.row_offsets[one.from + 1];
    rows.columns.push_back(one.to);
    weights.push_back(one.weight);
  }
  std::partial_sum(rows.row_offsets.begin(), rows.row_offsets.end(), rows.row_offsets.begin());
  return make_task_graph(rows, std::move(weights), std::move(costs), processors, "test");
}

// Random graphs whose numbers are not a topological order. Many costs and weights are 0, and many
// processors are equal.
task_graph random_graph(std::mt19937_64& random, std::uint32_t most_tasks,
                        std::uint32_t most_processors) {
  auto const below = [&](std::uint64_t bound) { return random() % bound; };
  auto const tasks = static_cast<std::uint32_t>(1 + below(most_tasks));
  auto const processors = static_cast<std::uint32_t>(1 + below(most_processors));
  time_value const most_cost = 1 + below(30);
  time_value const most_weight = 1 + below(30);
  std::uint64_t const sparsity = 1 + below(tasks);
  std::vector<std::uint32_t> number(tasks);
  std::iota(number.begin(), number.end(), 0U);
  for (std::uint32_t i = tasks; i > 1; --i) std::swap(number[i - 1], number[below(i)]);
  std::vector<time_value> costs(std::size_t{tasks} * processors);
  for (time_value& cost : costs) cost = below(4) == 0 ? 0 : below(most_cost);
  for (std::uint32_t p = 1; p < processors; ++p) {
    if (below(2) == 0) continue;
    // An earlier processor with the same costs.
    std::uint64_t const twin = below(p);
    for (std::size_t row = 0; row < costs.size(); row += processors)
      costs[row + p] = costs[row + twin];
  }
  std::vector<edge> edges;
  for (std::uint32_t to = 1; to < tasks; ++to) {
    for (std::uint32_t from = 0; from < to; ++from) {
      if (below(sparsity) == 0) edges.push_back({number[from], number[to], below(most_weight)});
    }
  }
  return graph_of(processors, std::move(costs), std::move(edges));
}

std::vector<schedule> all_schedules(task_graph const& graph) {
  auto const order = order_of(graph, priorities_of(graph));
  return {peft(graph, policy::insertion),
          lookahead_heft(graph, policy::insertion),
          heft(graph, policy::insertion),
          heft(graph, policy::append),
          cpop(graph, policy::insertion),
          cpop(graph, policy::append),
          select_processors(graph, order, policy::insertion),
          select_processors(graph, order, policy::append),
          select_processors(graph, order, policy::literal)};
}

// Searches all topological orders and all processors for the smallest makespan.
time_value tried_optimum(task_graph const& graph, std::vector<placement>& placed,
                         std::vector<bool>& done, std::vector<time_value>& end) {
  time_value best = std::numeric_limits<time_value>::max();
  bool complete = true;
  ready_times ready{graph.num_processors};
  for (std::uint32_t task = 0; task < graph.num_tasks; ++task) {
    if (done[task]) continue;
    complete = false;
    auto const parents = graph.predecessors.of(task);
    if (!std::ranges::all_of(parents, [&](std::uint32_t parent) { return done[parent]; })) continue;
    done[task] = true;
    for (std::uint32_t p = 0; p < graph.num_processors; ++p) {
      ready.gather(graph, task, placed);
      time_value const start = std::max(end[p], ready.on(p));
      time_value const old_end = std::exchange(end[p], start + graph.costs_of(task)[p]);
      placed[task] = {p, start, end[p]};
      best = std::min(best, tried_optimum(graph, placed, done, end));
      end[p] = old_end;
    }
    done[task] = false;
  }
  return complete ? *std::ranges::max_element(end) : best;
}

}  // namespace

BOOST_AUTO_TEST_CASE(ranks_of_the_example) {
  task_graph const graph = topcuoglu_graph();
  std::array<time_value, 10> const upward{324, 231, 240, 240, 207, 190, 128, 107, 133, 44};
  auto const up = upward_ranks(graph);
  BOOST_TEST(up == upward, per_element());
  auto const down = downward_ranks(graph);
  BOOST_TEST(down[0] == 0U);
  // (14 + 16 + 9) + 3 · 18
  BOOST_TEST(down[1] == 93U);
  for (std::uint32_t task = 0; task < 10; ++task) {
    bool const critical = task == 0 || task == 1 || task == 8 || task == 9;
    BOOST_TEST((up[task] + down[task] == 324) == critical, "task " << task);
    BOOST_TEST(up[task] + down[task] <= 324U);
  }
}

BOOST_AUTO_TEST_CASE(heft_of_the_example) {
  task_graph const graph = topcuoglu_graph();
  std::vector<std::uint32_t> const order{0, 2, 3, 1, 4, 5, 8, 6, 7, 9};
  std::vector<placement> const expected{{2, 0, 9},   {0, 27, 40}, {2, 9, 28},  {1, 18, 26},
                                        {2, 28, 38}, {1, 26, 42}, {2, 38, 49}, {0, 57, 62},
                                        {1, 56, 68}, {1, 73, 80}};
  for (policy const how : {policy::insertion, policy::append}) {
    schedule const made = heft(graph, how);
    BOOST_TEST(made.order == order, per_element());
    BOOST_TEST((made.of == expected));
    BOOST_TEST(made.makespan() == 80U);
    BOOST_TEST(check_schedule(graph, made) == "");
  }
}

BOOST_AUTO_TEST_CASE(cpop_of_the_example) {
  task_graph const graph = topcuoglu_graph();
  schedule const made = cpop(graph, policy::insertion);
  BOOST_TEST(made.makespan() == 86U);
  BOOST_TEST(check_schedule(graph, made) == "");
  for (std::uint32_t const task : {0U, 1U, 8U, 9U}) BOOST_TEST(made.of[task].processor == 1U);
}

BOOST_AUTO_TEST_CASE(the_listing_is_a_policy_of_pets_only) {
  task_graph const graph = topcuoglu_graph();
  BOOST_CHECK_THROW((void)heft(graph, policy::literal), std::invalid_argument);
  BOOST_CHECK_THROW((void)cpop(graph, policy::literal), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(tasks_without_cost_keep_their_order) {
  // 3 → 2 → 1 → 0, without costs: every rank is 0, and numbers fall along the edges.
  task_graph const graph =
      graph_of(2, std::vector<time_value>(8, 0), {{3, 2, 0}, {2, 1, 0}, {1, 0, 0}});
  std::vector<std::uint32_t> const order{3, 2, 1, 0};
  BOOST_TEST(heft(graph, policy::insertion).order == order, per_element());
  BOOST_TEST(cpop(graph, policy::insertion).order == order, per_element());
  BOOST_TEST(optimum(graph) == 0U);
}

BOOST_AUTO_TEST_CASE(cpop_covers_the_whole_critical_path) {
  // 0 → 2 → 1, and an edge 0 → 1 that skips task 2. All three tasks have the same priority. Tasks 0
  // and 1 together are faster on processor 0; the whole chain is faster on processor 1.
  task_graph const graph = graph_of(2, {3, 4, 3, 4, 9, 1}, {{0, 1, 1}, {0, 2, 5}, {2, 1, 5}});
  schedule const made = cpop(graph, policy::insertion);
  for (placement const& one : made.of) BOOST_TEST(one.processor == 1U);
  BOOST_TEST(made.makespan() == 9U);
}

BOOST_AUTO_TEST_CASE(cpop_takes_the_lowest_of_equal_tasks_for_its_critical_path) {
  // 0 → 1 is faster on processor 1, and 0 → 2 on processor 0. Both paths have the same length.
  task_graph const children = graph_of(2, {2, 2, 5, 3, 3, 5}, {{0, 2, 1}, {0, 1, 1}});
  BOOST_TEST(cpop(children, policy::append).of[0].processor == 1U);
  // Two chains: 0 → 2 is faster on processor 1, and 1 → 3 on processor 0. Task 0 alone would end
  // earlier on processor 0.
  task_graph const entries = graph_of(2, {2, 3, 3, 2, 9, 1, 1, 9}, {{0, 2, 0}, {1, 3, 0}});
  BOOST_TEST(cpop(entries, policy::append).of[0].processor == 1U);
}

BOOST_AUTO_TEST_CASE(the_optimum_equals_hand_made_schedules) {
  // A chain on one processor: 3 + 4 + 5.
  BOOST_TEST(optimum(graph_of(1, {3, 4, 5}, {{0, 1, 9}, {1, 2, 9}})) == 12U);
  // A fork. Two processors are better while transfers are cheap: 1 + 3 + 4 against 1 + 4 + 4.
  std::vector<time_value> const fork{1, 1, 4, 4, 4, 4};
  BOOST_TEST(optimum(graph_of(2, fork, {{0, 1, 3}, {0, 2, 3}})) == 8U);
  BOOST_TEST(optimum(graph_of(2, fork, {{0, 1, 10}, {0, 2, 10}})) == 9U);
  // A diamond: the last task is best on the processor of the branch that started later.
  BOOST_TEST(optimum(graph_of(2, {2, 2, 3, 3, 3, 3, 2, 2},
                              {{0, 1, 1}, {0, 2, 1}, {1, 3, 1}, {2, 3, 1}})) == 8U);
  // Seven tasks on three equal processors. The optimum is 9 (5 + 4, 5 + 4, 3 + 3 + 3); assigning
  // the longest task first gives 11.
  std::vector<time_value> equal;
  for (time_value const cost : {5, 5, 4, 4, 3, 3, 3}) equal.insert(equal.end(), 3, cost);
  task_graph const bins = graph_of(3, equal, {});
  BOOST_TEST(optimum(bins) == 9U);
  BOOST_TEST(heft(bins, policy::insertion).makespan() == 11U);
  // Two equal processors, with a different processor between them.
  BOOST_TEST(optimum(graph_of(3, {4, 100, 4, 4, 100, 4}, {})) == 4U);
  // An edge 0 → 1, and task 2 alone. Task 0 must leave processor 0 to tasks 1 and 2, though it
  // would end as early there.
  task_graph const greedy = graph_of(2, {10, 10, 1, 100, 4, 100}, {{0, 1, 0}});
  BOOST_TEST(optimum(greedy) == 11U);
  BOOST_TEST(heft(greedy, policy::insertion).makespan() == 15U);
}

BOOST_AUTO_TEST_CASE(optimum_takes_eight_tasks_at_most) {
  BOOST_TEST(optimum(graph_of(1, std::vector<time_value>(8, 2), {})) == 16U);
  BOOST_CHECK_THROW((void)optimum(graph_of(1, std::vector<time_value>(9, 2), {})),
                    gridloom::usage_error);
}

BOOST_AUTO_TEST_CASE(optimum_is_the_least_of_all_orders_and_processors) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    std::mt19937_64 random(seed);
    task_graph const graph = random_graph(random, 5, 4);
    std::vector<placement> placed(graph.num_tasks);
    std::vector<bool> done(graph.num_tasks, false);
    std::vector<time_value> end(graph.num_processors, 0);
    time_value const least = tried_optimum(graph, placed, done, end);
    BOOST_TEST_REQUIRE(optimum(graph) == least, "seed " << seed);
  }
}

BOOST_AUTO_TEST_CASE(no_scheduler_beats_the_optimum) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    std::mt19937_64 random(seed);
    task_graph const graph = random_graph(random, 8, 3);
    time_value const least = optimum(graph);
    for (schedule const& made : all_schedules(graph)) {
      BOOST_TEST_REQUIRE(least <= made.makespan(), "seed " << seed);
    }
  }
}

BOOST_AUTO_TEST_CASE(ten_thousand_tasks_have_a_valid_schedule) {
  task_graph const graph = generate("v=10000", 8, 11);
  BOOST_TEST(check_schedule(graph, heft(graph, policy::insertion)) == "");
}

// The task is faster on processor 0, its successor on processor 1, and the transfer takes long.
BOOST_AUTO_TEST_CASE(look_ahead_leaves_a_processor_to_the_successor) {
  task_graph const graph = graph_of(2, {1, 2, 100, 1}, {{0, 1, 50}});
  BOOST_TEST(heft(graph, policy::insertion).makespan() == 52U);
  BOOST_TEST(peft(graph, policy::insertion).makespan() == 3U);
  BOOST_TEST(lookahead_heft(graph, policy::insertion).makespan() == 3U);
}

// Look-ahead places the second of two successors on trial after the first, and sees that they share
// a processor. PEFT's table assumes free processors and misses this.
BOOST_AUTO_TEST_CASE(look_ahead_sees_what_the_table_of_peft_does_not) {
  // 0 → 1 and 0 → 2. On processors 0 and 1, task 0 costs 3 and 4; tasks 1 and 2 cost 10 and 13.
  // Transfers take 5.
  task_graph const graph = graph_of(2, {3, 4, 10, 13, 10, 13}, {{0, 1, 5}, {0, 2, 5}});
  schedule const made = lookahead_heft(graph, policy::insertion);
  BOOST_CHECK(made.of[0] == (placement{1, 0, 4}));
  BOOST_TEST(made.makespan() == 19U);
  BOOST_CHECK(peft(graph, policy::insertion).of[0] == (placement{0, 0, 3}));
}

BOOST_AUTO_TEST_CASE(peft_and_look_ahead_require_insertion) {
  task_graph const graph = graph_of(1, {1}, {});
  for (policy const how : {policy::append, policy::literal}) {
    BOOST_CHECK_THROW((void)peft(graph, how), std::invalid_argument);
    BOOST_CHECK_THROW((void)lookahead_heft(graph, how), std::invalid_argument);
  }
}

BOOST_AUTO_TEST_CASE(no_schedule_is_shorter_than_the_lower_bound) {
  BOOST_TEST(lower_bound(graph_of(2, {1, 2, 100, 1}, {{0, 1, 50}})) == 2U);
  // The bound is 4.5 per processor, rounded up.
  BOOST_TEST(lower_bound(graph_of(2, {3, 3, 3, 3, 3, 3}, {})) == 5U);
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    std::mt19937_64 random(seed);
    task_graph const graph = random_graph(random, 8, 3);
    BOOST_TEST_REQUIRE(lower_bound(graph) <= optimum(graph), "seed " << seed);
  }
}

BOOST_AUTO_TEST_SUITE_END()
