// Reads every matrix of the folder that GRIDLOOM_DATA_DIR names, writes it as CSR and reads it back.
// Compares rows, entries, half-bandwidth and components with the table in that folder's README.md.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "check.hpp"
#include "data_files.hpp"
#include "gridloom/sparse/csr_file.hpp"
#include "gridloom/sparse/generate.hpp"
#include "gridloom/sparse/matrix_source.hpp"
#include "gridloom/sparse/measures.hpp"
#include "gridloom/sparse/transform.hpp"
#include "test_support.hpp"

namespace gridloom::sparse {

BOOST_AUTO_TEST_SUITE(data_test)
namespace {

using namespace test;

struct expected_matrix {
  std::string name;
  /// "values" or "pattern".
  std::string kind;
  std::uint64_t rows;
  std::uint64_t entries;
  std::uint64_t half_bandwidth;
  std::uint64_t components;
};

std::vector<expected_matrix> table() {
  std::vector<expected_matrix> found;
  for (auto const& cells : data_table()) {
    found.push_back({cells[1], cells[3], std::stoull(cells[4]), std::stoull(cells[5]),
                     std::stoull(cells[6]), std::stoull(cells[8])});
  }
  return found;
}

template <matrix_value Value>
void check_round_trips(csr_matrix<Value> const& matrix) {
  scratch_folder const folder;
  write_csr(folder / "m.h5", matrix);
  BOOST_TEST((std::get<csr_matrix<Value>>(read_csr(folder / "m.h5")) == matrix));
  BOOST_TEST((transpose(transpose(matrix)) == matrix));
}

BOOST_AUTO_TEST_CASE(every_matrix_of_the_table_is_as_the_table_says) {
  std::vector<expected_matrix> const expected = table();
  BOOST_TEST(expected.size() >= 50U);
  for (expected_matrix const& wanted : expected) {
    BOOST_TEST_CONTEXT(wanted.name) {
      any_csr const any = read_matrix(data_matrix(wanted.name));
      BOOST_TEST(std::holds_alternative<csr_matrix<no_value>>(any) == (wanted.kind == "pattern"));
      std::visit(
          [&](auto const& matrix) {
            check(matrix, wanted.name);
            BOOST_TEST(matrix.num_rows == wanted.rows);
            BOOST_TEST(matrix.num_cols == wanted.rows);
            BOOST_TEST(matrix.num_entries() == wanted.entries);
            BOOST_TEST(band_of(matrix).half() == wanted.half_bandwidth);
            BOOST_TEST(components_of(matrix).count() == wanted.components);
            BOOST_TEST((symmetry_of(matrix) != symmetry::none));
            check_round_trips(matrix);
          },
          any);
    }
  }
}

BOOST_AUTO_TEST_CASE(every_matrix_of_the_folder_is_read) {
  std::size_t files = 0;
  for (auto const& entry : std::filesystem::directory_iterator{data_dir() / "matrices"}) {
    BOOST_TEST_CONTEXT(entry.path().filename().string()) {
      std::visit([](auto const& matrix) { check(matrix, "matrix"); }, read_matrix(entry.path()));
    }
    ++files;
  }
  BOOST_TEST(files >= 57U);
}

// The expected facts are from the text below the table and from the collection's index.
BOOST_AUTO_TEST_CASE(the_rebuilt_matrices_have_the_sizes_of_the_originals) {
  auto const ecology = read_matrix_market<double>(data_matrix("ecology1_recon"));
  BOOST_TEST(ecology.num_rows == 1'000'000U);
  BOOST_TEST(ecology.num_entries() == 4'996'000U);
  BOOST_TEST(components_of(ecology).count() == 1U);
  auto const mesh = read_matrix_market<double>(data_matrix("parabolic_fem_recon"));
  BOOST_TEST(mesh.num_rows == 525'825U);
  BOOST_TEST(mesh.num_entries() == 3'674'625U);
  auto const same = std::get<csr_matrix<double>>(generate("trefethen:n=2000"));
  BOOST_TEST((read_matrix_market<double>(data_matrix("Trefethen_2000")) == same));
}

}  // namespace
BOOST_AUTO_TEST_SUITE_END()

}  // namespace gridloom::sparse
