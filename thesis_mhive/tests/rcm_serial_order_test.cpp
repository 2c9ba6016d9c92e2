// Compares the serial order with results by hand and with Algorithm 7.1 by brute force.
#include "serial_order.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <numeric>
#include <stdexcept>

#include "gridloom/error.hpp"
#include "gridloom/host_time_limit.hpp"
#include "gridloom/sparse/measures.hpp"
#include "rcm_support.hpp"
#include "start_node.hpp"
#include "test_support.hpp"
#include "validate.hpp"

namespace gridloom::mhive::rcm {

static std::ostream& operator<<(std::ostream& out, component_order const& part) {
  return out << part.begin << " to " << part.end << " from " << part.start << ", "
             << part.num_levels << " levels";
}

BOOST_AUTO_TEST_SUITE(rcm_serial_order_test)

namespace {

using namespace test;

void check_same(vertices const& got, vertices const& expected) {
  BOOST_TEST(got == expected, per_element());
}

serial_order ordered(graph const& of, vertices const& starts) {
  return order_from(graph_of(of), starts);
}

void check_components(serial_order const& got, std::vector<component_order> const& expected) {
  BOOST_TEST(got.components == expected, per_element());
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_path_is_ordered_along_itself) {
  graph const path = graph_by(5, {{0, 3}, {3, 1}, {1, 4}, {4, 2}});
  serial_order const from_end = ordered(path, {0});
  check_same(from_end.cuthill_mckee, {0, 3, 1, 4, 2});
  check_same(from_end.reversed(), {2, 4, 1, 3, 0});
  check_components(from_end, {{0, 5, 0, 5}});
  serial_order const from_middle = ordered(path, {1});
  check_same(from_middle.cuthill_mckee, {1, 3, 4, 0, 2});
  check_components(from_middle, {{0, 5, 1, 3}});
}

BOOST_AUTO_TEST_CASE(siblings_come_by_degree_and_after_those_of_earlier_parents) {
  // Vertex 0 has the neighbours 1, 2 and 3. 1 has two more neighbours, 2 has one, and 3 has none,
  // so their order is 3, 2, 1. Then 2's child comes before 1's children.
  graph const tree = graph_by(7, {{0, 1}, {0, 2}, {0, 3}, {1, 4}, {1, 5}, {2, 6}});
  check_same(ordered(tree, {0}).cuthill_mckee, {0, 3, 2, 1, 6, 4, 5});
  // A child of two parents belongs to the first one: 4, a neighbour of 1 and 2, belongs to 1.
  graph const diamond = graph_by(6, {{0, 1}, {0, 2}, {1, 4}, {2, 4}, {2, 3}, {2, 5}});
  check_same(ordered(diamond, {0}).cuthill_mckee, {0, 1, 2, 4, 3, 5});
}

BOOST_AUTO_TEST_CASE(components_and_isolated_vertices_come_in_the_order_of_the_start_nodes) {
  // The components are 0 - 4, 1, 2 - 5 - 3, and 6.
  graph const parts = graph_by(7, {{0, 4}, {2, 5}, {5, 3}});
  serial_order const order = ordered(parts, {4, 1, 3, 6});
  check_same(order.cuthill_mckee, {4, 0, 1, 3, 5, 2, 6});
  check_components(order, {{0, 2, 4, 2}, {2, 3, 1, 1}, {3, 6, 3, 3}, {6, 7, 6, 1}});
  check_same(order.reversed(), {6, 2, 5, 3, 1, 0, 4});
  check_same(ordered(parts, {6, 2, 0, 1}).cuthill_mckee, {6, 2, 5, 3, 0, 4, 1});
}

BOOST_AUTO_TEST_CASE(a_stored_diagonal_entry_is_not_a_neighbour) {
  // Vertices 1 and 2 have one neighbour each, but the row of 1 is longer because of its diagonal
  // entry.
  graph const star = graph_by(3, {{0, 1}, {0, 2}}, {1});
  BOOST_TEST(degree_of(graph_of(star), 1) == 1U);
  check_same(ordered(star, {0}).cuthill_mckee, {0, 1, 2});
  // Tests the same for rows that are too long for a scan.
  graph const complete = test::with_diagonal(graph_from("random:n=100,nnz=9900"));
  BOOST_TEST(degree_of(graph_of(complete), 50) == 99U);
}

BOOST_AUTO_TEST_CASE(there_must_be_one_start_node_per_component) {
  graph const parts = graph_by(4, {{0, 2}, {1, 3}});
  auto const message = [&](vertices const& starts) {
    return test::message_of<std::invalid_argument>([&] { (void)ordered(parts, starts); });
  };
  std::string const expected = "order_from: expected one start node per component, got ";
  BOOST_TEST(message({0}) == expected + "none for that of vertex 1");
  BOOST_TEST(message({0, 2}) == expected + "vertex 2 of a component ordered before");
  BOOST_TEST(message({0, 1, 3}) == expected + "vertex 3 of a component ordered before");
  BOOST_TEST(message({4}) == expected + "vertex 4 of 4 vertices");
  sparse::csr_matrix<double> const wide{1, 2, {0, 0}, {}, {}};
  BOOST_TEST(test::message_of<std::invalid_argument>([&] { (void)graph_of(wide); }) ==
             "graph_of: expected a square matrix, got 1 x 2");
}

BOOST_AUTO_TEST_CASE(orders_are_those_of_the_published_algorithm) {
  for (std::string const& spec : test::small_specs()) {
    BOOST_TEST_CONTEXT(spec) {
      graph const of = graph_from(spec);
      graph const stored = test::with_diagonal(of);
      for (start_strategy const strategy :
           {start_strategy::pseudo_peripheral, start_strategy::minimum_degree}) {
        start_options const options{.strategy = strategy};
        vertices const starts = nodes_of(find_starts(graph_of(of), options));
        serial_order const order = ordered(of, starts);
        check_same(order.cuthill_mckee, test::brute_force_order(of, starts));
        check_same(ordered(stored, starts).cuthill_mckee, order.cuthill_mckee);
        check_same(nodes_of(find_starts(graph_of(stored), options)), starts);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(any_vertex_may_start) {
  for (std::string const spec : {"p1:nx=6,ny=5,shuffle=1", "scale_free:n=40,nnz=120"}) {
    graph const of = graph_from(spec);
    auto const distance = test::all_distances(of);
    for (std::uint32_t v = 0; v < of.num_rows; ++v) {
      BOOST_TEST_CONTEXT(spec << " from " << v) {
        serial_order const order = ordered(of, {v});
        check_same(order.cuthill_mckee, test::brute_force_order(of, {v}));
        check_components(order, {{0, of.num_rows, v, test::eccentricity_in(distance[v]) + 1}});
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(long_lists_of_siblings_are_sorted) {
  // Makes a shuffled star whose leaf k has k % 7 further leaves.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  std::uint32_t n = 1000;
  for (std::uint32_t v = 1; v < 1000; ++v) {
    edges.emplace_back(0, v);
    for (std::uint32_t k = 0; k < v % 7; ++k) edges.emplace_back(v, n++);
  }
  graph const tree = graph_by(n, edges);
  vertices const order = ordered(tree, {0}).cuthill_mckee;
  vertices expected(999);
  std::iota(expected.begin(), expected.end(), 1U);
  std::stable_sort(expected.begin(), expected.end(),
                   [](std::uint32_t a, std::uint32_t b) { return a % 7 < b % 7; });
  check_same({order.begin() + 1, order.begin() + 1000}, expected);
}

BOOST_AUTO_TEST_CASE(a_time_limit_ends_the_search_and_the_ordering) {
  graph const large = graph_from("poisson2d:nx=200,ny=200");
  graph const isolated = sparse::csr_matrix<sparse::no_value>{
      20'000, 20'000, std::vector<std::uint64_t>(20'001, 0), {}, {}};
  std::string const late = "timeout after 0 s (--timeout-s): ";
  host_time_limit const limit{0.0};
  for (graph const* of : {&large, &isolated}) {
    for (int const threads : {1, 2}) {
      BOOST_TEST(message_of<timeout_error>([&] {
                   (void)find_starts(graph_of(*of), {}, threads);
                 }) == late + "search for the start nodes on the host");
    }
  }
  BOOST_TEST(message_of<timeout_error>([&] { (void)order_from(graph_of(large), {{0U}}); }) ==
             late + "ordering on the host");
}

BOOST_AUTO_TEST_CASE(a_shuffled_band_becomes_narrow_again) {
  graph const shuffled = graph_from("poisson2d:nx=300,ny=20,shuffle=1");
  serial_order const order = ordered(shuffled, nodes_of(find_starts(graph_of(shuffled))));
  graph const reordered = sparse::permute(shuffled, order.reversed());
  BOOST_TEST(sparse::band_of(shuffled).half() > 1000U);
  BOOST_TEST(sparse::band_of(reordered).half() <= 21U);
  BOOST_TEST(sparse::thesis_bandwidth(reordered) <= 43U);
  BOOST_TEST(sparse::components_of(reordered).count() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace gridloom::mhive::rcm
