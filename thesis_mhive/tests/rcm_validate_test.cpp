// Tests that the validity check accepts right orders, and names the fault of every kind of wrong
// order.
#include "validate.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "gridloom/random.hpp"
#include "rcm_support.hpp"
#include "serial_order.hpp"
#include "test_support.hpp"

namespace gridloom::mhive::rcm {

BOOST_AUTO_TEST_SUITE(rcm_validate_test)
namespace {

using namespace test;
using messages = std::vector<std::string>;

validity const strict{.starts = start_options{}, .strict = true};

void check_same(messages const& got, messages const& expected) {
  BOOST_TEST(got == expected, per_element());
}

messages faults(graph const& of, vertices const& order, validity const& wanted = {}) {
  return faults_of(graph_of(of), order, wanted);
}

// Vertex 0 has the children 1 and 2; 1 has 3 and 4, 2 has 5, 3 has 6, and 4 has 7. The entry (3, 3)
// is stored.
graph const& tree() {
  static graph const of =
      graph_by(8, {{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 5}, {3, 6}, {4, 7}}, {3});
  return of;
}

}  // namespace

BOOST_AUTO_TEST_CASE(right_orders_pass_by_hand) {
  check_same(faults(tree(), {0, 2, 1, 5, 3, 4, 6, 7}, {.strict = true}), {});
  // Siblings of equal degree may be in either order, with their children.
  check_same(faults(tree(), {0, 2, 1, 5, 4, 3, 7, 6}), {});
  check_same(faults(tree(), {0, 2, 1, 5, 4, 3, 7, 6}, {.strict = true}),
             {"ties: vertex 3 at place 5 comes after its sibling 4 of the same degree"});
  check_same(faults(graph{}, {}, strict), {});
}

BOOST_AUTO_TEST_CASE(each_wrong_order_of_a_tree_is_refused) {
  for (auto const& [order, fault] : std::vector<std::pair<vertices, std::string>>{
           {{0, 1, 2, 3, 4, 5, 6, 7},
            "degrees: vertex 2 of degree 2 at place 2 comes after its sibling 1 of degree 3"},
           {{0, 5, 3, 4, 2, 1, 6, 7},
            "levels: vertex 2 of level 1 at place 4 comes after vertex 4 of level 2"},
           {{0, 2, 1, 3, 4, 5, 6, 7},
            "first parents: vertex 5 at place 5 has its first parent at place 1, vertex 4 before "
            "it at place 2"},
           {{0, 2, 1}, "permutation: expected 8 vertices, got 3"},
           {{0, 2, 1, 5, 3, 3, 6, 7}, "permutation: vertex 3 is at place 4 and again at 5"},
           {{0, 2, 1, 5, 3, 4, 6, 8}, "permutation: place 7 holds 8, not a vertex below 8"}}) {
    auto const found = faults(tree(), order);
    BOOST_TEST_REQUIRE(!found.empty());
    BOOST_TEST(found[0] == fault);
    // Only swapped levels have more faults.
    BOOST_TEST((found.size() == 1 || fault.starts_with("levels")));
  }
}

BOOST_AUTO_TEST_CASE(torn_components_are_refused) {
  graph const pairs = graph_by(5, {{0, 2}, {1, 3}});
  check_same(faults(pairs, {0, 2, 1, 3, 4}, strict), {});
  check_same(faults(pairs, {0, 1, 2, 3, 4}),
             {"components: place 2 returns to the component of vertex 0",
              "components: place 3 returns to the component of vertex 1"});
  check_same(faults(pairs, {4, 1, 3, 0, 2}), {});
  check_same(faults(pairs, {4, 1, 3, 0, 2}, {.strict = true}),
             {"component order: the component of vertex 1 comes after that of vertex 4, at place 1",
              "component order: the component of vertex 0 comes after that of vertex 1, at place "
              "3"});
}

BOOST_AUTO_TEST_CASE(foreign_start_nodes_are_refused) {
  // Right, except for its start node.
  vertices const order{0, 2, 1, 5, 3, 4, 6, 7};
  check_same(faults(tree(), order, {.starts = start_options{}}),
             {"start node: expected a pseudo-peripheral vertex, got vertex 0 of eccentricity 3 "
              "where vertex 6 of its last level has 5"});
  check_same(
      faults(tree(), order, {.starts = start_options{.strategy = start_strategy::minimum_degree}}),
      {"start node: expected a vertex of least degree, got vertex 0 of degree 2 where vertex 5 "
       "has degree 1"});
  validity wanted{.starts = start_options{.strategy = start_strategy::given, .node = 3}};
  check_same(faults(tree(), order, wanted), {"start node: expected vertex 3 at place 0, got 0"});
  wanted.starts->node = 0;
  check_same(faults(tree(), order, wanted), {});
  // Components without the given node still need pseudo-peripheral start nodes.
  graph const paths = graph_by(6, {{0, 1}, {1, 2}, {3, 4}, {4, 5}});
  wanted.starts->node = 1;
  check_same(faults(paths, {1, 0, 2, 5, 4, 3}, wanted), {});
  check_same(faults(paths, {1, 0, 2, 4, 3, 5}, wanted),
             {"start node: expected a pseudo-peripheral vertex, got vertex 4 of eccentricity 1 "
              "where vertex 3 of its last level has 2"});
}

BOOST_AUTO_TEST_CASE(the_strict_check_wants_the_smallest_vertex_of_least_degree) {
  graph const path = graph_by(3, {{0, 1}, {1, 2}});
  validity wanted{.starts = start_options{.strategy = start_strategy::minimum_degree}};
  check_same(faults(path, {2, 1, 0}, wanted), {});
  wanted.strict = true;
  check_same(faults(path, {0, 1, 2}, wanted), {});
  check_same(faults(path, {2, 1, 0}, wanted),
             {"start node: expected a vertex of least degree, got vertex 2 of degree 1 where "
              "vertex 0 has degree 1"});
}

BOOST_AUTO_TEST_CASE(faults_beyond_the_limit_are_counted) {
  check_same(faults(graph_from("isolated:n=5"), {0, 0, 0, 0, 9}, {.most_faults = 2}),
             {"permutation: vertex 0 is at place 0 and again at 1",
              "permutation: vertex 0 is at place 0 and again at 2", "and 2 more"});
}

BOOST_AUTO_TEST_CASE(start_options_that_no_search_supports_are_errors) {
  auto const message = [](start_options const& options) {
    return test::message_of<std::invalid_argument>([&] {
      (void)faults(tree(), {0, 2, 1, 5, 3, 4, 6, 7}, {.starts = options});
    });
  };
  BOOST_TEST(message({.most_candidates = 0}) == "faults_of: expected at least 1 candidate, got 0");
  BOOST_TEST(message({.strategy = start_strategy::given, .node = 8}) ==
             "faults_of: expected a node below 8, got 8");
}

BOOST_AUTO_TEST_CASE(generated_graphs_have_valid_orders) {
  for (std::string const& spec : test::small_specs()) {
    graph const of = graph_from(spec);
    for (start_options const& options :
         std::vector<start_options>{{},
                                    {.most_candidates = 1},
                                    {.most_candidates = 1000},
                                    {.strategy = start_strategy::minimum_degree},
                                    {.strategy = start_strategy::given, .node = of.num_rows / 2}}) {
      if (options.strategy == start_strategy::given && of.num_rows == 0) continue;
      BOOST_TEST_CONTEXT(spec << ", strategy " << static_cast<int>(options.strategy)) {
        serial_order const order =
            order_from(graph_of(of), nodes_of(find_starts(graph_of(of), options)));
        validity const wanted{.starts = options, .strict = true};
        check_same(faults(of, order.cuthill_mckee, wanted), {});
        check_same(faults(test::with_diagonal(of), order.cuthill_mckee, wanted), {});
      }
    }
  }
}

// The graphs are so large that searches sample rows several times, and use both loops of
// new_neighbours.hpp.
BOOST_AUTO_TEST_CASE(large_graphs_have_valid_orders) {
  for (std::string const spec :
       {"p1:nx=150,ny=140", "p1:nx=150,ny=140,shuffle=1", "rgg:n=20000,degree=3", "stencil27:nx=12",
        "union(poisson2d:nx=90;rgg:n=9000;path:n=5000;star:n=4000)",
        "union(scale_free:n=9000,nnz=60000;isolated:n=9000;random:n=300,nnz=89700):shuffle=1"}) {
    BOOST_TEST_CONTEXT(spec) {
      graph const of = graph_from(spec);
      serial_order const order = order_from(graph_of(of), nodes_of(find_starts(graph_of(of))));
      check_same(faults(of, order.cuthill_mckee, strict), {});
    }
  }
}

// The strict check accepts only one order, so it refuses every swap of two vertices.
BOOST_AUTO_TEST_CASE(any_two_vertices_swapped_are_refused) {
  random_source random{21};
  for (std::string const& spec : test::small_specs()) {
    BOOST_TEST_CONTEXT(spec) {
      graph const of = graph_from(spec);
      if (of.num_rows < 2) continue;
      vertices const starts = nodes_of(find_starts(graph_of(of)));
      vertices const order = order_from(graph_of(of), starts).cuthill_mckee;
      for (int k = 0; k < 200; ++k) {
        std::uint64_t const a = random.below(order.size());
        std::uint64_t const b = k % 2 == 0 ? (a + 1) % order.size() : random.below(order.size());
        if (a == b) continue;
        vertices wrong = order;
        std::swap(wrong[a], wrong[b]);
        // Without a rule for start nodes, the order from another start node is right.
        vertices others;
        for (std::uint32_t const start : starts) {
          others.push_back(start == order[a] ? order[b] : start == order[b] ? order[a] : start);
        }
        if (wrong == test::brute_force_order(of, others)) continue;
        BOOST_TEST(!faults(of, wrong, {.strict = true}).empty(), "swapped " << a << " and " << b);
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace gridloom::mhive::rcm
