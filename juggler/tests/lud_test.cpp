// The graph of LU decomposition, its inputs and the checks of its results. Also the shape of
// graphs.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "apps/lud/input.hpp"
#include "apps/lud/inspection.hpp"
#include "apps/lud/matrix.hpp"
#include "graphs.hpp"
#include "gridloom/error.hpp"
#include "gridloom/taskgraph/shape.hpp"
#include "juggler/dag.hpp"
#include "test_support.hpp"

using namespace gridloom;
using namespace gridloom::juggler;
using namespace gridloom::juggler::test;
using namespace gridloom::test;

namespace {

task_dag dag_of_lud(std::int64_t tiles) {
  tiling const cut{4 * tiles, 4 * tiles, 4};
  std::vector<double> const a(static_cast<std::size_t>(cut.cells()));
  return lud::inspect_lud(cut, a.data()).context.dag();
}

std::string const banner = "%%MatrixMarket matrix coordinate ";

/// The error message for a file, without the file's name.
std::string input_refusal(std::string const& text) {
  scratch_folder const folder;
  return refusal_of(write_text(folder / "a.mtx", banner + text), lud::read_dominant).substr(2);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(lud_test)

BOOST_AUTO_TEST_CASE(two_by_two_tiles_make_the_five_edges_of_the_listing) {
  task_dag const dag = dag_of_lud(2);
  using types = std::vector<std::uint32_t>;
  BOOST_TEST(dag.kernel_types ==
             (types{lud::type_lu0, lud::type_fwd, lud::type_bdiv, lud::type_bmod, lud::type_lu0}));
  BOOST_TEST(dag.children.columns == (types{1, 2, 3, 3, 4}));
  BOOST_TEST(dag.children.row_offsets == (std::vector<std::uint64_t>{0, 2, 3, 4, 5, 5}));
}

BOOST_AUTO_TEST_CASE(fifteen_by_fifteen_tiles_are_those_of_table_1) {
  task_dag const dag = dag_of_lud(15);
  BOOST_TEST(dag.tasks() == 1240U);
  graph_shape const shape = shape_of(dag.children);
  BOOST_TEST(shape.widest_level == 196);
  BOOST_TEST(shape.narrowest_level == 1);
  // The longest path has three tasks per diagonal tile, except for the last tile, which has one.
  BOOST_TEST(shape.depth == 3 * 14 + 1);
}

BOOST_AUTO_TEST_CASE(edges_join_writers_of_tiles_with_later_readers) {
  for (std::int64_t p : {1, 2, 3, 7, 12}) {
    task_dag const dag = dag_of_lud(p);
    BOOST_TEST(dag.tasks() == lud::count_tasks(p));
    std::int64_t edges = 0;
    for (std::int64_t k = 0; k < p; ++k) {
      std::int64_t const rest = p - 1 - k;
      edges += 2 * rest + 2 * rest * rest;
      if (k > 0) edges += (rest + 1) * (rest + 1);
    }
    BOOST_TEST(static_cast<std::int64_t>(dag.children.edges()) == edges);
    BOOST_TEST(dag.ready.size() == 1U);
  }
}

BOOST_AUTO_TEST_CASE(elimination_of_a_matrix_by_hand) {
  std::vector<double> a{2, 1, 1, 4, 5, 3, 6, 9, 8};
  lud::decompose(3, a);
  // Row 2 becomes row 2 - 2 · row 1. Row 3 becomes row 3 - 3 · row 1 - 2 · the new row 2.
  BOOST_TEST(a == (std::vector<double>{2, 1, 1, 2, 3, 1, 3, 2, 3}));
}

BOOST_AUTO_TEST_CASE(the_residual_tells_factors_from_others) {
  for (std::int64_t const n : {1, 2, 40, 130}) {
    std::vector<double> const a = lud::make_input(n, 7).values;
    std::vector<double> factors = a;
    lud::decompose(n, factors);
    BOOST_TEST(lud::residual(n, a, factors) < 30);
    for (std::size_t const wrong : {std::size_t{0}, factors.size() / 2, factors.size() - 1}) {
      double const right = std::exchange(factors[wrong], factors[wrong] + 1e-6);
      BOOST_TEST(lud::residual(n, a, factors) > 30);
      factors[wrong] = std::nan("");
      BOOST_TEST(!(lud::residual(n, a, factors) < 30));
      factors[wrong] = right;
    }
  }
}

BOOST_AUTO_TEST_CASE(a_power_of_two_leaves_the_residual_as_it_is) {
  constexpr std::int64_t n = 6;
  std::vector<double> const a = lud::scaled_to_one(lud::make_input(n, 7).values);
  std::vector<double> factors = a;
  lud::decompose(n, factors);
  for (bool const is_wrong : {false, true}) {
    if (is_wrong) factors.back() *= 1.001;
    double const expected = lud::residual(n, a, factors);
    BOOST_TEST((expected > 30) == is_wrong);
    for (int const exponent : {-1000, -40, 1023}) {
      std::vector<double> scaled = a, scaled_factors = factors;
      for (double& value : scaled) value = std::scalbn(value, exponent);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i; j < n; ++j)
          scaled_factors[i * n + j] = std::scalbn(factors[i * n + j], exponent);
      }
      BOOST_TEST(lud::residual(n, scaled, scaled_factors) == expected);
    }
  }
}

