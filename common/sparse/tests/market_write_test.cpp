#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "gridloom/error.hpp"
#include "gridloom/random.hpp"
#include "gridloom/sparse/matrix_market.hpp"
#include "gridloom/sparse/transform.hpp"
#include "test_support.hpp"

namespace gridloom::sparse {

BOOST_AUTO_TEST_SUITE(market_write_test)
namespace {

using namespace test;

csr_matrix<double> const small{2, 3, {0, 2, 3}, {0, 2, 1}, {1.5, -0.0, 1e-300}};
csr_matrix<double> const symmetric{2, 2, {0, 2, 3}, {0, 1, 0}, {2, -1, -1}};

template <matrix_value Value>
std::string written(csr_matrix<Value> const& matrix, market_style const& style = {}) {
  scratch_folder const folder;
  write_matrix_market(folder / "m.mtx", matrix, style);
  return read_text(folder / "m.mtx");
}

template <matrix_value Value>
bool comes_back(csr_matrix<Value> const& matrix, market_style const& style = {}) {
  scratch_folder const folder;
  write_matrix_market(folder / "m.mtx", matrix, style);
  using read_as = std::conditional_t<has_values<Value>, double, no_value>;
  auto const back =
      with_values<Value>(read_matrix_market<read_as>(folder / "m.mtx", {.allow_non_finite = true}));
  if constexpr (has_values<Value>) {
    for (std::size_t i = 0; i < matrix.values.size(); ++i) {
      if (std::signbit(back.values.at(i)) != std::signbit(matrix.values[i])) return false;
    }
  }
  return back == matrix;
}

BOOST_AUTO_TEST_CASE(the_text_is_what_the_format_says) {
  BOOST_TEST(written(small, {.comment = "one\ntwo"}) ==
             "%%MatrixMarket matrix coordinate real general\n% one\n% two\n2 3 3\n"
             "1 1 1.5\n1 3 -0\n2 2 1e-300\n");
  BOOST_TEST(written(symmetric, {.symmetry = market_symmetry::symmetric, .integer = true}) ==
             "%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 1 2\n2 1 -1\n");
  csr_matrix<no_value> const pattern{1, 1, {0, 1}, {0}, {}};
  BOOST_TEST(written(pattern) == "%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n");
  BOOST_TEST(written(csr_matrix<float>{}) ==
             "%%MatrixMarket matrix coordinate real general\n0 0 0\n");
}

// A matrix of random bits, without NaN. All exponents occur.
template <typename Value, typename Bits>
csr_matrix<Value> random_matrix(std::uint64_t seed) {
  random_source source{seed};
  csr_matrix<Value> matrix;
  matrix.num_rows = matrix.num_cols = 300;
  for (std::uint32_t row = 0; row < 300; ++row) {
    for (std::uint32_t column = 0; column < 300; ++column) {
      if (source.below(4) != 0) continue;
      Bits const bits = static_cast<Bits>(source.next());
      Value value;
      std::memcpy(&value, &bits, sizeof value);
      matrix.columns.push_back(column);
      matrix.values.push_back(std::isnan(value) ? Value{1} : value);
    }
    matrix.row_offsets.push_back(matrix.columns.size());
  }
  return matrix;
}

BOOST_AUTO_TEST_CASE(written_matrices_read_back_bit_for_bit) {
  BOOST_TEST(comes_back(small));
  BOOST_TEST(comes_back(csr_matrix<double>{3, 2, {0, 0, 0, 0}, {}, {}}));
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    auto const doubles = random_matrix<double, std::uint64_t>(seed);
    auto const floats = random_matrix<float, std::uint32_t>(seed);
    for (bool const compress : {false, true}) {
      BOOST_TEST(comes_back(doubles, {.compress = compress}));
      BOOST_TEST(comes_back(floats, {.compress = compress}));
    }
    csr_matrix<no_value> const pattern{
        doubles.num_rows, doubles.num_cols, doubles.row_offsets, doubles.columns, {}};
    BOOST_TEST(comes_back(pattern));
  }
}

BOOST_AUTO_TEST_CASE(symmetric_storage_reads_back_complete) {
  BOOST_TEST(comes_back(symmetric, {.symmetry = market_symmetry::symmetric}));
  csr_matrix<double> const skew{2, 2, {0, 1, 2}, {1, 0}, {-3, 3}};
  BOOST_TEST(comes_back(skew, {.symmetry = market_symmetry::skew}));
}

BOOST_AUTO_TEST_CASE(a_style_that_would_lose_something_is_refused) {
  scratch_folder const folder;
  auto const refused = [&](csr_matrix<double> const& matrix, market_style const& style) {
    BOOST_CHECK_THROW(write_matrix_market(folder / "m.mtx", matrix, style), std::invalid_argument);
    BOOST_TEST(folder.names().empty());
  };
  refused(small, {.symmetry = market_symmetry::symmetric});
  refused(symmetric, {.symmetry = market_symmetry::skew});
  refused({2, 2, {0, 1, 2}, {1, 0}, {1, 2}}, {.symmetry = market_symmetry::symmetric});
  refused({1, 1, {0, 1}, {0}, {0.0}}, {.symmetry = market_symmetry::skew});
  // The values are skew-symmetric, but the file cannot hold the stored zero.
  refused({2, 2, {0, 2, 3}, {0, 1, 0}, {0.0, -3, 3}}, {.symmetry = market_symmetry::skew});
  refused({1, 1, {0, 1}, {0}, {0.5}}, {.integer = true});
  refused({1, 1, {0, 1}, {0}, {-0.0}}, {.integer = true});
  refused({1, 1, {0, 1}, {0}, {std::nan("")}}, {.integer = true});
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_made_is_a_run_error) {
  scratch_folder const folder;
  BOOST_CHECK_THROW(write_matrix_market(folder / "none/m.mtx", small), run_error);
  BOOST_TEST(folder.names().empty());
}

BOOST_AUTO_TEST_CASE(gzip_output_is_valid_and_smaller) {
  auto const matrix = random_matrix<double, std::uint64_t>(9);
  std::string const plain = written(matrix);
  std::string const packed = written(matrix, {.compress = true});
  BOOST_TEST(packed.size() < plain.size());
  BOOST_TEST(packed.substr(0, 2) == "\x1f\x8b");
}

}  // namespace
BOOST_AUTO_TEST_SUITE_END()

}  // namespace gridloom::sparse
