#include "gridloom/sparse/transform.hpp"

#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "gridloom/sparse/measures.hpp"
#include "matrices.hpp"
#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(transform_test)

using namespace gridloom::sparse;
using namespace gridloom::test;
using gridloom::random_source;

namespace {

using value_types = boost::mpl::list<no_value, float, double>;

}  // namespace

BOOST_AUTO_TEST_CASE(a_transpose_by_hand) {
  BOOST_TEST(transpose(matrix_of<double>({{1, 0, 2}, {0, 3, 4}})) ==
             matrix_of<double>({{1, 0}, {0, 3}, {2, 4}}));
}

BOOST_AUTO_TEST_CASE(a_permutation_by_hand) {
  // Row and column 2 come first, then 0, then 1.
  std::vector<std::uint32_t> const order{2, 0, 1};
  BOOST_TEST(permute(matrix_of<double>({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}), order) ==
             matrix_of<double>({{9, 7, 8}, {3, 1, 2}, {6, 4, 5}}));
}

BOOST_AUTO_TEST_CASE(a_symmetric_pattern_by_hand) {
  BOOST_TEST(symmetrise(matrix_of<no_value>({{0, 1, 1}, {0, 0, 0}, {0, 1, 0}})) ==
             matrix_of<no_value>({{0, 1, 1}, {1, 0, 1}, {1, 1, 0}}));
}

