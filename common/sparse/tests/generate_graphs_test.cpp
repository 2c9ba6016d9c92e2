#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "generate_support.hpp"
#include "gridloom/random.hpp"

BOOST_AUTO_TEST_SUITE(generate_graphs_test)

using namespace gridloom::test;

namespace {

pattern graph_of(std::string const& spec) { return made<gridloom::sparse::no_value>(spec); }

using row_list = std::vector<std::vector<std::uint32_t>>;

row_list rows_of(pattern const& graph) {
  row_list rows;
  for (std::uint32_t row = 0; row < graph.num_rows; ++row) {
    rows.emplace_back(graph.row(row).begin(), graph.row(row).end());
  }
  return rows;
}

std::vector<std::uint64_t> degrees_of(pattern const& graph) {
  std::vector<std::uint64_t> degrees;
  for (std::uint32_t row = 0; row < graph.num_rows; ++row) degrees.push_back(graph.row(row).size());
  return degrees;
}

double average_degree(pattern const& graph) {
  return static_cast<double>(graph.num_entries()) / graph.num_rows;
}

// Counts the pairs of points within the radius by comparing all pairs.
std::uint64_t pairs_within(std::uint32_t n, std::uint64_t seed, double radius) {
  gridloom::random_source source{seed};
  std::vector<std::pair<long double, long double>> points;
  for (std::uint32_t i = 0; i < n; ++i) {
    std::uint64_t const word = source.next();
    points.emplace_back(static_cast<long double>(word >> 33U) * 0x1p-31L,
                        static_cast<long double>(word & 0x7fffffffU) * 0x1p-31L);
  }
  std::uint64_t pairs = 0;
  for (auto const& a : points) {
    for (auto const& b : points) {
      pairs += &a != &b && std::hypot(a.first - b.first, a.second - b.second) <= radius ? 1U : 0U;
    }
  }
  return pairs;
}

}  // namespace

BOOST_AUTO_TEST_CASE(small_graphs_are_what_their_names_say) {
  BOOST_TEST((rows_of(graph_of("path:n=1")) == row_list{{}}));
  BOOST_TEST((rows_of(graph_of("path:n=4")) == row_list{{1}, {0, 2}, {1, 3}, {2}}));
  BOOST_TEST((rows_of(graph_of("star:n=4")) == row_list{{1, 2, 3}, {0}, {0}, {0}}));
  BOOST_TEST((rows_of(graph_of("star:n=1")) == row_list{{}}));
  BOOST_TEST((rows_of(graph_of("isolated:n=2")) == row_list{{}, {}}));
  BOOST_TEST(graph_of("isolated:n=0").num_rows == 0U);
}

BOOST_AUTO_TEST_CASE(random_graphs_have_exactly_the_entries_asked_for) {
  for (auto const& [n, nnz] :
       sizes{{1, 0}, {2, 2}, {9, 0}, {9, 2}, {9, 36}, {9, 70}, {9, 72}, {5000, 40000}}) {
    std::string const spec = "random:n=" + std::to_string(n) + ",nnz=" + std::to_string(nnz);
    pattern const graph = graph_of(spec);
    BOOST_TEST(graph.num_rows == n, spec);
    BOOST_TEST(graph.num_entries() == nnz, spec);
    BOOST_TEST(is_graph(graph), spec);
  }
}

