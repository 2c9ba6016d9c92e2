#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <sstream>

#include "gridloom/error.hpp"
#include "gridloom/random.hpp"
#include "gridloom/sparse/check.hpp"
#include "gridloom/sparse/matrix_market.hpp"
#include "text_files.hpp"

namespace gridloom::sparse {

BOOST_AUTO_TEST_SUITE(market_read_test)
namespace {

using namespace test;

std::string const real = "%%MatrixMarket matrix coordinate real general\n";
std::string const array = "%%MatrixMarket matrix array ";

template <matrix_value Value = double>
csr_matrix<Value> read(std::string_view text, market_options const& options = {}) {
  scratch_folder const folder;
  write_text(folder / "m.mtx", text);
  csr_matrix<Value> matrix = read_matrix_market<Value>(folder / "m.mtx", options);
  check(matrix, "what was read");
  return matrix;
}

// The message behind the folder's name.
template <matrix_value Value = double>
std::string refusal(std::string_view text, market_options const& options = {}) {
  return refusal_of("m.mtx", text,
                    [&](auto const& path) { return read_matrix_market<Value>(path, options); });
}

void check_csr(csr_matrix<double> const& matrix, std::vector<std::uint64_t> const& offsets,
               std::vector<std::uint32_t> const& columns, std::vector<double> const& values) {
  BOOST_TEST(matrix.row_offsets == offsets, boost::test_tools::per_element());
  BOOST_TEST(matrix.columns == columns, boost::test_tools::per_element());
  BOOST_TEST(matrix.values == values, boost::test_tools::per_element());
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
  BOOST_TEST(read<float>(array + "double general\n1 1\n0.1\n").values.at(0) == 0.1F);
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

BOOST_AUTO_TEST_CASE(every_wrong_line_of_an_array_is_named) {
  BOOST_TEST(refusal(array + "pattern general\n") ==
             "m.mtx:1: expected one of real, double, integer, got \"pattern\"");
  BOOST_TEST(refusal(array + "complex general\n").starts_with("m.mtx:1: expected one of real"));
  BOOST_TEST(refusal(array + "real hermitian\n").starts_with("m.mtx:1: expected one of general"));
  std::string const general = array + "real general\n";
  BOOST_TEST(refusal(general + "2 2 4\n") ==
             "m.mtx:2: expected the numbers of rows and columns, got \"2 2 4\"");
  BOOST_TEST(refusal(general + "2\n").starts_with("m.mtx:2: expected the numbers"));
  BOOST_TEST(refusal(general) ==
             "m.mtx:2: expected the numbers of rows and columns, got the end of the file");
  BOOST_TEST(refusal(general + "4294967296 1\n").starts_with("m.mtx:2: expected at most"));
  BOOST_TEST(refusal(array + "real symmetric\n2 3\n")
                 .starts_with("m.mtx:2: expected as many rows as columns"));
  BOOST_TEST(refusal(general + "1 2\n1\nx\n") ==
             "m.mtx:4: expected a number in the range of the value type, got \"x\"");
  BOOST_TEST(refusal<no_value>(general + "1 2\n1\nx\n").starts_with("m.mtx:4: expected a number"));
  BOOST_TEST(refusal(general + "1 1\n1e309\n").find("range") != std::string::npos);
  BOOST_TEST(refusal(general + "1 2\n1 2\n") ==
             "m.mtx:3: expected nothing behind the value, got \"1 2\"");
  BOOST_TEST(refusal(general + "1 1\n% late\n1\n").starts_with("m.mtx:3: expected a number"));
  std::string const integer = array + "integer general\n1 1\n";
  BOOST_TEST(refusal(integer + "1.5\n") == "m.mtx:3: expected a whole number, got \"1.5\"");
  BOOST_TEST(refusal(integer + "9007199254740993\n").find("exactly") != std::string::npos);
  for (std::string const value : {"nan", "-Infinity"}) {
    std::string const text = general + "1 1\n" + value + "\n";
    BOOST_TEST(refusal(text) == "m.mtx:3: expected a finite value, got \"" + value + "\"");
    BOOST_TEST(!std::isfinite(read(text, {.allow_non_finite = true}).values.at(0)));
  }
}

BOOST_AUTO_TEST_CASE(too_few_and_too_many_values_of_an_array_are_refused) {
  BOOST_TEST(refusal(array + "real general\n2 2\n1\n0\n0\n") ==
             "m.mtx:5: expected 4 entries, got the end of the file after 3");
  BOOST_TEST(refusal(array + "real general\n2 1\n1\n0\n\n0\nx\n") ==
             "m.mtx:6: expected 2 entries, got more");
  BOOST_TEST(refusal(array + "real symmetric\n2 2\n1\n2\n3\n4\n") ==
             "m.mtx:6: expected 3 entries, got more");
  BOOST_TEST(refusal(array + "real skew-symmetric\n3 3\n1\n2\n") ==
             "m.mtx:4: expected 3 entries, got the end of the file after 2");
  BOOST_TEST(refusal(array + "real general\n0 3\n1\n") == "m.mtx:3: expected 0 entries, got more");
}

BOOST_AUTO_TEST_CASE(patterns_become_ones_where_values_are_asked_for) {
  std::string const text = "%%matrixmarket MATRIX Coordinate PATTERN general\n1 2 1\n1 2\n";
  BOOST_TEST(refusal(text).find("expected the banner") != std::string::npos);
  std::string const right = "%%MatrixMarket MATRIX Coordinate PATTERN general\r\n1 2 1\r\n1 2\r\n";
  BOOST_TEST(read(right).values.at(0) == 1.0);
  auto const pattern = read<no_value>(right);
  BOOST_TEST(pattern.values.empty());
  BOOST_TEST(pattern.columns.at(0) == 1U);
}

BOOST_AUTO_TEST_CASE(values_are_dropped_but_checked_where_none_are_asked_for) {
  BOOST_TEST(read<no_value>(real + "1 1 1\n1 1 3.25\n").num_entries() == 1U);
  BOOST_TEST(
      refusal<no_value>(real + "1 1 1\n1 1 x\n").starts_with("m.mtx:3: expected row, column"));
  BOOST_TEST(refusal<no_value>(real + "1 1 1\n1 1\n").starts_with("m.mtx:3: expected row, column"));
}

BOOST_AUTO_TEST_CASE(empty_matrices_and_rows_are_read) {
  BOOST_TEST(read(real + "0 0 0\n").num_entries() == 0U);
  auto const matrix = read(real + "3 2 1\n2 1 1\n");
  check_csr(matrix, {0, 0, 1, 1}, {0}, {1});
  BOOST_TEST(read(real + "1 1 1\n1 1 2").values.at(0) == 2.0);  // no line end at the end
}

BOOST_AUTO_TEST_CASE(numbers_are_read_to_the_last_bit) {
  auto const matrix = read(real +
                           "1 6 6\n1 1 0.1\n1 2 1.7976931348623157e308\n1 3 5e-324\n"
                           "1 4 1e-400\n1 5 -0\n1 6 123456789012345678\n");
  std::vector<double> const expected{
      0.1, std::numeric_limits<double>::max(), 5e-324, 0.0, -0.0, 123456789012345678.0};
  BOOST_TEST(matrix.values == expected, boost::test_tools::per_element());
  BOOST_TEST(std::signbit(matrix.values[4]));
  // Half way between two floats but for the last digit: by way of double it would round down.
  BOOST_TEST(read<float>(real + "1 1 1\n1 1 1.00000017881393432617187500001\n").values.at(0) ==
             1.00000023841857910156F);
}

BOOST_AUTO_TEST_CASE(integers_must_be_exact_in_the_value_type) {
  std::string const integer = "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 ";
  BOOST_TEST(read(integer + "-9007199254740992\n").values.at(0) == -9007199254740992.0);
  BOOST_TEST(refusal(integer + "9007199254740993\n").find("exactly") != std::string::npos);
  BOOST_TEST(read<float>(integer + "+16777216\n").values.at(0) == 16777216.0F);
  BOOST_TEST(refusal<float>(integer + "16777217\n").find("exactly") != std::string::npos);
  BOOST_TEST(refusal(integer + "1.5\n").find("whole number") != std::string::npos);
  BOOST_TEST(refusal(integer + "- 5\n").find("whole number") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(non_finite_values_are_refused_unless_allowed) {
  for (std::string const value : {"nan", "NaN", "inf", "-Infinity"}) {
    std::string const text = real + "1 1 1\n1 1 " + value + "\n";
    BOOST_TEST(refusal(text) == "m.mtx:3: expected a finite value, got \"1 1 " + value + "\"");
    BOOST_TEST(!std::isfinite(read(text, {.allow_non_finite = true}).values.at(0)));
  }
  BOOST_TEST(refusal<float>(real + "1 1 1\n1 1 1e39\n").find("range") != std::string::npos);
  BOOST_TEST(refusal(real + "1 1 1\n1 1 1e309\n").find("range") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(duplicates_are_refused_with_the_line_of_the_second_or_summed) {
  std::string const text = real + "2 2 4\n2 1 1\n1 1 8\n2 1 0.5\n2 1 0.25\n";
  BOOST_TEST(
      refusal(text).starts_with("m.mtx:5: expected each position once, got row 2, column 1"));
  check_csr(read(text, {.on_duplicate = duplicates::sum}), {0, 1, 2}, {0, 0}, {8, 1.75});

  std::string const symmetric = "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n";
  BOOST_TEST(refusal(symmetric + "2 1 1\n2 1 2\n").starts_with("m.mtx:4: "));
  check_csr(read(symmetric + "2 1 1\n2 1 2\n", {.on_duplicate = duplicates::sum}), {0, 1, 2},
            {1, 0}, {3, 3});
  check_csr(read(symmetric + "1 1 1\n1 1 2\n", {.on_duplicate = duplicates::sum}), {0, 1, 1}, {0},
            {3});
}

BOOST_AUTO_TEST_CASE(every_wrong_line_is_named) {
  BOOST_TEST(refusal("") ==
             "m.mtx:1: expected the banner \"%%MatrixMarket ...\", got an empty file");
  BOOST_TEST(refusal("1 1 1\n").starts_with("m.mtx:1: expected the banner"));
  std::string const banner = "%%MatrixMarket matrix ";
  BOOST_TEST(refusal("%%MatrixMarket vector\n").starts_with("m.mtx:1: expected one of matrix"));
  BOOST_TEST(refusal(banner + "vector real general\n")
                 .starts_with("m.mtx:1: expected one of coordinate, array, got \"vector\""));
  BOOST_TEST(refusal(banner + "coordinate complex general\n")
                 .starts_with("m.mtx:1: expected one of real, double, integer, pattern, got"));
  BOOST_TEST(
      refusal(banner + "coordinate real hermitian\n").starts_with("m.mtx:1: expected one of"));
  BOOST_TEST(refusal(banner + "coordinate real general more\n")
                 .starts_with("m.mtx:1: expected the end of the line"));
  BOOST_TEST(refusal(banner + "coordinate pattern skew-symmetric\n").starts_with("m.mtx:1: "));
  BOOST_TEST(refusal(real + "% only comments\n").starts_with("m.mtx:3: expected the numbers"));
  BOOST_TEST(refusal(real + "2 2\n").starts_with("m.mtx:2: expected the numbers"));
  BOOST_TEST(refusal(real + "-1 2 0\n").starts_with("m.mtx:2: expected the numbers"));
  BOOST_TEST(refusal(real + "2 2 1 1\n").starts_with("m.mtx:2: expected the numbers"));
  BOOST_TEST(refusal(real + "4294967296 1 0\n").starts_with("m.mtx:2: expected at most"));
  BOOST_TEST(refusal("%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n")
                 .starts_with("m.mtx:2: expected as many rows as columns"));
  BOOST_TEST(
      refusal(real + "2 2 1\n0 1 1\n").starts_with("m.mtx:3: expected row and column from 1"));
  BOOST_TEST(
      refusal(real + "2 2 1\n1 3 1\n").starts_with("m.mtx:3: expected row and column from 1"));
  BOOST_TEST(refusal(real + "2 2 1\n1\n").starts_with("m.mtx:3: expected row and column"));
  BOOST_TEST(refusal(real + "2 2 1\n1 1 1 1\n").starts_with("m.mtx:3: expected nothing behind"));
  BOOST_TEST(refusal(real + "2 2 1\n1 1 1x\n").starts_with("m.mtx:3: expected row, column"));
  BOOST_TEST(refusal("%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n")
                 .starts_with("m.mtx:3: expected the lower triangle"));
  BOOST_TEST(refusal("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 0\n")
                 .starts_with("m.mtx:3: expected the strict lower triangle"));
}

BOOST_AUTO_TEST_CASE(too_few_and_too_many_entries_are_refused) {
  BOOST_TEST(refusal(real + "2 2 2\n1 1 1\n") ==
             "m.mtx:3: expected 2 entries, got the end of the file after 1");
  BOOST_TEST(refusal(real + "2 2 1\n1 1 1\n\n2 2 1\n1 2 1\n") ==
             "m.mtx:5: expected 1 entries, got more");
}

BOOST_AUTO_TEST_CASE(missing_files_and_folders_are_refused) {
  scratch_folder const folder;
  for (auto const& path : {folder / "none.mtx", folder.path()}) {
    std::string const message =
        message_of<usage_error>([&] { static_cast<void>(read_matrix_market<double>(path)); });
    BOOST_TEST(message.starts_with(path.string() + ": "));
  }
}

// A file of several blocks: row, column and value of entry k follow from k.
struct big_file {
  std::uint32_t n = 50'000;
  std::uint32_t entries = 300'000;

  [[nodiscard]] std::uint32_t row(std::uint32_t k) const { return (k * 7919U) % n; }
  [[nodiscard]] std::uint32_t column(std::uint32_t k) const { return (k * 104729U + k / n) % n; }
  [[nodiscard]] std::string text() const {
    std::ostringstream out;
    out << real << n << " " << n << " " << entries << "\n";
    for (std::uint32_t k = 0; k < entries; ++k) {
      out << row(k) + 1 << " " << column(k) + 1 << " " << k << "\n";
    }
    return out.str();
  }
};

BOOST_AUTO_TEST_CASE(blocks_and_threads_do_not_change_the_result) {
  big_file const file;
  std::string const text = file.text();
  BOOST_REQUIRE(text.size() > std::size_t{2} << 21U);  // more than two blocks
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> expected;
  for (std::uint32_t k = 0; k < file.entries; ++k) {
    expected[{file.row(k), file.column(k)}] += k;
  }
  market_options const one{.on_duplicate = duplicates::sum, .threads = 1};
  auto const matrix = read(text, one);
  BOOST_REQUIRE(matrix.num_entries() == expected.size());
  std::uint64_t at = 0;
  for (auto const& [position, value] : expected) {
    BOOST_REQUIRE(matrix.columns[at] == position.second);
    BOOST_REQUIRE(matrix.values[at] == value);
    ++at;
  }
  for (int const threads : {2, 3, 7}) {
    BOOST_TEST((read(text, {.on_duplicate = duplicates::sum, .threads = threads}) == matrix));
  }
  BOOST_TEST((read(gzip(text), one) == matrix));
}

// An array of several blocks in each storage: value k + 1 for the k-th value, 0 for every seventh.
BOOST_AUTO_TEST_CASE(arrays_of_several_blocks_are_the_same_for_every_number_of_threads) {
  constexpr std::uint32_t n = 700;
  for (std::string const storage : {"general", "symmetric", "skew-symmetric"}) {
    std::string text = array + "integer " + storage + "\n700 700\n";
    std::vector<double> expected(std::size_t{n} * n, 0);
    int k = 0;
    for (std::uint32_t column = 0; column < n; ++column) {
      std::uint32_t const first = storage == "general"     ? 0
                                  : storage == "symmetric" ? column
                                                           : column + 1;
      for (std::uint32_t row = first; row < n; ++row, ++k) {
        int const value = k % 7 == 0 ? 0 : k + 1;
        // Zeros before it, so that there are several blocks.
        text += std::string(12, '0') + std::to_string(value) + (k % 1000 == 0 ? "\n\n" : "\n");
        expected[row * n + column] = value;
        if (storage == "general" || row == column) continue;
        expected[column * n + row] = storage == "symmetric" ? value : -value;
      }
    }
    BOOST_REQUIRE(text.size() > std::size_t{2} << 20U);
    auto const matrix = read(text, {.threads = 1});
    std::vector<double> found(expected.size(), 0);
    for (std::uint32_t row = 0; row < n; ++row) {
      for (auto e = matrix.row_offsets[row]; e < matrix.row_offsets[row + 1]; ++e) {
        BOOST_REQUIRE(matrix.values[e] != 0);
        found[row * n + matrix.columns[e]] = matrix.values[e];
      }
    }
    BOOST_TEST((found == expected));
    for (int const threads : {2, 7}) BOOST_TEST((read(text, {.threads = threads}) == matrix));
    BOOST_TEST((read(gzip(text), {.threads = 3}) == matrix));
    // One too many, and something wrong in the block behind it.
    text += "1\n" + std::string(std::size_t{1} << 20U, '\n') + "x\n";
    std::string const message = refusal(text, {.threads = 1});
    BOOST_TEST(message.ends_with(": expected " + std::to_string(k) + " entries, got more"));
    BOOST_TEST((refusal(text, {.threads = 4}) == message));
  }
}

BOOST_AUTO_TEST_CASE(the_first_of_several_errors_is_reported_for_every_number_of_threads) {
  std::string text = big_file{}.text();
  std::size_t const early = text.find('\n', text.size() / 2);
  std::size_t const late = text.rfind('\n', text.size() - 100);
  text.replace(late, 1, "x");
  text.replace(early, 1, "x");
  auto const line =
      1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(early), '\n');
  for (int const threads : {1, 2, 8}) {
    BOOST_TEST(
        refusal(text, {.threads = threads}).starts_with("m.mtx:" + std::to_string(line) + ":"));
  }
}

BOOST_AUTO_TEST_CASE(too_many_entries_before_a_wrong_line_are_the_first_error) {
  std::string text = big_file{}.text();
  text.replace(text.find(" 300000\n"), 8, " 10    \n");
  // Wrong near the begin of the second block, which another thread reads at the same time.
  text.replace(text.find('\n', (std::size_t{1} << 20U) + 1000) - 1, 1, "x");
  for (int const threads : {1, 2, 8}) {
    BOOST_TEST(refusal(text, {.threads = threads}) == "m.mtx:13: expected 10 entries, got more");
  }
}

BOOST_AUTO_TEST_CASE(duplicates_are_added_in_the_order_of_the_file) {
  // 3 + 1e16 - 1e16 is 4, because of rounding; with the 3 last it is 3. The positions are mixed so
  // that a sort that does not keep the order of equal ones changes it for some.
  std::string text = real + "1 64 192\n";
  for (char const* const value : {"3", "1e16", "-1e16"}) {
    for (int k = 0; k < 64; ++k) {
      text += "1 " + std::to_string((k * 37 + value[0]) % 64 + 1) + " " + value + "\n";
    }
  }
  std::vector<double> const expected(64, 4.0);
  auto const matrix = read(text, {.on_duplicate = duplicates::sum});
  BOOST_TEST(matrix.values == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(rows_of_all_buckets_come_back) {
  // More than 2^16 rows, in an order that jumps between them.
  constexpr std::uint32_t n = 200'000;
  std::string text = "%%MatrixMarket matrix coordinate real symmetric\n200000 200000 200000\n";
  for (std::uint32_t k = 0; k < n; ++k) {
    std::uint32_t const row = (k * 7919U) % n;
    text += std::to_string(row + 1) + " " + std::to_string(row / 3 + 1) + " " +
            std::to_string(row) + "\n";
  }
  for (int const threads : {1, 3}) {
    auto const matrix = read(text, {.threads = threads});
    BOOST_TEST(matrix.num_entries() == 2U * n - 1);  // (0, 0) has no mirror image
    for (std::uint32_t row = 1; row < n; ++row) {
      auto const at = matrix.row_offsets[row];
      BOOST_REQUIRE(matrix.columns[at] == row / 3);
      BOOST_REQUIRE(matrix.values[at] == row);
    }
  }
}

BOOST_AUTO_TEST_CASE(gzip_is_known_by_its_content_and_checked) {
  std::string const text = real + "1 1 1\n1 1 2\n";
  BOOST_TEST(read(gzip(text)).values.at(0) == 2.0);
  BOOST_TEST(read(gzip(text.substr(0, 50)) + gzip(text.substr(50))).values.at(0) == 2.0);
  std::string const whole = gzip(big_file{}.text());
  for (std::size_t const kept : {whole.size() - 1, whole.size() - 9, whole.size() / 2}) {
    BOOST_TEST(refusal(whole.substr(0, kept)).find("gzip") != std::string::npos);
  }
  std::string flipped = whole;
  flipped[flipped.size() / 2] = static_cast<char>(flipped[flipped.size() / 2] ^ 0x10);
  BOOST_TEST(!refusal(flipped).empty());
}

// Growth of the peak in MiB; the peak of a process never falls, so this case must run with room to
// spare whatever ran before it.
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
    BOOST_TEST(refusal(real + sizes + "1 1 1\n").starts_with("m.mtx:2: expected at most"));
  }
  for (std::string const sizes : {"2000000000 2000000000\n", "9000000 9000000\n"}) {
    BOOST_TEST(
        refusal(array + "real general\n" + sizes + "1\n").find("got the end of the file after 1") !=
        std::string::npos);
  }
  BOOST_TEST(
      refusal(array + "real general\n2000000000 0\n").starts_with("m.mtx:2: expected at most"));
  // 256 MiB of blank lines in a small gzip file.
  std::string blank = gzip(real + "100000 100000 1000000000\n");
  std::string const member = gzip(std::string(std::size_t{1} << 24U, '\n'));
  for (int i = 0; i < 16; ++i) blank += member;
  BOOST_TEST(refusal(blank).find("expected 1000000000 entries") != std::string::npos);
  BOOST_TEST(peak_mib() - before < 256);
}

// Sanitizers have memory of their own.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
BOOST_AUTO_TEST_CASE(reading_takes_less_than_three_times_the_memory_of_the_result) {
  constexpr std::uint32_t n = 2500;
  scratch_folder const folder;
  {
    std::string text = "%%MatrixMarket matrix coordinate pattern general\n2500 2500 6250000\n";
    for (std::uint32_t i = 0; i < n * n; ++i) {
      text += std::to_string(i % n + 1) + " " + std::to_string(i / n + 1) + "\n";
    }
    write_text(folder / "m.mtx", text);
  }
  // A process of its own: the peak of this one never falls. What earlier cases freed goes back first,
  // else the child reads into memory that it already has.
  ::malloc_trim(0);
  ::pid_t const child = ::fork();
  if (child == 0) {
    long const before = peak_mib();
    auto const matrix = read_matrix_market<no_value>(folder / "m.mtx", {.threads = 2});
    long const tenths = (peak_mib() - before) * (10L << 20U) / static_cast<long>(matrix.bytes());
    ::_exit(matrix.num_entries() == n * n ? static_cast<int>(tenths) : 255);
  }
  int status = 0;
  BOOST_REQUIRE(::waitpid(child, &status, 0) == child);
  BOOST_TEST(WIFEXITED(status));
  BOOST_TEST(WEXITSTATUS(status) <= 30);
  BOOST_TEST(WEXITSTATUS(status) >= 10);  // the result itself, else the measurement is wrong
}
#endif

}  // namespace
BOOST_AUTO_TEST_SUITE_END()

}  // namespace gridloom::sparse
