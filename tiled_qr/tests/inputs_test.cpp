// Tests families and files of input matrices, and the check of results.

#include "inputs/families.hpp"

#include <H5Cpp.h>

#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "check/largest.hpp"
#include "check/residual.hpp"
#include "gridloom/error.hpp"
#include "gridloom/random.hpp"
#include "inputs/matrix_file.hpp"
#include "inputs/room_for_r.hpp"
#include "rivals/lapack.hpp"
#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(inputs_test)

using namespace gridloom;
using namespace gridloom::tiled_qr;
using namespace gridloom::test;

namespace {

using precisions = std::tuple<double, float>;

std::string refused(std::filesystem::path const& path) {
  return message_of<usage_error>([&] { (void)read_dense(path); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(families_are_the_same_for_a_seed_and_finite) {
  for (family const& one : families()) {
    auto const first = make_matrix<double>(one.name, 13, 9, 1);
    BOOST_TEST(first == make_matrix<double>(one.name, 13, 9, 1));
    BOOST_TEST(first.size() == 13U * 9U);
    require_finite<double>(first, 13, "it");
    require_finite<float>(make_matrix<float>(one.name, 9, 13, 1), 9, "it");
  }
  BOOST_TEST(make_matrix<double>("random", 4, 4, 1) != make_matrix<double>("random", 4, 4, 2));
  BOOST_TEST(
      contains(message_of<usage_error>([] { make_matrix<double>("odd", 2, 2, 1); }), "hilbert"));
}

BOOST_AUTO_TEST_CASE(values_that_several_threads_make_are_those_of_one_sequence) {
  std::int64_t const rows = 300000;
  random_source sequence(5);
  std::vector<double> expected(3 * rows);
  for (double& x : expected) x = 2 * sequence.unit() - 1;
  BOOST_TEST((make_matrix<double>("random", rows, 3, 5) == expected));
  std::vector<float> const rounded(expected.begin(), expected.end());
  BOOST_TEST((make_matrix<float>("random", rows, 3, 5) == rounded));
  for (std::size_t e = 0; e < expected.size(); ++e)
    expected[e] *= std::pow(10.0, -12.0 * static_cast<double>(e / rows) / 3.0);
  BOOST_TEST((make_matrix<double>("graded", rows, 3, 5) == expected));
}

BOOST_AUTO_TEST_CASE(the_largest_absolute_value_is_found_wherever_it_stands) {
  std::vector<double> values(700000, 0.5);
  for (std::size_t const at : {std::size_t{0}, std::size_t{300000}, values.size() - 1}) {
    values[at] = -2;
    BOOST_TEST(require_finite<double>(values, 7, "A") == 2);
    values[at] = 0.5;
  }
  BOOST_TEST(require_finite<double>(std::vector<double>(10, 0.0), 5, "A") == 0);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(columns_too_long_for_r_are_refused, T, precisions) {
  constexpr T quarter = std::numeric_limits<T>::max() / 4;
  std::vector<T> values(6, T{0});
  auto const said = [&] {
    try {
      require_room_for_r<T>(values, 3, largest_of(std::span<T const>(values)), "A");
    } catch (usage_error const& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  BOOST_TEST(said() == "");
  values = {quarter, 0, 0, 0, -quarter, 0};
  BOOST_TEST(said() == "");
  values[5] = quarter / 2;
  BOOST_TEST(said().find("A: column 2: expected a length of at most") == 0U);
  // The column is too long, though no single entry is too large.
  values = {T(0.8) * quarter, T(0.8) * quarter, 0, 0, 0, 0};
  BOOST_TEST(said().find("A: column 1") == 0U);
  values = {T(0.7) * quarter, T(0.7) * quarter, 0, 0, 0, 0};
  BOOST_TEST(said() == "");
}

BOOST_AUTO_TEST_CASE(families_have_their_stated_properties) {
  BOOST_TEST(make_matrix<double>("identity", 2, 3, 1) == (std::vector<double>{1, 0, 0, 1, 0, 0}));
  BOOST_TEST(make_matrix<double>("constant", 2, 2, 1) == std::vector<double>(4, 1.0));
  auto const repeated = make_matrix<double>("repeated", 2, 4, 1);
  BOOST_TEST((repeated[4] == repeated[0] && repeated[5] == repeated[1]));
  BOOST_TEST((repeated[6] == repeated[2] && repeated[2] != repeated[0]));
  BOOST_TEST(make_matrix<double>("hilbert", 2, 2, 1) ==
             (std::vector<double>{1, 1.0 / 2, 1.0 / 2, 1.0 / 3}));
  auto const diagonal =
      lapack_diagonal<double>(20, 20, make_matrix<double>("rank-deficient", 20, 20, 1));
  BOOST_TEST(std::abs(diagonal[9]) > 1e-6);
  for (std::size_t k = 10; k < 20; ++k) BOOST_TEST(std::abs(diagonal[k]) < 1e-12);
  // The product of R's diagonal is that of the singular values: 7 of them are 1, 7 are 1e-3, and 6
  // are 1e-6.
  auto const clustered =
      lapack_diagonal<double>(20, 20, make_matrix<double>("clustered", 20, 20, 1));
  double const power =
      std::accumulate(clustered.begin(), clustered.end(), 0.0,
                      [](double sum, double x) { return sum + std::log10(std::abs(x)); });
  BOOST_TEST(std::abs(power + 57) < 1e-6);
}

BOOST_AUTO_TEST_CASE(the_place_of_a_value_that_is_not_finite_is_named) {
  for (double const bad : {std::numeric_limits<double>::quiet_NaN(), HUGE_VAL, -HUGE_VAL}) {
    std::vector<double> values(12, 1.0);
    values[7] = bad;
    std::string const said =
        message_of<usage_error>([&] { require_finite<double>(values, 4, "A"); });
    BOOST_TEST(contains(said, "A: row 4, column 2"));
  }
}

BOOST_AUTO_TEST_CASE(market_files_are_read_as_arrays_or_coordinates) {
  scratch_folder folder;
  auto const array = read_dense(write_text(
      folder / "a.mtx",
      "%%MatrixMarket matrix array real general\n% by columns\n2 3\n1\n2\n 3.5 \n-4\n+5\n6e0\n"));
  BOOST_TEST((array.rows == 2 && array.cols == 3));
  BOOST_TEST(array.values == (std::vector<double>{1, 2, 3.5, -4, 5, 6}));
  auto const symmetric = read_dense(write_text(
      folder / "y.mtx", "%%MatrixMarket matrix array real symmetric\n3 3\n1\n2\n3\n4\n5\n6\n"));
  BOOST_TEST(symmetric.values == (std::vector<double>{1, 2, 3, 2, 4, 5, 3, 5, 6}));
  auto const skew = read_dense(
      write_text(folder / "k.mtx", "%%MatrixMarket matrix array real skew-symmetric\n2 2\n1\n"));
  BOOST_TEST(skew.values == (std::vector<double>{0, 1, -1, 0}));
  auto const in_capitals = read_dense(
      write_text(folder / "c.mtx", "%%MatrixMarket MATRIX Array Real General\n2 1 \n1\n2\n"));
  BOOST_TEST(in_capitals.values == (std::vector<double>{1, 2}));
  auto const sparse = read_dense(write_text(
      folder / "s.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 2 7\n2 3 -1\n"));
  BOOST_TEST(sparse.values == (std::vector<double>{0, 0, 7, 0, 0, -1}));
}

BOOST_AUTO_TEST_CASE(room_is_asked_for_before_elements_take_memory) {
  scratch_folder folder;
  std::string const head = "%%MatrixMarket matrix coordinate real general\n";
  // The file is refused before its entries are read, so a wrong entry gives the same error.
  for (std::string const entry : {"1 1 2\n", "none\n"}) {
    auto const path = write_text(folder / "vast.mtx", head + "1000000 1000001 1\n" + entry);
    auto const said = message_of<usage_error>([&] {
      (void)read_dense(path, [](std::int64_t rows, std::int64_t cols) {
        throw usage_error(std::to_string(rows) + " by " + std::to_string(cols));
      });
    });
    BOOST_TEST(said == "1000000 by 1000001");
  }
}

BOOST_AUTO_TEST_CASE(a_condition_number_is_what_was_asked_for) {
  // The sum of the singular values' squares must be that of the entries' squares. Their product
  // must be that of R's diagonal, compared by logarithms.
  for (double const condition : {1.0, 1e3, 1e8}) {
    auto const a = make_matrix<double>(conditioned_family, 30, 12, 1, condition);
    double squares = 0;
    double logarithms = 0;
    for (int k = 0; k < 12; ++k) {
      squares += std::pow(condition, -2.0 * k / 11);
      logarithms -= std::log10(condition) * k / 11;
    }
    double own_squares = 0;
    for (double const x : a) own_squares += x * x;
    double own_logarithms = 0;
    for (double const x : lapack_diagonal<double>(30, 12, a))
      own_logarithms += std::log10(std::abs(x));
    BOOST_TEST(std::abs(own_squares - squares) < 1e-12);
    BOOST_TEST(std::abs(own_logarithms - logarithms) < 1e-6);
    // The condition does not give any single column a small norm.
    for (std::size_t j = 0; j < 12; ++j)
      BOOST_TEST(std::inner_product(a.begin() + 30 * j, a.begin() + 30 * (j + 1),
                                    a.begin() + 30 * j, 0.0) > 1e-4);
  }
}

BOOST_AUTO_TEST_CASE(hdf5_files_are_read_by_rows) {
  scratch_folder folder;
  std::array<float, 6> const values{1, 2, 3, 4, 5, 6};
  {
    H5::H5File file((folder / "a.h5").string(), H5F_ACC_TRUNC);
    hsize_t const extent[2] = {2, 3};
    file.createDataSet("matrix", H5::PredType::IEEE_F32LE, H5::DataSpace(2, extent))
        .write(values.data(), H5::PredType::NATIVE_FLOAT);
    H5::H5File group((folder / "group.h5").string(), H5F_ACC_TRUNC);
    group.createGroup("matrix").createGroup("a");
    H5::H5File flat((folder / "flat.h5").string(), H5F_ACC_TRUNC);
    flat.createDataSet("matrix", H5::PredType::IEEE_F32LE, H5::DataSpace(1, extent))
        .write(values.data(), H5::PredType::NATIVE_FLOAT);
    H5::H5File dangling((folder / "dangling.h5").string(), H5F_ACC_TRUNC);
    dangling.link(H5L_TYPE_SOFT, "/there", "matrix");
  }
  auto const matrix = read_dense(folder / "a.h5");
  BOOST_TEST((matrix.rows == 2 && matrix.cols == 3));
  BOOST_TEST(matrix.values == (std::vector<double>{1, 4, 2, 5, 3, 6}));
  std::string const refusal = refused(folder / "group.h5");
  BOOST_TEST(contains(refusal, "/matrix: expected a dataset with two dimensions"));
  BOOST_TEST(contains(refusal, "got a group"));
  BOOST_TEST(contains(refused(folder / "flat.h5"), "two dimensions"));
  BOOST_TEST(!contains(refused(folder / "dangling.h5"), "HDF5"));
}

BOOST_AUTO_TEST_CASE(files_without_a_matrix_are_refused_with_the_line) {
  scratch_folder folder;
  std::string const head = "%%MatrixMarket matrix array real general\n";
  std::string const symmetric = "%%MatrixMarket matrix array real symmetric\n";
  for (auto const& [text, said] : std::vector<std::pair<std::string, std::string>>{
           {"", "bad.mtx"},
           {"words\n", "bad.mtx:1"},
           {head, "end of the file"},
           {head + "2 -2\n1\n2\n3\n4\n", "bad.mtx:2"},
           {head + "0 4\n", "0 x 4"},
           {head + "2 2 4\n1\n2\n3\n4\n", "bad.mtx:2: expected the numbers of rows"},
           {"%%MatrixMarket matrix array real general 7\n1 1\n1\n", "bad.mtx:1"},
           {head + "2 1\n1\nnan\n", "finite"},
           {head + "2 1\n1\n2x\n", "bad.mtx:4"},
           {head + "2 1\n1\n2\n3\n", "bad.mtx:5"},
           {head + "2 2\n1\n2\n3\n", "end of the file"},
           {head + "99999999 99999999\n1\n", "at most 2^40"},
           {head + "999999 99999\n1\n", "end of the file after 1"},
           {head + "2 1\n+-5\n1\n", "bad.mtx:3"},
           {symmetric + "2 3\n1\n2\n3\n", "bad.mtx:2: expected as many rows as"},
           {symmetric + "2 2\n1\n2\n", "end of the file"},
           {symmetric + "2 2\n1\n2\n3\n2\n", "bad.mtx:6"},
           {"%%MatrixMarket matrix array complex general\n1 1\n1 0\n", "real"}})
    BOOST_TEST(contains(refused(write_text(folder / "bad.mtx", text)), said), text);
  BOOST_TEST(contains(refused(folder / "none.mtx"), "none.mtx"));
  BOOST_TEST(contains(refused(write_text(folder / "a.h5", "text")), "HDF5"));
  BOOST_TEST(contains(refused(write_text(folder / "a.txt", "1")), ".mtx"));
}

BOOST_AUTO_TEST_CASE(a_wrong_q_or_r_is_noticed) {
  std::vector<double> const a = make_matrix<double>("random", 6, 4, 1);
  std::vector<double> q(24, 0.0);
  for (std::size_t k = 0; k < 4; ++k) q[k * 6 + k] = 1;
  // The upper triangle of A, in `rows` rows.
  auto const upper = [&](std::size_t rows) {
    std::vector<double> made(4 * rows, 0.0);
    for (std::size_t j = 0; j < 4; ++j)
      for (std::size_t i = 0; i <= j; ++i) made[j * rows + i] = a[j * 6 + i];
    return made;
  };
  std::vector<double> const top = upper(4);
  BOOST_TEST(contains(excess_of(measure_residuals<double>(6, 4, a, q, top)), "|A - QR|"));
  // The product of this pair is right, but Q is not orthogonal.
  std::vector<double> half(q), twice(top);
  std::vector<double> const product = upper(6);
  BOOST_TEST(excess_of(measure_residuals<double>(6, 4, product, q, top)) == "");
  for (double& x : half) x *= 0.5;
  for (double& x : twice) x *= 2;
  std::string const said = excess_of(measure_residuals<double>(6, 4, product, half, twice));
  BOOST_TEST(contains(said, "|I - Q'Q|"));
  BOOST_TEST(!contains(said, "|A - QR|"));
  BOOST_TEST(contains(said, "LAPACK"));
  q[0] = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(excess_of(measure_residuals<double>(6, 4, product, q, top)) != "");
}

BOOST_AUTO_TEST_SUITE_END()
