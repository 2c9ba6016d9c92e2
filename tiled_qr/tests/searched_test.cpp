// Tests matrices that searches found, each of which exceeded the bound in an earlier version. For
// some, chains allowed too large weights for 64 rows. For others, each of three steps of CholeskyQR
// had nearly the allowed error. Also tests sums of equal entries over many rows by one worker.

#include <filesystem>
#include <string>

#include "inputs/matrix_file.hpp"
#include "panel_scene.hpp"

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::tiled_qr;
using namespace gridloom::tiled_qr::test;

namespace {

using all_engines = std::tuple<resident, streamed, blocked, by_cholesky, by_steps_alone>;
using tall_engines = std::tuple<streamed, blocked, by_cholesky>;

device& host() {
  static device machine("host", 0);
  return machine;
}

template <class Engine>
void check_file(std::string const& name, int blocks) {
  test_machine const on{&host(), {blocks, 1}};
  dense_matrix const a =
      read_dense(std::filesystem::path(__FILE__).parent_path() / "found" / (name + ".h5"));
  BOOST_TEST_CONTEXT(name << " by " << blocks)
  check_matrix<Engine, double>(on, host(), a.values, a.rows, a.cols);
}

/// Makes the matrix whose element (i, j) is the smaller of i and j, counted from 1. So a column is
/// constant except for its first rows.
std::vector<double> smaller_of_both(std::int64_t rows, std::int64_t cols) {
  std::vector<double> a(static_cast<std::size_t>(rows * cols));
  for (std::int64_t j = 0; j < cols; ++j)
    for (std::int64_t i = 0; i < rows; ++i)
      a[static_cast<std::size_t>(i + j * rows)] = static_cast<double>(std::min(i, j) + 1);
  return a;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tiled_qr_searched)

BOOST_AUTO_TEST_CASE_TEMPLATE(chains_of_few_rows_keep_their_digits, Engine, all_engines) {
  for (int const blocks : {1, 2}) check_file<Engine>("weights-64x33", blocks);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(steps_together_grow_within_the_bound, Engine, all_engines) {
  for (int const blocks : {1, 2}) check_file<Engine>("growth-300x34", blocks);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(one_worker_sums_like_entries_of_many_rows, Engine, tall_engines) {
  test_machine const on{&host(), {1, 1}};
  auto const found = check_matrix<Engine, double>(on, host(), smaller_of_both(120000, 64), 120000,
                                                  64, 0, q_by::two_passes_alone);
  BOOST_TEST(found.measured.orthogonality < residual_bound);
}

BOOST_AUTO_TEST_SUITE_END()
