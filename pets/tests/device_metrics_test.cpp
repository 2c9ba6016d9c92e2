// A device's levels, ranks and order equal the host's, for all numbers of tasks and workers.

#include <boost/test/unit_test.hpp>
#include <string>

#include "batch_graphs.hpp"
#include "gridloom/error.hpp"
#include "gridloom/random.hpp"
#include "pets/level_loop.hpp"
#include "pets/ours/compressed_rows.hpp"
#include "pets/ours/radix_order.hpp"
#include "pets/ours/single_launch.hpp"
#include "pets/support/generate.hpp"
#include "test_machines.hpp"

using namespace gridloom;
using namespace gridloom::pets;
using namespace gridloom::test;

namespace {

struct metrics_method {
  char const* name;
  metrics_factory* make;
};
constexpr metrics_method metrics_methods[] = {
    {"adjacency", make_adjacency},
    {"transposed", make_transposed},
    {"rectangular", make_rectangular},
    {"rectangular_vectorised", make_rectangular_vectorised},
    {"csr", make_csr},
    {"hand_over", make_hand_over},
    {"in_order", make_in_order}};

task_graph shuffled(task_graph const& graph, std::uint64_t seed) {
  random_source random{seed};
  auto const order = random_permutation(graph.num_tasks, random);
  return pets::test::renumbered(graph, {order.begin(), order.end()});
}

bool takes(metrics_method const& method, test_machine const& on) {
  return method.make != make_hand_over || on.machine->is_host() || on.shape.threads % 32 == 0;
}

void check(task_graph const& graph, metrics_method const& method, std::string const& name) {
  priorities const right = priorities_of(graph);
  auto const order = order_of(graph, right);
  on_each_machine([&](test_machine const& on, device& machine) {
    if (!takes(method, on)) return;
    device_graph const there(machine, graph);
    device_order bitonic(machine, graph.num_tasks);
    radix_order radix(machine, graph.num_tasks);
    // 0 means the best number of workers.
    for (int const workers : {1, 2, 5, 0}) {
      BOOST_TEST_CONTEXT(name << ", " << method.name << ", " << workers << " workers of "
                              << on.shape.threads) {
        auto const found = method.make(machine, graph, &there, {30, workers, on.shape.threads});
        for (device_order* sorted : {&bitonic, static_cast<device_order*>(&radix)}) {
          found->discover_entries();
          found->compute();
          sorted->sort(found->found());
          found->require_done();
          priorities const by = found->result();
          BOOST_TEST(by.level == right.level);
          BOOST_TEST(by.rank == right.rank);
          BOOST_TEST(by.num_levels == right.num_levels);
          BOOST_TEST(sorted->found().num_levels == right.num_levels);
          BOOST_TEST(sorted->result() == order);
        }
      }
    }
  });
}

void check_all(task_graph const& graph, std::string const& name, bool ascends) {
  for (metrics_method const& method : metrics_methods) {
    if (method.make != make_in_order || ascends) check(graph, method, name);
  }
}

char const* const specifications[] = {"v=1,beta=0",
                                      "v=700,alpha=0.3",
                                      "v=700,alpha=3,beta=9",
                                      "v=900,jump=1,ccr=0,w=1,eta=0",
                                      "fft:width=16,steps=5",
                                      "sweep:width=14,steps=27",
                                      "random_nearest:width=12,steps=10"};

}  // namespace

BOOST_AUTO_TEST_SUITE(pets_device_priorities)

BOOST_AUTO_TEST_CASE(all_methods_give_the_hosts_numbers) {
  for (std::string const specification : specifications) {
    task_graph const graph = generate(specification, 3, 2);
    check_all(graph, specification, specification.starts_with("v="));
    check_all(shuffled(graph, 3), specification + " shuffled", false);
  }
}

BOOST_AUTO_TEST_CASE(in_order_refuses_numbers_that_fall_along_edges) {
  device machine("host", 0);
  task_graph const graph = make_task_graph({{0, 0, 1}, {0}}, {1}, {1, 1}, 1, "g");
  device_graph const there(machine, graph);
  BOOST_CHECK_THROW((void)make_in_order(machine, graph, &there, {}), usage_error);
}

BOOST_AUTO_TEST_CASE(graphs_too_large_for_a_layout_are_refused) {
  device machine("host", 0);
  task_graph const graph = generate("v=16385,beta=0", 1, 1);
  for (metrics_factory* make : {make_adjacency, make_transposed}) {
    BOOST_CHECK_THROW((void)make(machine, graph, nullptr, {}), usage_error);
  }
  // A star of 70,000 tasks needs a rectangle of 70,000 x 69,999.
  std::uint32_t const n = 70000;
  csr_graph star{{0}, {}};
  for (std::uint32_t child = 1; child < n; ++child) star.columns.push_back(child);
  star.row_offsets.resize(n + 1, n - 1);
  std::vector<time_value> const ones(n, 1);
  task_graph const wide = make_task_graph(star, {ones.begin(), ones.end() - 1}, ones, 1, "star");
  for (metrics_factory* make : {make_rectangular, make_rectangular_vectorised}) {
    BOOST_CHECK_THROW((void)make(machine, wide, nullptr, {}), usage_error);
  }
}

