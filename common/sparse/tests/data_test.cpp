// Reads every matrix of the folder that GRIDLOOM_DATA_DIR names, compares it with the table in that
// folder's README.md (rows, entries, half-bandwidth, components) and writes it in every format.
// Where the variable is not set, says so and exits 77, which CTest shows as skipped.
#define BOOST_TEST_ALTERNATIVE_INIT_API
#define BOOST_TEST_NO_MAIN
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "gridloom/sparse/check.hpp"
#include "gridloom/sparse/csr_file.hpp"
#include "gridloom/sparse/generate.hpp"
#include "gridloom/sparse/matrix_source.hpp"
#include "gridloom/sparse/measures.hpp"
#include "gridloom/sparse/transform.hpp"
#include "test_support.hpp"

namespace gridloom::sparse {

BOOST_AUTO_TEST_SUITE(data_test)
namespace {

std::filesystem::path data_dir() { return std::getenv("GRIDLOOM_DATA_DIR"); }

struct expected_matrix {
  std::string name;
  std::string kind;  // "values" or "pattern"
  std::uint64_t rows;
  std::uint64_t entries;
  std::uint64_t half_bandwidth;
  std::uint64_t components;
};

// Rows such as "| `LFAT5` | Oberwolfach/LFAT5 | values | 14 | 46 | 5 | 3 | 3 |".
std::vector<expected_matrix> table() {
  std::vector<expected_matrix> found;
  std::ifstream readme{data_dir() / "README.md"};
  for (std::string line; std::getline(readme, line);) {
    if (!line.starts_with("| `")) continue;
    std::vector<std::string> cells;
    std::istringstream row{line};
    for (std::string cell; std::getline(row, cell, '|');) {
      std::erase_if(cell, [](char c) { return c == ' ' || c == '`'; });
      cells.push_back(cell);
    }
    if (cells.size() < 9) continue;
    found.push_back({cells[1], cells[3], std::stoull(cells[4]), std::stoull(cells[5]),
                     std::stoull(cells[6]), std::stoull(cells[8])});
  }
  return found;
}

std::filesystem::path file_of(std::string const& name) {
  return data_dir() / "matrices" / (name + ".mtx.gz");
}

template <matrix_value Value>
void check_round_trips(csr_matrix<Value> const& matrix) {
  test::scratch_folder const folder;
  write_csr(folder / "m.h5", matrix);
  BOOST_TEST((std::get<csr_matrix<Value>>(read_csr(folder / "m.h5")) == matrix));
  write_matrix_market(folder / "m.mtx", matrix);
  BOOST_TEST((read_matrix_market<Value>(folder / "m.mtx") == matrix));
  if (symmetry_of(matrix) != symmetry::none && !has_values<Value>) {
    write_matrix_market(folder / "half.mtx", matrix, {.symmetry = market_symmetry::symmetric});
    BOOST_TEST((read_matrix_market<Value>(folder / "half.mtx") == matrix));
  }
  BOOST_TEST((transpose(transpose(matrix)) == matrix));
}

BOOST_AUTO_TEST_CASE(every_matrix_of_the_table_is_as_the_table_says) {
  std::vector<expected_matrix> const expected = table();
  BOOST_TEST(expected.size() >= 50U);
  for (expected_matrix const& wanted : expected) {
    BOOST_TEST_CONTEXT(wanted.name) {
      any_csr const any = read_matrix(file_of(wanted.name));
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

// What the text below the table says, and the collection's index of the originals.
BOOST_AUTO_TEST_CASE(the_rebuilt_matrices_have_the_sizes_of_the_originals) {
  auto const ecology = read_matrix_market<double>(file_of("ecology1_recon"));
  BOOST_TEST(ecology.num_rows == 1'000'000U);
  BOOST_TEST(ecology.num_entries() == 4'996'000U);
  BOOST_TEST(components_of(ecology).count() == 1U);
  auto const mesh = read_matrix_market<double>(file_of("parabolic_fem_recon"));
  BOOST_TEST(mesh.num_rows == 525'825U);
  BOOST_TEST(mesh.num_entries() == 3'674'625U);
  auto const same = std::get<csr_matrix<double>>(generate("trefethen:n=2000"));
  BOOST_TEST((read_matrix_market<double>(file_of("Trefethen_2000")) == same));
}

}  // namespace
BOOST_AUTO_TEST_SUITE_END()

}  // namespace gridloom::sparse

int main(int argc, char** argv) {
  if (std::getenv("GRIDLOOM_DATA_DIR") == nullptr) {
    std::puts("GRIDLOOM_DATA_DIR is not set: skipped");
    return 77;
  }
  return boost::unit_test::unit_test_main([] { return true; }, argc, argv);
}
