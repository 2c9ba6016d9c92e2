// Tests the tables of a tree and the tasks of an instance. They are compared with results by hand,
// with frequencies, and with a fixed point that does not rely on the order.
#include "tree_tables.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "execution_tree.hpp"
#include "gridloom/random.hpp"
#include "random_tree.hpp"
#include "tree_file.hpp"

namespace gridloom::mhive::generic {

BOOST_AUTO_TEST_SUITE(tree_tables_test)
namespace {

constexpr std::uint32_t instances = 100000;
constexpr std::uint64_t seed = 42;

// Makes a tree of one root, with one transition of each probability to a separate leaf.
tree_tables fan_of(std::vector<double> const& probabilities) {
  execution_tree tree;
  tree.add_task({"root"});
  for (std::size_t k = 0; k < probabilities.size(); ++k) {
    tree.add_task({"leaf" + std::to_string(k)});
    tree.add_transition("root", "leaf" + std::to_string(k), probabilities[k]);
  }
  return make_tables(tree);
}

template <typename Event>
void check_frequency(double p, Event const& happens) {
  double count = 0;
  for (std::uint32_t i = 0; i < instances; ++i) count += happens(i) ? 1 : 0;
  double const sigma = std::sqrt(instances * p * (1.0 - p));
  BOOST_TEST(std::abs(count - instances * p) <= 5.0 * sigma,
             count << " of " << instances << ", p = " << p);
}

std::uint32_t bit(int node) { return 1U << node; }

}  // namespace

BOOST_AUTO_TEST_CASE(the_tables_of_figure_7_1) {
  tree_tables const tables = make_tables(preset_tree("--preset", "fig7.1"));
  BOOST_TEST(tables.num_nodes == 4);
  BOOST_TEST(tables.num_edges == 4);
  BOOST_TEST(tables.roots == 1U);
  BOOST_TEST(tables.flops[2] == 40000);
  BOOST_TEST(tables.worker_size[2] == 32);
  int const phases[] = {0, 1, 1, 2};
  int const first_in[] = {0, 0, 1, 2, 4};
  int const first_out[] = {0, 2, 3, 4, 4};
  int const from[] = {0, 0, 1, 2};
  int const to[] = {1, 2, 3, 3};
  for (int k = 0; k < 4; ++k) {
    BOOST_TEST(int{tables.phase[k]} == phases[k]);
    BOOST_TEST(int{tables.from[k]} == from[k]);
    BOOST_TEST(int{tables.to[k]} == to[k]);
    BOOST_TEST(int{tables.out_edge[k]} == k);
  }
  for (int k = 0; k < 5; ++k) {
    BOOST_TEST(int{tables.first_in[k]} == first_in[k]);
    BOOST_TEST(int{tables.first_out[k]} == first_out[k]);
  }
  for (std::uint32_t const i : {0U, 1U, std::numeric_limits<std::uint32_t>::max()}) {
    BOOST_TEST(reached(tables, seed, i) == 0b1111U);
    BOOST_TEST(predecessors(tables, seed, 0b1111U, i, 0) == 0U);
    BOOST_TEST(predecessors(tables, seed, 0b1111U, i, 1) == 0b0001U);
    BOOST_TEST(predecessors(tables, seed, 0b1111U, i, 3) == 0b0110U);
    BOOST_TEST(successors(tables, seed, i, 0) == 0b0110U);
    BOOST_TEST(successors(tables, seed, i, 2) == 0b1000U);
    BOOST_TEST(successors(tables, seed, i, 3) == 0U);
  }
}

BOOST_AUTO_TEST_CASE(the_words_are_those_of_the_random_source) {
  random_source random{seed};
  for (std::uint32_t i = 0; i < 3; ++i) {
    for (int edge = 0; edge < tree_tables::most_edges; ++edge) {
      BOOST_REQUIRE(edge_word(seed, i, edge) == random.next());
    }
  }
}

BOOST_AUTO_TEST_CASE(thresholds_are_exact) {
  tree_tables const tables = fan_of({1.0, 0.5, 0x1p-64, 5e-324, 1.0 - 0x1p-53, 1.5 * 0x1p-64});
  constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
  BOOST_TEST(tables.threshold[0] == all);
  BOOST_TEST(tables.threshold[1] == all / 2);
  BOOST_TEST(tables.threshold[2] == 0U);
  // A word of 0 remains possible for any probability above 0.
  BOOST_TEST(tables.threshold[3] == 0U);
  BOOST_TEST(tables.threshold[4] == all - 2048);
  BOOST_TEST(tables.threshold[5] == 1U);
}

BOOST_AUTO_TEST_CASE(the_extreme_words_fire_where_they_must) {
  tree_tables const tables = fan_of({1.0});
  // This seed was found by running the generator backwards.
  constexpr std::uint64_t to_highest = 0x31628af67b2131abU;
  BOOST_TEST(edge_word(to_highest, 0, 0) == std::numeric_limits<std::uint64_t>::max());
  BOOST_TEST(fires(tables, to_highest, 0, 0));
  BOOST_TEST(!fires(fan_of({1.0 - 0x1p-53}), to_highest, 0, 0));
  constexpr std::uint64_t to_lowest = 0x61c8864680b583ebU;
  BOOST_TEST(edge_word(to_lowest, 0, 0) == 0U);
  BOOST_TEST(fires(fan_of({5e-324}), to_lowest, 0, 0));
}

BOOST_AUTO_TEST_CASE(edges_fire_as_often_as_they_should_and_independently) {
  std::vector<double> const p{1.0, 0.001, 0.1, 0.5, 0.5, 0.9, 0.999};
  tree_tables const tables = fan_of(p);
  auto const fired = [&](std::uint32_t i, int edge) { return fires(tables, seed, i, edge); };
  for (int edge = 0; edge < tables.num_edges; ++edge) {
    double const mine = p[static_cast<std::size_t>(edge)];
    check_frequency(mine, [&](std::uint32_t i) { return fired(i, edge); });
    // Two draws are independent if they differ in instance, seed or edge.
    check_frequency(mine * mine,
                    [&](std::uint32_t i) { return fired(i, edge) && fired(i + 1, edge); });
    check_frequency(mine * mine, [&](std::uint32_t i) {
      return fired(i, edge) && fires(tables, seed + 1, i, edge);
    });
    for (int other = 0; other < edge; ++other) {
      check_frequency(mine * p[static_cast<std::size_t>(other)],
                      [&](std::uint32_t i) { return fired(i, edge) && fired(i, other); });
    }
  }
}

BOOST_AUTO_TEST_CASE(a_task_is_reached_if_any_path_to_it_fires) {
  // The tree is a -> b -> d and a -> c -> d, and each edge has probability 1/2. Both paths reach d
  // with probability 1/16, and no path does with (3/4)^2.
  tree_tables const tables = make_tables(
      parse_tree("task a flops=0 worker=1\ntask b flops=0 worker=1\ntask c flops=0 worker=1\n"
                 "task d flops=0 worker=1\nedge a b probability=0.5\nedge a c probability=0.5\n"
                 "edge b d probability=0.5\nedge c d probability=0.5\n",
                 "f"));
  auto const into_d = [&](std::uint32_t i) {
    return predecessors(tables, seed, reached(tables, seed, i), i, 3);
  };
  check_frequency(0.5, [&](std::uint32_t i) { return (reached(tables, seed, i) & bit(1)) != 0; });
  check_frequency(7.0 / 16,
                  [&](std::uint32_t i) { return (reached(tables, seed, i) & bit(3)) != 0; });
  check_frequency(1.0 / 16, [&](std::uint32_t i) { return count_lanes(into_d(i)) == 2; });
  check_frequency(4.0 / 16,
                  [&](std::uint32_t i) { return into_d(i) != 0 && first_lane(into_d(i)) == 1; });
}

BOOST_AUTO_TEST_CASE(edges_from_unreached_tasks_do_not_count) {
  tree_tables const tables = make_tables(
      parse_tree("task a flops=0 worker=1\ntask b flops=0 worker=1\ntask c flops=0 worker=1\n"
                 "edge a b probability=1e-15\nedge b c\n",
                 "f"));
  BOOST_TEST(fires(tables, seed, 0, 1));
  BOOST_TEST(reached(tables, seed, 0) == bit(0));
  BOOST_TEST(predecessors(tables, seed, bit(0), 0, 2) == 0U);
}

BOOST_AUTO_TEST_CASE(reached_tasks_are_the_least_fixed_point) {
  random_source random{7};
  int largest = 0;
  int most_edges = 0;
  for (int k = 0; k < 200; ++k) {
    tree_tables const tables = make_tables(test::random_tree(random));
    largest = std::max(largest, tables.num_nodes);
    most_edges = std::max(most_edges, tables.num_edges);
    for (std::uint32_t i = 0; i < 20; ++i) {
      std::uint32_t mask = tables.roots;
      for (int round = 0; round < tables.num_nodes; ++round) {
        for (int edge = tables.num_edges - 1; edge >= 0; --edge) {
          bool const on = (mask & bit(tables.from[edge])) != 0 && fires(tables, seed, i, edge);
          if (on) mask |= bit(tables.to[edge]);
        }
      }
      BOOST_REQUIRE(reached(tables, seed, i) == mask);
      for (int node = 0; node < tables.num_nodes; ++node) {
        std::uint32_t const before = predecessors(tables, seed, mask, i, node);
        BOOST_REQUIRE((before & ~mask) == 0U);
        bool const follows = (mask & bit(node)) != 0 && (tables.roots & bit(node)) == 0;
        BOOST_REQUIRE((before != 0) == follows);
        for (int other = 0; other < tables.num_nodes; ++other) {
          bool const forth =
              (mask & bit(other)) != 0 && (successors(tables, seed, i, other) & bit(node)) != 0;
          BOOST_REQUIRE(forth == ((before & bit(other)) != 0));
        }
      }
    }
  }
  BOOST_TEST(largest == tree_tables::most_nodes);
  BOOST_TEST(most_edges == tree_tables::most_edges);
}

BOOST_AUTO_TEST_CASE(a_tree_out_of_order_has_no_tables) {
  execution_tree tree;
  BOOST_CHECK_THROW((void)make_tables(tree), std::invalid_argument);
  tree.add_task({"b"});
  tree.add_task({"a"});
  tree.add_transition("a", "b", 1.0);
  BOOST_CHECK_THROW((void)make_tables(tree), std::invalid_argument);
  BOOST_TEST(make_tables(in_topological_order(tree)).roots == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace gridloom::mhive::generic