BOOST_AUTO_TEST_CASE(updates_and_products_are_told_from_others) {
  // With so few elements, the sample contains all of them.
  constexpr std::size_t n = 9, tile = 3;
  std::vector<double> const a = lud::make_input(n, 7).values;
  std::vector<double> updated = a, square(n * n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < n; ++k) square[i * n + j] += a[i * n + k] * a[k * n + j];
      for (std::size_t k = 0; k < tile && i >= tile && j >= tile; ++k)
        updated[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
  }
  auto const check = [](std::vector<double>& right, auto const& judge) {
    BOOST_CHECK_NO_THROW(judge(right));
    for (double& element : right) {
      double const kept = std::exchange(element, element + 1e-9);
      BOOST_CHECK_THROW(judge(right), wrong_result);
      element = std::nan("");
      BOOST_CHECK_THROW(judge(right), wrong_result);
      element = kept;
    }
  };
  check(updated, [&](auto const& got) { lud::require_updated({n, n, tile}, a, got); });
  check(square, [&](auto const& got) { lud::require_square({n, n, tile}, a, got); });
}

BOOST_AUTO_TEST_CASE(tiles_hold_the_matrix_and_an_identity_beyond_it) {
  tiling const cut{3, 3, 2};
  std::vector<double> const by_rows{1, 2, 3, 4, 5, 6, 7, 8, 9};
  std::vector<double> const tiles = lud::to_tiles(cut, by_rows);
  BOOST_TEST(tiles == (std::vector<double>{1, 2, 4, 5, 3, 0, 6, 0, 7, 8, 0, 0, 9, 0, 0, 1}));
  BOOST_TEST(lud::from_tiles(cut, tiles) == by_rows);
}

BOOST_AUTO_TEST_CASE(every_diagonal_entry_exceeds_the_rest_of_its_row) {
  constexpr std::size_t n = 50;
  std::vector<double> const a = lud::make_input(n, 3).values;
  for (std::size_t i = 0; i < n; ++i) {
    double others = 0;
    for (std::size_t j = 0; j < n; ++j) {
      if (j != i) others += std::abs(a[i * n + j]);
    }
    BOOST_TEST(others < a[i * n + i]);
  }
  BOOST_TEST(lud::make_input(n, 4).values != a);
}

BOOST_AUTO_TEST_CASE(transposing_twice_gives_the_matrix) {
  std::vector<double> const a{1, 2, 3, 4, 5, 6, 7, 8, 9};
  BOOST_TEST(lud::transposed(3, a) == (std::vector<double>{1, 4, 7, 2, 5, 8, 3, 6, 9}));
  BOOST_TEST(lud::transposed(3, lud::transposed(3, a)) == a);
}

BOOST_AUTO_TEST_CASE(a_matrix_of_a_file_is_read_by_entries_or_by_columns) {
  scratch_folder const folder;
  for (std::string const& text :
       {banner + "real general\n2 2 3\n1 1 -3\n1 2 3\n2 2 0.5\n",
        std::string("%%MatrixMarket matrix array real general\n2 2\n-3\n0\n3\n0.5\n")}) {
    lud::input const read = lud::to_dense(lud::read_dominant(write_text(folder / "a.mtx", text)));
    BOOST_TEST(read.rows == 2);
    BOOST_TEST(read.values == (std::vector<double>{-3, 3, 0, 0.5}));
  }
}

BOOST_AUTO_TEST_CASE(matrices_that_need_pivots_are_refused) {
  BOOST_TEST(input_refusal("real general\n1 2 1\n1 1 1\n") ==
             "expected a square matrix, got 1 x 2");
  BOOST_TEST(input_refusal("pattern general\n1 1 1\n1 1\n") ==
             "expected a matrix with values, got a pattern");
  // A row that outweighs its diagonal element; a missing diagonal element; an empty row.
  for (auto const& [entries, row] :
       {std::pair{"2 2 3\n1 1 4\n2 1 -2\n2 2 1\n", 2}, std::pair{"2 2 2\n1 2 1\n2 1 1\n", 1},
        std::pair{"2 2 1\n1 1 4\n", 2}}) {
    std::string const said = input_refusal(std::string("real general\n") + entries);
    BOOST_TEST(said.starts_with("row " + std::to_string(row) + ": expected a diagonal element"),
               said);
  }
}

BOOST_AUTO_TEST_CASE(the_serial_order_keeps_edges_and_the_order_of_making) {
  task_dag const lud = dag_of_lud(4);
  std::vector<std::uint32_t> const order = serial_order(lud);
  for (std::uint32_t task = 0; task < lud.tasks(); ++task) BOOST_TEST(order[task] == task);
  BOOST_TEST(serial_order(dag_of(4, {{3, 0}, {0, 2}})) == (std::vector<std::uint32_t>{1, 3, 0, 2}));
}

BOOST_AUTO_TEST_SUITE_END()