BOOST_AUTO_TEST_CASE(every_edge_is_equally_likely_in_sparse_and_dense_random_graphs) {
  // Each of the 10 possible edges is in 3/10 or 7/10 of the 10,000 graphs. The standard deviation
  // of this number is 46.
  for (std::uint32_t const edges : {3U, 7U}) {
    std::vector<std::uint32_t> found(25);
    for (std::uint32_t seed = 0; seed < 10000; ++seed) {
      pattern const graph =
          graph_of("random:n=5,nnz=" + std::to_string(2 * edges) + ",seed=" + std::to_string(seed));
      for (std::uint32_t u = 0; u < 5; ++u) {
        for (std::uint32_t const v : graph.row(u)) ++found[u * 5 + v];
      }
    }
    for (std::uint32_t u = 0; u < 5; ++u) {
      for (std::uint32_t v = 0; v < 5; ++v) {
        double const wanted = u == v ? 0.0 : 1000.0 * edges;
        BOOST_TEST(std::abs(found[u * 5 + v] - wanted) <= (u == v ? 0.0 : 230.0));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(geometric_graphs_join_exactly_the_points_within_the_radius) {
  for (double const radius : {0.01, 0.05, 0.125, 0.3, 0.5, 0.9, 1.0}) {
    for (std::uint32_t const n : {1U, 2U, 3U, 60U, 400U}) {
      std::string const spec =
          "rgg:n=" + std::to_string(n) + ",radius=" + std::to_string(radius) + ",seed=5";
      pattern const graph = graph_of(spec);
      BOOST_TEST(graph.num_rows == n, spec);
      BOOST_TEST(is_graph(graph), spec);
      BOOST_TEST(graph.num_entries() == pairs_within(n, 5, radius), spec);
    }
  }
}

BOOST_AUTO_TEST_CASE(geometric_graphs_have_the_expected_degree_boundary_included) {
  // Points near the boundary have fewer neighbours. If the generator ignored this, degrees would be
  // 4 to 20 % lower.
  for (double const degree : {12.0, 50.0, 300.0}) {
    double sum = 0.0;
    for (int seed = 1; seed <= 10; ++seed) {
      sum += average_degree(graph_of("rgg:n=2000,degree=" + std::to_string(degree) +
                                     ",seed=" + std::to_string(seed)));
    }
    BOOST_TEST(sum / 10 == degree, boost::test_tools::tolerance(0.02));
  }
  BOOST_TEST(graph_of("rgg:n=50,degree=0").num_entries() == 0U);
  BOOST_TEST(graph_of("rgg:n=1,degree=1").num_entries() == 0U);
}

BOOST_AUTO_TEST_CASE(geometric_graphs_are_numbered_by_place) {
  // Neighbours are in adjacent rows of cells, each of which has about sqrt(n) * cell side points.
  pattern const graph = graph_of("rgg:n=10000,degree=12");
  std::uint32_t widest = 0;
  for (std::uint32_t row = 0; row < graph.num_rows; ++row) {
    for (std::uint32_t const column : graph.row(row)) {
      widest = std::max(widest, column > row ? column - row : row - column);
    }
  }
  BOOST_TEST(widest < 10000U / 10);
}

BOOST_AUTO_TEST_CASE(scale_free_graphs_are_connected_and_have_exactly_the_entries_asked_for) {
  for (auto const& [n, nnz] : sizes{{1, 0},
                                    {2, 2},
                                    {3, 4},
                                    {50, 98},
                                    {50, 100},
                                    {50, 600},
                                    {50, 1224},
                                    {3000, 6000},
                                    {3000, 120000}}) {
    for (int seed = 1; seed <= 5; ++seed) {
      std::string const spec = "scale_free:n=" + std::to_string(n) + ",nnz=" + std::to_string(nnz) +
                               ",seed=" + std::to_string(seed);
      pattern const graph = graph_of(spec);
      BOOST_TEST(graph.num_rows == n, spec);
      BOOST_TEST(graph.num_entries() == nnz, spec);
      BOOST_TEST(is_graph(graph), spec);
      BOOST_TEST(is_connected(graph), spec);
    }
  }
}

BOOST_AUTO_TEST_CASE(degrees_of_scale_free_graphs_have_a_heavy_tail) {
  // The density of com-Youtube is 1.63 further edges per vertex, which gives an exponent of 2.23.
  constexpr double exponent = 2.0 + 1.0 / (1.0 + 2.0 * 1.63);
  for (int seed = 1; seed <= 3; ++seed) {
    std::string const rest = ":n=100000,nnz=526000,seed=" + std::to_string(seed);
    auto degrees = degrees_of(graph_of("scale_free" + rest));
    std::sort(degrees.begin(), degrees.end());
    auto const at_least = [&](std::uint64_t degree) {
      return static_cast<double>(degrees.end() -
                                 std::lower_bound(degrees.begin(), degrees.end(), degree));
    };
    // A share of 2^(1 - exponent) of the vertices with a degree of at least d has at least 2 d.
    for (std::uint64_t degree = 8; degree <= 64; degree *= 2) {
      double const left = at_least(2 * degree) / at_least(degree);
      BOOST_TEST(left == std::pow(2.0, 1.0 - exponent), boost::test_tools::tolerance(0.15));
    }
    BOOST_TEST(degrees.back() > 1000U);
    BOOST_TEST(1.0 - at_least(2) / 100000 > 0.45);
    auto const uniform = degrees_of(graph_of("random" + rest));
    BOOST_TEST(*std::max_element(uniform.begin(), uniform.end()) < 30U);
  }
}

BOOST_AUTO_TEST_SUITE_END()
