#include "check.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "gridloom/error.hpp"
#include "matrices.hpp"
#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(check_test)

using namespace gridloom::sparse;
using gridloom::usage_error;
using gridloom::test::message_of;

namespace {

// 2 x 3: (0,0) (0,2) (1,1).
csr_matrix<double> sample() { return {2, 3, {0, 2, 3}, {0, 2, 1}, {1, 2, 3}}; }

template <typename Value>
std::string refused(csr_matrix<Value> const& matrix) {
  return message_of<usage_error>([&] { check(matrix, "m"); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(valid_matrices_pass) {
  BOOST_CHECK_NO_THROW(check(sample(), "m"));
  BOOST_CHECK_NO_THROW(check(csr_matrix<float>{}, "m"));
  BOOST_CHECK_NO_THROW(check(csr_matrix<no_value>{0, 5, {0}, {}, {}}, "m"));
  BOOST_CHECK_NO_THROW(check(csr_matrix<no_value>{2, 0, {0, 0, 0}, {}, {}}, "m"));
  BOOST_CHECK_NO_THROW(check(csr_matrix<no_value>{3, 2, {0, 0, 2, 2}, {0, 1}, {}}, "m"));
}

BOOST_AUTO_TEST_CASE(the_largest_column_number_is_allowed) {
  auto const most = static_cast<std::uint32_t>(most_rows);
  BOOST_CHECK_NO_THROW(check(csr_matrix<no_value>{1, most, {0, 1}, {most - 1}, {}}, "m"));
  BOOST_TEST(refused(csr_matrix<no_value>{1, most, {0, 1}, {most}, {}}) ==
             "m: row 0: expected columns below 2147483646, got 2147483646");
}

BOOST_AUTO_TEST_CASE(too_many_rows_or_columns_are_refused_before_the_arrays_are_read) {
  auto const most = static_cast<std::uint32_t>(most_rows);
  BOOST_TEST(refused(csr_matrix<no_value>{most + 1, 1, {}, {}, {}}) ==
             "m: expected at most 2147483646 rows, got 2147483647");
  BOOST_TEST(refused(csr_matrix<no_value>{0, most + 1, {0}, {}, {}}) ==
             "m: expected at most 2147483646 columns, got 2147483647");
}

BOOST_AUTO_TEST_CASE(wrong_lengths_are_named) {
  auto matrix = sample();
  matrix.row_offsets.pop_back();
  BOOST_TEST(refused(matrix) == "m: row_offsets: expected 3 entries, got 2");
  matrix.row_offsets.clear();
  BOOST_TEST(refused(matrix) == "m: row_offsets: expected 3 entries, got 0");
  matrix = sample();
  matrix.values.pop_back();
  BOOST_TEST(refused(matrix) == "m: values: expected 3 entries, got 2");
  BOOST_TEST(refused(csr_matrix<no_value>{1, 1, {0, 1}, {0}, {{}}}) ==
             "m: values: expected 0 entries, got 1");
}

BOOST_AUTO_TEST_CASE(bad_offsets_are_named) {
  auto matrix = sample();
  matrix.row_offsets = {1, 2, 3};
  BOOST_TEST(refused(matrix) == "m: row 0: expected to begin at entry 0, got 1");
  matrix.row_offsets = {0, 4, 3};
  BOOST_TEST(refused(matrix) == "m: row 0: expected to end between entries 0 and 3, got 4");
  matrix = {3, 3, {0, 2, 1, 3}, {0, 2, 1}, {1, 2, 3}};
  BOOST_TEST(refused(matrix) == "m: row 1: expected to end between entries 2 and 3, got 1");
  matrix.row_offsets = {0, 1, 1, 2};
  BOOST_TEST(refused(matrix) ==
             "m: row_offsets: expected the last to be the number of entries 3, got 2");
  matrix.row_offsets = {0, std::uint64_t{1} << 63U, 2, 3};
  BOOST_TEST(refused(matrix) ==
             "m: row 0: expected to end between entries 0 and 3, got 9223372036854775808");
}

BOOST_AUTO_TEST_CASE(the_first_bad_column_is_named) {
  auto matrix = sample();
  matrix.columns = {0, 3, 1};
  BOOST_TEST(refused(matrix) == "m: row 0: expected columns below 3, got 3");
  matrix.columns = {0, 2, 7};
  BOOST_TEST(refused(matrix) == "m: row 1: expected columns below 3, got 7");
  matrix.columns = {2, 0, 7};
  BOOST_TEST(refused(matrix) == "m: row 0: expected ascending columns, got 0 behind 2");
  matrix.columns = {2, 2, 1};
  BOOST_TEST(refused(matrix) == "m: row 0: expected distinct columns, got 2 twice");
}

BOOST_AUTO_TEST_CASE(columns_need_not_ascend_from_row_to_row) {
  BOOST_CHECK_NO_THROW(check(csr_matrix<no_value>{2, 3, {0, 1, 2}, {2, 0}, {}}, "m"));
  BOOST_CHECK_NO_THROW(check(csr_matrix<no_value>{2, 3, {0, 1, 2}, {2, 2}, {}}, "m"));
}

BOOST_AUTO_TEST_SUITE_END()
