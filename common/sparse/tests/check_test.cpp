#include "check.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "csr_files.hpp"
#include "gridloom/error.hpp"
#include "matrices.hpp"
#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(check_test)

using namespace gridloom::sparse;
using gridloom::usage_error;
using gridloom::test::message_of;
using gridloom::test::sample;

namespace {

template <typename Value>
std::string refused(csr_matrix<Value> const& matrix) {
  return message_of<usage_error>([&] { check(matrix, "m"); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(valid_matrices_pass) {
  BOOST_CHECK_NO_THROW(check(sample, "m"));
  BOOST_CHECK_NO_THROW(check(csr_matrix<float>{}, "m"));
  BOOST_CHECK_NO_THROW(check(csr_matrix<no_value>{0, 5, {0}, {}, {}}, "m"));
  BOOST_CHECK_NO_THROW(check(csr_matrix<no_value>{2, 0, {0, 0, 0}, {}, {}}, "m"));
  BOOST_CHECK_NO_THROW(check(csr_matrix<no_value>{3, 2, {0, 0, 2, 2}, {0, 1}, {}}, "m"));
  // Columns need to ascend only within a row.
  BOOST_CHECK_NO_THROW(check(csr_matrix<no_value>{2, 3, {0, 1, 2}, {2, 0}, {}}, "m"));
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

BOOST_AUTO_TEST_CASE(the_first_fault_is_named) {
  using matrix = csr_matrix<double>;
  std::vector<std::pair<std::string, matrix>> const cases{
      {"row_offsets: expected 3 entries, got 2", {2, 3, {0, 2}, {0, 2, 1}, {1, 2, 3}}},
      {"row_offsets: expected 3 entries, got 0", {2, 3, {}, {0, 2, 1}, {1, 2, 3}}},
      {"values: expected 3 entries, got 2", {2, 3, {0, 2, 3}, {0, 2, 1}, {1, 2}}},
      {"row 0: expected to begin at entry 0, got 1", {2, 3, {1, 2, 3}, {0, 2, 1}, {1, 2, 3}}},
      {"row 0: expected to end between entries 0 and 3, got 4",
       {2, 3, {0, 4, 3}, {0, 2, 1}, {1, 2, 3}}},
      {"row 1: expected to end between entries 2 and 3, got 1",
       {3, 3, {0, 2, 1, 3}, {0, 2, 1}, {1, 2, 3}}},
      {"row_offsets: expected the last to be the number of entries 3, got 2",
       {3, 3, {0, 1, 1, 2}, {0, 2, 1}, {1, 2, 3}}},
      {"row 1: expected columns below 3, got 7", {2, 3, {0, 2, 3}, {0, 2, 7}, {1, 2, 3}}},
      {"row 0: expected ascending columns, got 0 after 2",
       {2, 3, {0, 2, 3}, {2, 0, 7}, {1, 2, 3}}},
      {"row 0: expected distinct columns, got 2 twice", {2, 3, {0, 2, 3}, {2, 2, 1}, {1, 2, 3}}}};
  for (auto const& [message, wrong] : cases) BOOST_TEST(refused(wrong) == "m: " + message);
  BOOST_TEST(refused(csr_matrix<no_value>{1, 1, {0, 1}, {0}, {{}}}) ==
             "m: values: expected 0 entries, got 1");
}

BOOST_AUTO_TEST_SUITE_END()
