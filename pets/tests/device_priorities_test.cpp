// Levels, ranks and order of a device are the host's, whatever the numbers of tasks and of workers.

#include <boost/test/unit_test.hpp>
#include <string>

#include "gridloom/error.hpp"
#include "gridloom/random.hpp"
#include "pets/device_priorities.hpp"
#include "pets/generate.hpp"
#include "test_machines.hpp"

using namespace gridloom;
using namespace gridloom::pets;
using gridloom::test::on_each_machine;
using gridloom::test::test_machine;

namespace {

// The same graph with its tasks numbered at random.
task_graph shuffled(task_graph const& graph, std::uint64_t seed) {
  random_source random{seed};
  auto const number = random_permutation(graph.num_tasks, random);
  std::vector<std::uint32_t> old(graph.num_tasks);
  for (std::uint32_t task = 0; task < graph.num_tasks; ++task) old[number[task]] = task;
  csr_graph edges{{0}, {}};
  std::vector<time_value> weights;
  std::vector<time_value> costs;
  for (std::uint32_t const task : old) {
    auto const children = graph.successors.of(task);
    for (std::uint32_t const child : children) {
      edges.columns.push_back(static_cast<std::uint32_t>(number[child]));
    }
    edges.row_offsets.push_back(edges.columns.size());
    auto const data = graph.successors.weights_of(task);
    weights.insert(weights.end(), data.begin(), data.end());
    auto const times = graph.costs_of(task);
    costs.insert(costs.end(), times.begin(), times.end());
  }
  return make_task_graph(edges, weights, costs, graph.num_processors, "shuffled");
}

void check(task_graph const& graph, level_method how, std::string const& name) {
  priorities const right = priorities_of(graph);
  auto const order = order_of(graph, right);
  on_each_machine([&](test_machine const& on, device& machine) {
    bool const whole_warps = machine.is_host() || on.shape.threads % 32 == 0;
    if (how == level_method::hand_over && !whole_warps) return;
    for (int const workers : {1, 2, 5, 0}) {  // 0: as many as are best
      BOOST_TEST_CONTEXT(name << ", " << workers << " workers of " << on.shape.threads) {
        device_graph const there(machine, graph);
        device_priorities found(machine, graph.num_tasks, 30, workers, on.shape.threads);
        for (int turn = 0; turn < 2; ++turn) {
          found.find(there, how);
          found.sort();
          priorities const by = found.result();
          BOOST_TEST(by.level == right.level);
          BOOST_TEST(by.rank == right.rank);
          BOOST_TEST(by.num_levels == right.num_levels);
          BOOST_TEST(found.order() == order);
        }
      }
    }
  });
}

char const* const specifications[] = {
    "v=1,beta=0", "v=700,alpha=0.3", "v=700,alpha=3,beta=9", "v=900,jump=1,ccr=0,w=1,eta=0",
    "fft:m=16",   "gauss:m=20",      "cholesky:t=8"};

}  // namespace

BOOST_AUTO_TEST_SUITE(pets_device_priorities)

BOOST_AUTO_TEST_CASE(hand_over_gives_the_hosts_numbers) {
  for (char const* specification : specifications) {
    task_graph const graph = generate(specification, 3, 2);
    check(graph, level_method::hand_over, specification);
    check(shuffled(graph, 3), level_method::hand_over, std::string(specification) + " shuffled");
  }
}

BOOST_AUTO_TEST_CASE(in_order_gives_the_hosts_numbers) {
  for (char const* specification : specifications) {
    task_graph const graph = generate(specification, 3, 2);
    if (std::string(specification).starts_with("v=")) {
      check(graph, level_method::in_order, specification);
    }
  }
}

BOOST_AUTO_TEST_CASE(in_order_refuses_numbers_that_fall_along_edges) {
  device machine("host", 0);
  task_graph const graph = make_task_graph({{0, 0, 1}, {0}}, {1}, {1, 1}, 1, "g");
  device_graph const there(machine, graph);
  device_priorities found(machine, 2, 5);
  BOOST_CHECK_THROW(found.find(there, level_method::in_order), usage_error);
}

BOOST_AUTO_TEST_CASE(ranks_and_levels_that_do_not_fit_one_key_are_sorted_one_after_the_other) {
  // Ranks near 2^63, in three levels.
  time_value const large = most_total / 4;
  task_graph const graph =
      make_task_graph({{0, 1, 2, 2, 2}, {1, 2}}, {0, 0}, {large, large, large, large}, 1, "g");
  check(graph, level_method::hand_over, "large");
}

BOOST_AUTO_TEST_CASE(tasks_that_cost_nothing_go_by_number) {
  task_graph const graph = make_task_graph({{0, 0, 0, 0}, {}}, {}, {0, 0, 0}, 1, "g");
  check(graph, level_method::hand_over, "nothing");
  check(graph, level_method::in_order, "nothing");
}

BOOST_AUTO_TEST_SUITE_END()