// A first task, its n successors, and a last task after these. Numbers rise or fall along edges.
task_graph fan(std::uint32_t n, bool rises) {
  csr_graph edges{{0}, {}};
  for (std::uint32_t task = 0; task < n + 2; ++task) {
    bool const first = task == (rises ? 0 : n + 1);
    bool const last = task == (rises ? n + 1 : 0);
    for (std::uint32_t child = 1; first && child <= n; ++child) edges.columns.push_back(child);
    if (!first && !last) edges.columns.push_back(rises ? n + 1 : 0);
    edges.row_offsets.push_back(edges.columns.size());
  }
  std::vector<time_value> weights(edges.columns.size());
  for (std::size_t e = 0; e < weights.size(); ++e) weights[e] = e % 7;
  return make_task_graph(edges, weights, std::vector<time_value>(n + 2, 3), 1, "fan");
}

BOOST_AUTO_TEST_CASE(tasks_with_many_edges) {
  for (std::uint32_t const n : {31U, 32U, 33U, 255U, 256U, 257U, 2000U}) {
    check_all(fan(n, true), "fan of " + std::to_string(n), true);
    check_all(fan(n, false), "falling fan of " + std::to_string(n), false);
  }
}

// The graph is a path, plus an edge from its first task to each other task. With marking, a task is
// visited once per level up to its own level. With counting, it is visited once.
BOOST_AUTO_TEST_CASE(bytes_tell_how_often_tasks_are_visited) {
  constexpr std::uint32_t n = 40;
  csr_graph edges{{0}, {}};
  for (std::uint32_t task = 0; task < n; ++task) {
    if (task == 0) {
      for (std::uint32_t child = 1; child < n; ++child) edges.columns.push_back(child);
    } else if (task + 1 < n) {
      edges.columns.push_back(task + 1);
    }
    edges.row_offsets.push_back(edges.columns.size());
  }
  task_graph const graph = make_task_graph(edges, std::vector<time_value>(edges.columns.size(), 1),
                                           std::vector<time_value>(n, 1), 1, "");
  check_all(graph, "path", true);
  device machine("host", 0);
  device_graph const there(machine, graph);
  auto const bytes_of = [&](metrics_factory* make) {
    auto const found = make(machine, graph, &there, {});
    found->discover_entries();
    found->compute();
    BOOST_TEST(found->launches() >= 3U);
    return found->estimated_bytes();
  };
  // Largest numbers of predecessors and successors: 2 and n - 1.
  auto const padding_of = [&](metrics_factory* make) {
    return make(machine, graph, &there, {})->padding() * static_cast<double>(2 * graph.num_edges());
  };
  BOOST_TEST(padding_of(make_adjacency) == 2.0 * n * n, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(padding_of(make_rectangular) == n * (2.0 + n - 1), boost::test_tools::tolerance(1e-9));
  BOOST_TEST(padding_of(make_csr) == 2.0 * (2 * n - 3), boost::test_tools::tolerance(1e-9));
  // Task 0 is visited once, and task i is visited i times, once per length of a path to it.
  std::uint64_t const looks = 1 + n * (n - 1) / 2;
  BOOST_TEST(bytes_of(make_adjacency) >= looks * 2 * n * sizeof(time_value));
  BOOST_TEST(bytes_of(make_adjacency) < 1.2 * looks * 2 * n * sizeof(time_value) + 4 * n * n);
  BOOST_TEST(bytes_of(make_rectangular) > 5 * bytes_of(make_rectangular_vectorised));
}

BOOST_AUTO_TEST_CASE(ranks_and_levels_that_do_not_fit_one_key_are_sorted_one_after_the_other) {
  // Ranks near 2^63, in three levels.
  time_value const large = most_total / 4;
  task_graph const graph =
      make_task_graph({{0, 1, 2, 2, 2}, {1, 2}}, {0, 0}, {large, large, large, large}, 1, "g");
  check_all(graph, "large", true);
  // Ranks of 40 bits, sums of costs of 20 bits, and levels of 4 bits need two keys. With ranks of
  // 24 bits, one key suffices.
  for (time_value const factor : {time_value{1} << 31U, time_value{1} << 8U}) {
    check_all(pets::test::scaled(generate("v=200,w=5,alpha=2", 3, 1), factor), "scaled", true);
  }
}

BOOST_AUTO_TEST_CASE(tasks_that_cost_nothing_go_by_number) {
  task_graph const graph = make_task_graph({{0, 0, 0, 0}, {}}, {}, {0, 0, 0}, 1, "g");
  check_all(graph, "nothing", true);
}

BOOST_AUTO_TEST_CASE(a_loop_that_is_out_of_time_says_so) {
  device machine("host", 0);
  task_graph const graph = generate("v=2000,alpha=0.1", 2, 1);
  device_graph const there(machine, graph);
  for (metrics_method const& method : metrics_methods) {
    auto const found = method.make(machine, graph, &there, {1e-9, 0, 0});
    auto const text = gridloom::test::error_text<run_error>([&] {
      found->discover_entries();
      found->compute();
      found->require_done();
    });
    BOOST_TEST(contains(text, "levels and ranks"), method.name << ": " << text);
  }
}

BOOST_AUTO_TEST_SUITE_END()
