#include <bit>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "generate_support.hpp"

BOOST_AUTO_TEST_SUITE(generate_systems_test)

using namespace gridloom::test;

BOOST_AUTO_TEST_CASE(trefethen_follows_its_definition) {
  std::vector<std::uint32_t> primes;
  for (std::uint32_t candidate = 2; primes.size() < 2000; ++candidate) {
    bool is_prime = true;
    for (std::uint32_t const prime : primes) is_prime = is_prime && candidate % prime != 0;
    if (is_prime) primes.push_back(candidate);
  }
  for (std::uint32_t n = 1; n <= 2000; n = n < 40 ? n + 1 : 5 * n / 4 + 1) {
    real_matrix const matrix = made<double>("trefethen:n=" + std::to_string(n));
    BOOST_TEST_REQUIRE(matrix.num_rows == n);
    std::uint64_t at = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      for (std::uint32_t j = 0; j < n; ++j) {
        std::uint32_t const apart = i < j ? j - i : i - j;
        if (apart != 0 && std::popcount(apart) != 1) continue;
        if (at >= matrix.num_entries() || matrix.columns[at] != j ||
            matrix.values[at] != (apart == 0 ? primes[i] : 1.0)) {
          BOOST_FAIL("wrong at " << i << ", " << j << " of n=" << n);
        }
        ++at;
      }
    }
    BOOST_TEST(matrix.num_entries() == at);
  }
}

BOOST_AUTO_TEST_CASE(
    trefethen_2000_is_that_of_the_collection_and_larger_ones_end_with_known_primes) {
  real_matrix const matrix = made<double>("trefethen:n=2000");
  BOOST_TEST(matrix.num_entries() == 41906U);
  BOOST_TEST(matrix.values.back() == 17389.0);
  // The 10,000th prime is 104729, and the 100,000th is 1299709.
  BOOST_TEST(made<double>("trefethen:n=10000").values.back() == 104729.0);
  BOOST_TEST(made<double>("trefethen:n=100000").values.back() == 1299709.0);
}

BOOST_AUTO_TEST_CASE(dominant_matrices_have_exactly_the_entries_asked_for) {
  for (auto const& [n, nnz] : sizes{{1, 1},
                                    {2, 2},
                                    {2, 4},
                                    {5, 11},
                                    {7, 49},
                                    {40, 40},
                                    {40, 42},
                                    {40, 800},
                                    {40, 1598},
                                    {40, 1600},
                                    {3000, 33000}}) {
    std::string const spec = "dominant:n=" + std::to_string(n) + ",nnz=" + std::to_string(nnz);
    real_matrix const matrix = made<double>(spec);
    BOOST_TEST(matrix.num_rows == n, spec);
    BOOST_TEST(matrix.num_entries() == nnz, spec);
    BOOST_TEST(has_symmetric_values(matrix), spec);
    for (std::uint32_t row = 0; row < n; ++row) BOOST_TEST_REQUIRE(has_entry(matrix, row, row));
    BOOST_TEST(jacobi_factor(matrix) < 0.8000001, spec);
  }
}

BOOST_AUTO_TEST_CASE(dominance_is_the_ratio_of_the_diagonal_to_the_rest) {
  for (double const dominance : {1.001, 1.5, 1e6}) {
    real_matrix const matrix =
        made<double>("dominant:n=500,nnz=5500,dominance=" + std::to_string(dominance));
    BOOST_TEST(jacobi_factor(matrix) < 1.0);
    BOOST_TEST(jacobi_factor(matrix) * dominance == 1.0, boost::test_tools::tolerance(1e-12));
  }
}

BOOST_AUTO_TEST_CASE(random_values_have_both_signs_and_fill_the_unit_interval) {
  real_matrix const matrix = made<double>("dominant:n=500,nnz=20500");
  double sum = 0.0;
  double magnitude = 0.0;
  for (auto const& [place, value] : entries_of(matrix)) {
    if (place.first >= place.second) continue;
    BOOST_TEST_REQUIRE(value != 0.0);
    BOOST_TEST_REQUIRE(std::abs(value) <= 1.0);
    sum += value;
    magnitude += std::abs(value);
  }
  BOOST_TEST(std::abs(sum / 10000) < 0.03);
  BOOST_TEST(std::abs(magnitude / 10000 - 0.5) < 0.02);
}

BOOST_AUTO_TEST_CASE(presets_have_the_sizes_of_the_thesis_and_are_its_dominant_matrices) {
  struct size {
    std::string name;
    std::uint32_t n;
    std::uint64_t nnz;
  };
  for (size const& wanted : {size{"A3", 10000, 109976}, size{"A4", 10000, 209876},
                             size{"A5", 20000, 539824}, size{"A6", 32000, 431942}}) {
    real_matrix const matrix = made<double>(wanted.name + ":seed=9");
    BOOST_TEST(matrix.num_rows == wanted.n);
    BOOST_TEST(matrix.num_entries() == wanted.nnz);
    BOOST_TEST(jacobi_factor(matrix) < 0.8000001);
    BOOST_TEST((matrix == made<double>("dominant:seed=9,n=" + std::to_string(wanted.n) +
                                       ",nnz=" + std::to_string(wanted.nnz))));
  }
  BOOST_TEST(jacobi_factor(made<double>("A3:dominance=2")) < 0.5000001);
}

BOOST_AUTO_TEST_SUITE_END()
