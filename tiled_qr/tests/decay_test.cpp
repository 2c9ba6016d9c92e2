// Tests that panels keep the digits that LAPACK keeps, for matrices whose columns nearly depend on
// each other.

#include "decays.hpp"

#include <utility>

#include "panel_engines.hpp"
#include "panel_scene.hpp"

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::tiled_qr;
using namespace gridloom::tiled_qr::test;

namespace {

template <class Engine, class T>
void check_decay(test_machine const& on, device& machine, decay const& of) {
  std::vector<T> const a(of.values.begin(), of.values.end());
  BOOST_TEST_CONTEXT(of.what << ", " << of.rows << " x " << of.cols) {
    auto const found =
        check_matrix<Engine, T>(on, machine, a, of.rows, of.cols, 0, q_by::lapack_alone);
    // The bound does not depend on the number of rows, but some sums cover many rows at once. A GPU
    // block makes such sums. On some processors OpenBLAS makes them, too, when it forms and judges
    // Q for one column.
    double const usual = machine.is_host() ? residual_bound : 4 * residual_bound;
    double const bound = of.cols == 1 ? found.measured.orthogonality_bound : usual;
    BOOST_TEST(found.measured.orthogonality <= bound);
  }
}

using all_engines = std::tuple<resident, streamed, blocked, by_cholesky, by_steps_alone>;
/// Engines that support many rows.
using tall_engines = std::tuple<streamed, blocked, by_cholesky, by_steps_alone>;

template <class Engine>
void check_in_both(test_machine const& on, decay const& of) {
  check_decay<Engine, double>(on, *on.machine, of);
  check_decay<Engine, float>(on, *on.machine, of);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tiled_qr_decays)

// With too little refinement, products with inverses lost six digits of these matrices.
BOOST_AUTO_TEST_CASE_TEMPLATE(powers_and_exponentials_keep_their_digits, Engine, all_engines) {
  test_machine const& on = test_machines().back();
  for (auto const& [rows, cols] : shapes{{128, 74}, {311, 90}, {500, 84}}) {
    check_in_both<Engine>(on, powers(rows, cols, 0, 1, 1));
    check_in_both<Engine>(on, powers(rows, cols, 0.001, 1, 2));
    check_in_both<Engine>(on, graded_exponentials(rows, cols, -3, 3));
    check_in_both<Engine>(on, graded_exponentials(rows, cols, 3, -3));
  }
}
BOOST_AUTO_TEST_CASE_TEMPLATE(powers_and_exponentials_of_many_rows_keep_their_digits, Engine,
                              tall_engines) {
  test_machine const& on = test_machines().back();
  check_decay<Engine, double>(on, *on.machine, powers(20000, 74, 0, 1, 1));
  check_in_both<Engine>(on, powers(1000, 88, 0, 1, 1));
  check_decay<Engine, double>(on, *on.machine, graded_exponentials(1000, 256, 3, -3));
}

// In a column of equal entries, all roundings of a sum go in the same direction.
BOOST_AUTO_TEST_CASE_TEMPLATE(sums_of_like_entries_keep_their_digits, Engine, tall_engines) {
  test_machine const& on = test_machines().back();
  for (std::int64_t const cols : {1, 26, 36}) {
    check_in_both<Engine>(on, even_exponentials(1000, cols, 30));
    check_decay<Engine, double>(on, *on.machine, even_exponentials(20000, cols, 30));
  }
}
BOOST_AUTO_TEST_CASE(sums_of_resident_panels_keep_their_digits) {
  test_machine const& on = test_machines().back();
  for (std::int64_t const cols : {26, 30, 36})
    check_in_both<resident>(on, even_exponentials(1000, cols, 30));
}

// Float rounds some entries of these columns to zero or nearly zero. Reflectors and sums must both
// use the rounded entries.
BOOST_AUTO_TEST_CASE_TEMPLATE(columns_that_float_rounds_to_nearly_zero_spoil_no_others, Engine,
                              tall_engines) {
  test_machine const& on = test_machines().back();
  decay const bells = decay_of("bells, scaled rows", 485, 211, [](auto i, auto j) {
    double const apart = between(0.5, 1.5, i, 485) - between(0, 1, j, 211);
    return std::exp(-472 * apart * apart) *
           std::pow(10.0, 6 * std::sin(7.0 * static_cast<double>(i)));
  });
  check_decay<Engine, float>(on, *on.machine, bells);
}

// In small squares, chains may lose fewer units in the last place than in large ones.
BOOST_AUTO_TEST_CASE_TEMPLATE(small_squares_keep_their_digits, Engine, all_engines) {
  test_machine const& on = test_machines().back();
  random_decays source(11);
  for (int trial = 0; trial < 80; ++trial)
    check_decay<Engine, double>(on, *on.machine, source.draw(64, 64));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(decays_of_every_kind_keep_their_digits, Engine, all_engines) {
  test_machine const& on = test_machines().back();
  random_decays source(12);
  for (int trial = 0; trial < 120; ++trial) {
    decay const of = source.draw(400, 110);
    if (trial % 4 == 0)
      check_decay<Engine, float>(on, *on.machine, of);
    else
      check_decay<Engine, double>(on, *on.machine, of);
  }
}

BOOST_AUTO_TEST_SUITE_END()