BOOST_AUTO_TEST_CASE(blocks_by_hand) {
  std::vector const parts{matrix_of<double>({{1, 2}}), matrix_of<double>({}),
                          matrix_of<double>({{3}, {4}})};
  BOOST_TEST(block_diagonal<double>(parts) == matrix_of<double>({{1, 2, 0}, {0, 0, 3}, {0, 0, 4}}));
  BOOST_TEST(block_diagonal<double>({}) == csr_matrix<double>{});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(transposing_swaps_rows_and_columns, Value, value_types) {
  for_random_matrices<Value>(false, [](csr_matrix<Value> const& matrix, random_source&) {
    csr_matrix<Value> const result = transpose(matrix);
    require_valid(result);
    dense<Value> const before = dense_of(matrix);
    dense<Value> swapped(matrix.num_cols, std::vector<std::optional<Value>>(matrix.num_rows));
    for (std::size_t r = 0; r < matrix.num_rows; ++r) {
      for (std::size_t c = 0; c < matrix.num_cols; ++c) swapped[c][r] = before[r][c];
    }
    BOOST_TEST(result == csr_of(swapped, matrix.num_rows));
    BOOST_TEST(transpose(result) == matrix);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_permuted_matrix_is_indexed_through_the_order, Value, value_types) {
  for_random_matrices<Value>(true, [](csr_matrix<Value> const& matrix, random_source& source) {
    std::vector<std::uint32_t> const order = random_order(matrix.num_rows, source);
    csr_matrix<Value> const result = permute(matrix, order);
    require_valid(result);
    dense<Value> const before = dense_of(matrix);
    dense<Value> const after = dense_of(result);
    bool same = true;
    for (std::size_t r = 0; r < matrix.num_rows; ++r) {
      for (std::size_t c = 0; c < matrix.num_rows; ++c) {
        same = same && after[r][c] == before[order[r]][order[c]];
      }
    }
    BOOST_TEST(same);
  });
}

BOOST_AUTO_TEST_CASE(a_symmetric_pattern_is_the_union_with_the_mirror) {
  for_random_matrices<no_value>(true, [](csr_matrix<no_value> const& matrix, random_source&) {
    csr_matrix<no_value> const result = symmetrise(matrix);
    require_valid(result);
    dense<no_value> const before = dense_of(matrix);
    dense<no_value> both = before;
    for (std::size_t r = 0; r < matrix.num_rows; ++r) {
      for (std::size_t c = 0; c < matrix.num_rows; ++c) {
        if (before[c][r]) both[r][c] = before[c][r];
      }
    }
    BOOST_TEST(result == csr_of(both, matrix.num_cols));
    BOOST_TEST(result == transpose(result));
    BOOST_TEST(symmetrise(result) == result);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(blocks_stand_along_the_diagonal_alone, Value, value_types) {
  for_random_matrices<Value>(false, [](csr_matrix<Value> const& first, random_source& source) {
    std::vector const parts{first, random_matrix<Value>(source.below(5), source.below(5), source),
                            random_matrix<Value>(source.below(5), source.below(5), source)};
    csr_matrix<Value> const result = block_diagonal<Value>(parts);
    require_valid(result);
    std::size_t const cols = parts[0].num_cols + parts[1].num_cols + parts[2].num_cols;
    dense<Value> expected;
    std::size_t left = 0;
    for (csr_matrix<Value> const& part : parts) {
      for (auto const& row : dense_of(part)) {
        expected.emplace_back(cols);
        for (std::size_t c = 0; c < row.size(); ++c) expected.back()[left + c] = row[c];
      }
      left += part.num_cols;
    }
    BOOST_TEST(result == csr_of(expected, cols));
  });
}

BOOST_AUTO_TEST_CASE(too_large_a_union_is_refused) {
  auto const half = static_cast<std::uint32_t>(most_rows / 2);
  std::vector<csr_matrix<no_value>> parts(2, {0, half, {0}, {}, {}});
  BOOST_TEST(block_diagonal<no_value>(parts).num_cols == 2 * half);
  parts.push_back({0, 1, {0}, {}, {}});
  std::string const message =
      message_of<std::invalid_argument>([&] { (void)block_diagonal<no_value>(parts); });
  BOOST_TEST(message == "block_diagonal: expected at most 2147483646 rows and columns in all");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_pattern_keeps_places_and_becomes_ones, Value, value_types) {
  for_random_matrices<Value>(false, [](csr_matrix<Value> const& matrix, random_source&) {
    csr_matrix<no_value> const pattern = pattern_of(matrix);
    require_valid(pattern);
    BOOST_TEST(pattern.num_rows == matrix.num_rows);
    BOOST_TEST(pattern.num_cols == matrix.num_cols);
    BOOST_TEST(pattern.row_offsets == matrix.row_offsets, per_element());
    BOOST_TEST(pattern.columns == matrix.columns, per_element());
    csr_matrix<float> const ones = with_values<float>(pattern);
    require_valid(ones);
    BOOST_TEST(ones.values == std::vector<float>(matrix.num_entries(), 1.0F), per_element());
    BOOST_TEST(pattern_of(ones) == pattern);
  });
}

BOOST_AUTO_TEST_CASE(values_round_to_the_nearest_float) {
  double const infinity = std::numeric_limits<double>::infinity();
  csr_matrix<double> const matrix{1, 5, {0, 5}, {0, 1, 2, 3, 4}, {0.1, -0.0, infinity, 1e-60, 2}};
  csr_matrix<float> const result = with_values<float>(matrix);
  std::vector<float> const expected{0.1F, -0.0F, std::numeric_limits<float>::infinity(), 0.0F, 2};
  BOOST_TEST(result.values == expected, per_element());
  BOOST_TEST(std::signbit(result.values[1]));
  csr_matrix<double> const back = with_values<double>(result);
  BOOST_TEST(back.values[0] == static_cast<double>(0.1F));
  BOOST_TEST(with_values<double>(matrix) == matrix);
  csr_matrix<double> const nan{1, 1, {0, 1}, {0}, {std::nan("")}};
  BOOST_TEST(std::isnan(with_values<float>(nan).values[0]));
}

BOOST_AUTO_TEST_CASE(a_value_that_overflows_float_is_refused) {
  // `halfway` lies between the largest float and the next larger value. It rounds to infinity.
  double const halfway = 0x1.ffffffp127;
  csr_matrix<double> matrix{1, 1, {0, 1}, {0}, {std::nextafter(halfway, 0)}};
  BOOST_TEST(with_values<float>(matrix).values[0] == std::numeric_limits<float>::max());
  matrix.values[0] = halfway;
  BOOST_CHECK_THROW((void)with_values<float>(matrix), std::invalid_argument);
  matrix.values[0] = -1.5e300;
  BOOST_TEST(message_of<std::invalid_argument>([&] { (void)with_values<float>(matrix); }) ==
             "with_values: -1.5e+300 is too large for a float");
}

BOOST_AUTO_TEST_CASE(orders_that_are_no_permutation_are_refused) {
  auto const matrix = matrix_of<double>({{1, 2}, {3, 4}});
  auto const permuted = [&](std::vector<std::uint32_t> const& order) {
    return message_of<std::invalid_argument>([&] { (void)permute(matrix, order); });
  };
  BOOST_TEST(permuted({0, 2}) == "permute: expected each index below 2 once, got 2");
  BOOST_TEST(permuted({0, 0}) == "permute: expected each index below 2 once, got 0 twice");
  BOOST_TEST(permuted({0, 1, 2}) == "permute: expected an order of 2 rows, got 3");
}

BOOST_AUTO_TEST_CASE(functions_for_square_matrices_refuse_others) {
  auto const wide = matrix_of<double>({{1, 2, 3}, {4, 5, 6}});
  BOOST_TEST(message_of<std::invalid_argument>([&] { (void)symmetrise(pattern_of(wide)); }) ==
             "symmetrise: expected a square matrix, got 2 x 3");
  std::vector<std::uint32_t> const order{0, 1};
  BOOST_TEST(message_of<std::invalid_argument>([&] { (void)permute(wide, order); }) ==
             "permute: expected a square matrix, got 2 x 3");
}

BOOST_AUTO_TEST_SUITE_END()
