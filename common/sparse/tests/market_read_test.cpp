#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <limits>
#include <map>
#include <sstream>

#include "check.hpp"
#include "gridloom/error.hpp"
#include "gridloom/random.hpp"
#include "gridloom/sparse/matrix_market.hpp"
#include "text_files.hpp"

namespace gridloom::sparse {

BOOST_AUTO_TEST_SUITE(market_read_test)
namespace {

using namespace test;

std::string const real = "%%MatrixMarket matrix coordinate real general\n";
std::string const array = "%%MatrixMarket matrix array ";

template <matrix_value Value = double>
csr_matrix<Value> read(std::string_view text) {
  scratch_folder const folder;
  write_text(folder / "m.mtx", text);
  csr_matrix<Value> matrix = read_matrix_market<Value>(folder / "m.mtx");
  check(matrix, "what was read");
  return matrix;
}

// The message without the folder.
template <matrix_value Value = double>
std::string refusal(std::string_view text) {
  return refusal_of("m.mtx", text,
                    [&](auto const& path) { return read_matrix_market<Value>(path); });
}

void check_csr(csr_matrix<double> const& matrix, std::vector<std::uint64_t> const& offsets,
               std::vector<std::uint32_t> const& columns, std::vector<double> const& values) {
  BOOST_TEST(matrix.row_offsets == offsets, per_element());
  BOOST_TEST(matrix.columns == columns, per_element());
  BOOST_TEST(matrix.values == values, per_element());
}

BOOST_AUTO_TEST_CASE(general_entries_come_out_sorted_by_row_and_column) {
  auto const matrix = read(real + "% a comment\n\n%\n2 3 4\n2 3 1.5\n1 2 -2e3\n\n2 1 .5\n1 1 +4\n");
  BOOST_TEST(matrix.num_rows == 2U);
  BOOST_TEST(matrix.num_cols == 3U);
  check_csr(matrix, {0, 2, 4}, {0, 1, 0, 2}, {4, -2000, 0.5, 1.5});
}

BOOST_AUTO_TEST_CASE(symmetric_storage_is_expanded_without_doubling_the_diagonal) {
  auto const matrix =
      read("%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 5\n3 1 -1\n3 2 0\n");
  check_csr(matrix, {0, 2, 3, 5}, {0, 2, 2, 0, 1}, {5, -1, 0, -1, 0});
}

BOOST_AUTO_TEST_CASE(skew_storage_changes_the_sign_above_the_diagonal) {
  auto const matrix =
      read("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 7\n");
  check_csr(matrix, {0, 1, 2}, {1, 0}, {-7, 7});
}

BOOST_AUTO_TEST_CASE(arrays_are_read_by_columns_without_their_zeros) {
  auto const matrix = read(array + "real general\n% by columns\n2 3\n1\n-2e3\n\n 0 \n+4\n.5\n-0\n");
  BOOST_TEST(matrix.num_rows == 2U);
  BOOST_TEST(matrix.num_cols == 3U);
  check_csr(matrix, {0, 2, 4}, {0, 2, 0, 1}, {1, 0.5, -2000, 4});
  check_csr(read("%%MatrixMarket MATRIX Array Integer general\r\n1 2\r\n3\r\n-4"), {0, 2}, {0, 1},
            {3, -4});
  BOOST_TEST(read(array + "double general\n1 1\n% late\n \t\n0.1\n \n").values.at(0) == 0.1);
  for (std::string const sizes : {"0 0\n", "3 0\n", "0 3\n"}) {
    BOOST_TEST(read(array + "real general\n" + sizes).num_entries() == 0U);
  }
  auto const pattern = read<no_value>(array + "real general\n1 3\n2\n0\n7\n");
  BOOST_TEST(pattern.columns == (std::vector<std::uint32_t>{0, 2}));
}

BOOST_AUTO_TEST_CASE(arrays_in_symmetric_storage_have_the_lower_triangle) {
  check_csr(read(array + "real symmetric\n3 3\n1\n2\n3\n4\n0\n6\n"), {0, 3, 5, 7},
            {0, 1, 2, 0, 1, 0, 2}, {1, 2, 3, 2, 4, 3, 6});
  check_csr(read(array + "integer skew-symmetric\n3 3\n1\n2\n3\n"), {0, 2, 4, 6},
            {1, 2, 0, 2, 0, 1}, {-1, -2, 1, -3, 2, 3});
  for (std::string const sizes : {"0 0\n", "1 1\n"}) {
    BOOST_TEST(read(array + "real skew-symmetric\n" + sizes).num_entries() == 0U);
  }
}

BOOST_AUTO_TEST_CASE(patterns_become_ones_and_values_are_dropped_as_asked_for) {
  std::string const right = "%%MatrixMarket MATRIX Coordinate PATTERN general\r\n1 2 1\r\n1 2\r\n";
  BOOST_TEST(read(right).values.at(0) == 1.0);
  auto const pattern = read<no_value>(right);
  BOOST_TEST(pattern.values.empty());
  BOOST_TEST(pattern.columns.at(0) == 1U);
  BOOST_TEST(read<no_value>(real + "1 1 1\n1 1 3.25\n").num_entries() == 1U);
}

BOOST_AUTO_TEST_CASE(empty_matrices_and_rows_are_read) {
  BOOST_TEST(read(real + "0 0 0\n").num_entries() == 0U);
  auto const matrix = read(real + "3 2 1\n2 1 1\n");
  check_csr(matrix, {0, 0, 1, 1}, {0}, {1});
  BOOST_TEST(read(real + "1 1 1\n1 1 2").values.at(0) == 2.0);  // no line end at the end
}

BOOST_AUTO_TEST_CASE(integers_must_be_exact_in_the_value_type) {
  std::string const integer = "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 ";
  BOOST_TEST(read(integer + "-9007199254740992\n").values.at(0) == -9007199254740992.0);
  BOOST_TEST(contains(refusal(integer + "9007199254740993\n"), "up to 2^53"));
  BOOST_TEST(contains(refusal(integer + "1.5\n"), "whole number"));
  BOOST_TEST(contains(refusal(integer + "- 5\n"), "whole number"));
}

BOOST_AUTO_TEST_CASE(non_finite_values_are_refused) {
  for (std::string const value : {"nan", "NaN", "inf", "-Infinity"}) {
    for (std::string const& begin : {real + "1 1 1\n1 1 ", array + "real general\n1 1\n"}) {
      BOOST_TEST(refusal(begin + value + "\n").starts_with("m.mtx:3: expected a finite value"));
    }
  }
  auto const tiny = read(real + "2 2 2\n1 1 1e-400\n2 2 -4.9e-324\n");
  BOOST_TEST(tiny.values.at(0) == 0.0);
  BOOST_TEST(tiny.values.at(1) == -std::numeric_limits<double>::denorm_min());
  BOOST_TEST(contains(refusal(real + "1 1 1\n1 1 1e309\n"), "range"));
}

BOOST_AUTO_TEST_CASE(duplicates_are_refused_with_the_line_of_the_second) {
  std::string const text = real + "2 2 4\n2 1 1\n1 1 8\n2 1 0.5\n2 1 0.25\n";
  BOOST_TEST(
      refusal(text).starts_with("m.mtx:5: expected each position once, got row 2, column 1"));
  std::string const symmetric = "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n";
  BOOST_TEST(refusal(symmetric + "2 1 1\n2 1 2\n").starts_with("m.mtx:4: "));
  BOOST_TEST(refusal(symmetric + "1 1 1\n1 1 2\n").starts_with("m.mtx:4: "));
}

// Each message names the wrong line and says what was expected there.
BOOST_AUTO_TEST_CASE(every_wrong_line_is_named) {
  std::string const banner = "%%MatrixMarket matrix ";
  std::string const symmetric = banner + "coordinate real symmetric\n";
  std::string const dense = array + "real general\n";
  std::string const whole = array + "integer general\n1 1\n";
  std::vector<std::pair<std::string, std::string>> const cases{
      {"", "1: expected the banner \"%%MatrixMarket ...\", got an empty file"},
      {"1 1 1\n", "1: expected the banner"},
      {"%%matrixmarket MATRIX coordinate real general\n", "1: expected the banner"},
      {"%%MatrixMarket vector\n", "1: expected one of matrix"},
      {banner + "vector real general\n", "1: expected one of coordinate, array, got \"vector\""},
      {banner + "coordinate complex general\n",
       "1: expected one of real, double, integer, pattern"},
      {banner + "coordinate real hermitian\n", "1: expected one of general"},
      {banner + "coordinate real general more\n", "1: expected the end of the line"},
      {banner + "coordinate pattern skew-symmetric\n", "1: "},
      {real + "% only comments\n", "2: expected the numbers"},
      {real + "2 2\n", "2: expected the numbers"},
      {real + "-1 2 0\n", "2: expected the numbers"},
      {real + "2 2 1 1\n", "2: expected the numbers"},
      {real + "4294967296 1 0\n", "2: expected at most"},
      {symmetric + "2 3 0\n", "2: expected as many rows as columns"},
      {real + "2 2 1\n0 1 1\n", "3: expected row and column from 1"},
      {real + "2 2 1\n1 3 1\n", "3: expected row and column from 1"},
      {real + "2 2 1\n1\n", "3: expected row and column"},
      {real + "2 2 1\n1 1 1 1\n", "3: expected nothing after"},
      {real + "2 2 1\n1 1 1x\n", "3: expected row, column"},
      {symmetric + "2 2 1\n1 2 1\n", "3: expected the lower triangle"},
      {banner + "coordinate real skew-symmetric\n2 2 1\n1 1 0\n",
       "3: expected the strict lower triangle"},
      {real + "2 2 2\n1 1 1\n", "3: expected 2 entries, got the end of the file after 1"},
      {real + "2 2 1\n1 1 1\n\n2 2 1\n1 2 1\n", "5: expected 1 entries, got more"},
      // Arrays.
      {array + "pattern general\n", "1: expected an array with values, got a pattern"},
      {array + "complex general\n", "1: expected one of real"},
      {dense + "2 2 4\n", "2: expected the numbers of rows and columns, got \"2 2 4\""},
      {dense, "1: expected the numbers of rows and columns, got the end of the file"},
      {array + "real symmetric\n2 3\n", "2: expected as many rows as columns"},
      {dense + "1 2\n1\nx\n", "4: expected a number in the range of double, got \"x\""},
      {dense + "1 1\n1e309\n", "3: expected a number in the range"},
      {dense + "1 2\n1 2\n", "3: expected nothing after the value, got \"1 2\""},
      {dense + "2 1\n+-5\n1\n", "3: expected a number"},
      {whole + "1.5\n", "3: expected a whole number, got \"1.5\""},
      {whole + "9007199254740993\n", "3: expected a whole number"},
      {dense + "2 2\n1\n0\n0\n", "5: expected 4 entries, got the end of the file after 3"},
      {dense + "2 1\n1\n0\n\n0\nx\n", "6: expected 2 entries, got more"},
      {array + "real symmetric\n2 2\n1\n2\n3\n4\n", "6: expected 3 entries, got more"},
      {array + "real skew-symmetric\n3 3\n1\n2\n", "4: expected 3 entries, got the end"},
      {dense + "0 3\n1\n", "3: expected 0 entries, got more"}};
  for (auto const& [text, message] : cases) {
    BOOST_TEST(refusal(text).starts_with("m.mtx:" + message), text);
  }
  // Values are checked even if they are dropped.
  BOOST_TEST(refusal<no_value>(real + "1 1 1\n1 1 x\n").starts_with("m.mtx:3: expected row"));
  BOOST_TEST(refusal<no_value>(real + "1 1 1\n1 1\n").starts_with("m.mtx:3: expected row"));
  BOOST_TEST(refusal<no_value>(dense + "1 2\n1\nx\n").starts_with("m.mtx:4: expected a number"));
}

// Peak memory of the process in MiB. It never falls, so its growth is tested.
long peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

BOOST_AUTO_TEST_CASE(a_header_alone_allocates_nothing) {
  long const before = peak_mib();
  BOOST_TEST(refusal(real + "9000000 9000000 1000000000000\n1 1 1\n")
                 .starts_with("m.mtx:3: expected 1000000000000 entries"));
  BOOST_TEST(refusal(real + "1000 1000 1000000000000\n1 1 1\n")
                 .starts_with("m.mtx:2: expected at most rows x columns = 1000000"));
  for (std::string const sizes :
       {"2000000000 2000000000 1\n", "2000000000 1 1\n", "1 2000000000 1\n"}) {
    BOOST_TEST(refusal(real + sizes + "1 1 1\n")
                   .starts_with("m.mtx:2: expected at least one entry per 64 rows"));
  }
  for (std::string const sizes : {"2000000000 2000000000\n", "9000000 9000000\n"}) {
    BOOST_TEST(contains(refusal(array + "real general\n" + sizes + "1\n"),
                        "got the end of the file after 1"));
  }
  BOOST_TEST(refusal(array + "real general\n2000000000 0\n")
                 .starts_with("m.mtx:2: expected at least one entry"));
  // 128 MiB of blank lines in a small gzip file.
  std::string blank = gzip(real + "100000 100000 1000000000\n");
  std::string const member = gzip(std::string(std::size_t{1} << 24U, '\n'));
  for (int i = 0; i < 8; ++i) blank += member;
  BOOST_TEST(contains(refusal(blank), "expected 1000000000 entries"));
  BOOST_TEST(peak_mib() - before < 100);
}

// Sanitizers use additional memory.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
BOOST_AUTO_TEST_CASE(reading_takes_about_three_times_the_memory_of_the_result) {
  constexpr std::uint32_t n = 2500;
  scratch_folder const folder;
  {
    std::string text = "%%MatrixMarket matrix coordinate pattern general\n2500 2500 6250000\n";
    for (std::uint32_t i = 0; i < n * n; ++i) {
      text += std::to_string(i % n + 1) + " " + std::to_string(i / n + 1) + "\n";
    }
    write_text(folder / "m.mtx", text);
  }
  // The test uses a child process, because the peak memory of this process never falls. Freed
  // memory is returned to the system first, so that the child must request new memory.
  ::malloc_trim(0);
  ::pid_t const child = ::fork();
  if (child == 0) {
    long const before = peak_mib();
    auto const matrix = read_matrix_market<no_value>(folder / "m.mtx");
    long const tenths = (peak_mib() - before) * (10L << 20U) / static_cast<long>(matrix.bytes());
    ::_exit(matrix.num_entries() == n * n ? static_cast<int>(tenths) : 255);
  }
  int status = 0;
  BOOST_REQUIRE(::waitpid(child, &status, 0) == child);
  BOOST_TEST(WIFEXITED(status));
  BOOST_TEST(WEXITSTATUS(status) <= 31);
  // The peak must include at least the result itself.
  BOOST_TEST(WEXITSTATUS(status) >= 10);
}
#endif

}  // namespace
BOOST_AUTO_TEST_SUITE_END()

}  // namespace gridloom::sparse
