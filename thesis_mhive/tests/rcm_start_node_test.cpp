// Compares start nodes with results by hand. Requires, with distances by brute force, that no
// candidate has a larger eccentricity than the start node.
#include "start_node.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <stdexcept>

#include "gridloom/sparse/measures.hpp"
#include "rcm_support.hpp"
#include "test_support.hpp"

namespace gridloom::mhive::rcm {

static std::ostream& operator<<(std::ostream& out, start_node const& start) {
  return out << "node " << start.node << ", eccentricity " << start.eccentricity << ", end "
             << start.end << ", searches " << start.num_searches;
}

BOOST_AUTO_TEST_SUITE(rcm_start_node_test)

namespace {

using namespace test;

void check_starts(graph const& of, start_options const& options,
                  std::vector<start_node> const& expected) {
  BOOST_TEST(find_starts(graph_of(of), options) == expected, per_element());
}

// Returns the candidates that the search must have tried: the vertices farthest from `node`, by
// least degree, then least number.
vertices candidates_of(graph const& of, vertices const& distance, std::uint32_t most) {
  std::uint32_t const farthest = test::eccentricity_in(distance);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> last;
  for (std::uint32_t v = 0; v < of.num_rows; ++v) {
    if (distance[v] == farthest) last.emplace_back(degree_of(graph_of(of), v), v);
  }
  std::sort(last.begin(), last.end());
  vertices found;
  for (std::size_t k = 0; k < std::min<std::size_t>(most, last.size()); ++k) {
    found.push_back(last[k].second);
  }
  return found;
}

}  // namespace

BOOST_AUTO_TEST_CASE(start_nodes_by_hand) {
  // The path is 3 - 1 - 0 - 2 - 4. The search from 0 ends at 3 and 4. The search from 3 ends at 4,
  // which has no larger eccentricity.
  check_starts(graph_by(5, {{3, 1}, {1, 0}, {0, 2}, {2, 4}}), {}, {{3, 4, 4, 3}});
  check_starts(graph_by(2, {{0, 1}}), {}, {{0, 1, 1, 2}});
  graph const star = graph_from("star:n=20");
  check_starts(star, {}, {{1, 2, 3, 4}});
  check_starts(star, {.most_candidates = 1}, {{1, 2, 2, 3}});
  check_starts(star, {.most_candidates = 100}, {{1, 2, 19, 20}});
  // Isolated vertices need no search.
  check_starts(graph_by(4, {{1, 3}}, {0, 1}), {}, {{0, 0, 0, 0}, {1, 1, 3, 2}, {2, 0, 2, 0}});
  check_starts(graph{}, {}, {});
  check_starts(graph_by(2, {}, {0, 1}), {.strategy = start_strategy::minimum_degree},
               {{0, 0, 0, 0}, {1, 0, 1, 0}});
}

BOOST_AUTO_TEST_CASE(more_candidates_find_nodes_farther_out) {
  std::uint32_t farther = 0;
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    graph const of = graph_from("scale_free:n=60,nnz=150,shuffle=1,seed=" + std::to_string(seed));
    std::uint32_t const by_one = find_starts(graph_of(of), {.most_candidates = 1})[0].eccentricity;
    std::uint32_t const by_all = find_starts(graph_of(of), {.most_candidates = 60})[0].eccentricity;
    BOOST_TEST(by_one <= by_all);
    farther += by_one < by_all ? 1U : 0U;
  }
  BOOST_TEST(farther > 0U);
}

BOOST_AUTO_TEST_CASE(least_degree_then_smallest_number) {
  // The graph is a triangle and a path whose vertices 0 to 4 have the degrees 2, 2, 1, 1, 2.
  graph const of = graph_by(8, {{3, 0}, {0, 4}, {4, 1}, {1, 2}, {5, 6}, {6, 7}, {5, 7}}, {2});
  vertices const nodes =
      nodes_of(find_starts(graph_of(of), {.strategy = start_strategy::minimum_degree}));
  vertices const expected{2, 5};
  BOOST_TEST(nodes == expected, per_element());
}

BOOST_AUTO_TEST_CASE(a_given_node_starts_its_component_only) {
  graph const of = graph_by(7, {{0, 1}, {1, 2}, {3, 4}, {4, 5}});
  auto const nodes = [&](std::uint32_t node) {
    return nodes_of(find_starts(graph_of(of), {.strategy = start_strategy::given, .node = node}));
  };
  BOOST_TEST((nodes(1) == vertices{1, 3, 6}));
  BOOST_TEST((nodes(4) == vertices{0, 4, 6}));
  BOOST_TEST((nodes(6) == vertices{0, 3, 6}));
  BOOST_TEST(test::message_of<std::invalid_argument>([&] { (void)nodes(7); }) ==
             "find_starts: expected a node below 7, got 7");
  BOOST_TEST(test::message_of<std::invalid_argument>([&] {
               (void)find_starts(graph_of(of), {.most_candidates = 0});
             }) == "find_starts: expected at least 1 candidate, got 0");
}

BOOST_AUTO_TEST_CASE(several_threads_find_the_same_as_one) {
  // Some components are large enough for threads, and others are not.
  graph const of =
      graph_from("union(poisson2d:nx=230,ny=190;scale_free:n=20000,nnz=60000;path:n=9*3)");
  for (std::uint32_t const most : {1U, 2U, 3U, 7U}) {
    auto const by_one = find_starts(graph_of(of), {.most_candidates = most});
    for (int const threads : {2, 3, 16}) {
      BOOST_TEST_CONTEXT(most << " candidates, " << threads << " threads") {
        BOOST_TEST((find_starts(graph_of(of), {.most_candidates = most}, threads) == by_one));
      }
    }
  }
  BOOST_TEST(gridloom::test::message_of<std::invalid_argument>([&] {
               (void)find_starts(graph_of(of), {}, 0);
             }) == "find_starts: expected at least 1 thread, got 0");
}

BOOST_AUTO_TEST_CASE(no_candidate_is_farther_out_than_the_start_node) {
  for (std::string const& spec : test::small_specs()) {
    graph const of = graph_from(spec);
    auto const distance = test::all_distances(of);
    auto const components = sparse::components_of(of);
    for (std::uint32_t const most : {1U, 2U, 5U, 1000U}) {
      BOOST_TEST_CONTEXT(spec << ", candidates " << most) {
        std::vector<start_node> const starts = find_starts(graph_of(of), {.most_candidates = most});
        BOOST_TEST_REQUIRE(starts.size() == components.count());
        for (std::uint32_t c = 0; c < starts.size(); ++c) {
          start_node const& start = starts[c];
          BOOST_TEST(components.component[start.node] == c);
          BOOST_TEST(start.eccentricity == test::eccentricity_in(distance[start.node]));
          BOOST_TEST(distance[start.node][start.end] == start.eccentricity);
          vertices const candidates = candidates_of(of, distance[start.node], most);
          BOOST_TEST(start.end == candidates.back());
          for (std::uint32_t const v : candidates) {
            BOOST_TEST(test::eccentricity_in(distance[v]) <= start.eccentricity);
          }
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_component_with_more_searches_than_a_stamp_holds_is_ordered) {
  // Every vertex but 0 is a candidate. The search in the second component must start anew.
  graph const of = graph_from("union(random:n=600,nnz=359400;path:n=3)");
  check_starts(of, {.most_candidates = 600}, {{0, 1, 599, 600}, {600, 2, 602, 2}});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace gridloom::mhive::rcm
