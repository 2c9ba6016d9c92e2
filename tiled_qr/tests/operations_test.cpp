// Tests the four operations on tiles that are small enough to check by hand.

#include "tiled_qr/operations.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "tiled_qr/execute.hpp"

BOOST_AUTO_TEST_SUITE(operations_test)

using namespace gridloom;
using namespace gridloom::tiled_qr;

namespace {

thread_of_one const one(0, 1);

/// A column-major tile that owns its memory.
struct own_tile {
  std::vector<double> values;
  int rows;
  tile_ref<double> ref;
  own_tile(int m, std::vector<double> columns)
      : values(std::move(columns)),
        rows(m),
        ref{values.data(), m, m, static_cast<int>(values.size()) / m} {}
};

/// Reduces the columns of a tile by dgeqt2. Returns their taus.
std::vector<double> reduce(own_tile& a) {
  std::vector<double> taus(a.values.size() / std::size_t(a.rows), 9.0);
  norm_scratch<double> scratch;
  dgeqt2(one, a.ref, taus.data(), scratch);
  return taus;
}

void require_near(std::vector<double> const& found, std::vector<double> const& expected) {
  BOOST_TEST_REQUIRE(found.size() == expected.size());
  for (std::size_t at = 0; at < found.size(); ++at)
    BOOST_TEST(std::abs(found[at] - expected[at]) < 1e-15);
}

}  // namespace

BOOST_AUTO_TEST_CASE(dgeqt2_reduces_a_column_of_3_and_4_to_5) {
  own_tile a(2, {3, 4, 1, 0});
  // By hand: v = (3, 4) + 5 (1, 0) = (8, 4), normalised to (1, 0.5), and tau = 2 / 1.25.
  require_near(reduce(a), {1.6, 0});
  require_near(a.values, {-5, 0.5, -0.6, -0.8});
}

BOOST_AUTO_TEST_CASE(a_column_of_3_and_4_of_the_smallest_number_is_reduced_alike) {
  constexpr double smallest = std::numeric_limits<double>::denorm_min();
  own_tile a(2, {3 * smallest, 4 * smallest});
  require_near(reduce(a), {1.6});
  require_near({a.values[1]}, {0.5});
  BOOST_TEST(a.values[0] == -5 * smallest);
}

BOOST_AUTO_TEST_CASE(a_column_that_begins_with_0_is_reduced) {
  own_tile a(2, {0, 2});
  require_near(reduce(a), {1});
  require_near(a.values, {-2, 1});
}

BOOST_AUTO_TEST_CASE(columns_that_need_no_reflector_do_not_change) {
  own_tile a(2, {7, 0, 3, 4});
  std::vector<double> const before = a.values;
  BOOST_TEST(reduce(a) == (std::vector<double>{0, 0}));
  BOOST_TEST(a.values == before);
}

BOOST_AUTO_TEST_CASE(dlarfb_does_to_a_tile_what_dgeqt2_did_to_its_columns) {
  own_tile whole(3, {1, 2, 3, 4, 5, 6, 7, 8, 10, 1, -1, 2});
  own_tile left(3, {1, 2, 3, 4, 5, 6, 7, 8, 10});
  own_tile right(3, {1, -1, 2});
  (void)reduce(whole);
  auto const taus = reduce(left);
  dlarfb<double>(one, left.ref, taus.data(), right.ref);
  require_near({right.values}, {whole.values.begin() + 9, whole.values.end()});
}

BOOST_AUTO_TEST_CASE(dtsqt2_does_not_change_the_upper_tile_below_its_diagonal) {
  own_tile r(2, {3, 99, 0, 5});
  own_tile a(1, {4, 0});
  double taus[2] = {};
  norm_scratch<double> scratch;
  dtsqt2(one, r.ref, a.ref, taus, scratch);
  require_near({r.values[0], r.values[1]}, {-5, 99});
  require_near({a.values[0], taus[0]}, {0.5, 1.6});
  require_near({r.values[2], r.values[3], a.values[1]}, {0, 5, 0});
}

BOOST_AUTO_TEST_CASE(dssrfb_does_to_two_tiles_what_dtsqt2_did_to_its_columns) {
  // Compares dtsqt2 on three columns with dtsqt2 on two columns and dssrfb on the third.
  own_tile r(3, {2, 0, 0, 1, 3, 0, 4, 5, 6});
  own_tile a(2, {1, 2, 3, 4, 5, 6});
  own_tile r2(3, {2, 0, 0, 1, 3, 0});
  r2.ref.rows = 3;
  own_tile v(2, {1, 2, 3, 4});
  own_tile top(3, {4, 5, 6});
  own_tile bottom(2, {5, 6});
  double taus[3] = {};
  double same[3] = {};
  norm_scratch<double> scratch;
  // Leaves out the third reflector, which would change the last column again.
  dtsqt2(one, r2.ref, v.ref, same, scratch);
  dssrfb<double>(one, v.ref, same, top.ref, bottom.ref);
  tile_ref<double> first_two = a.ref;
  dtsqt2(one, r.ref, first_two, taus, scratch);
  require_near({top.values[0], top.values[1]}, {r.values[6], r.values[7]});
  // The third reflector maps the rest of the column to its length.
  double const left = std::hypot(top.values[2], std::hypot(bottom.values[0], bottom.values[1]));
  BOOST_TEST(std::abs(std::abs(r.values[8]) - left) < 1e-14);
  // Rows below the first two do not change.
  BOOST_TEST(top.values[2] == 6);
}

BOOST_AUTO_TEST_CASE(q_undoes_q_transposed) {
  own_tile v(3, {1, 2, 3, 4, 5, 7});
  auto const taus = reduce(v);
  // Has more columns than one thread updates at once.
  own_tile c(3, {1, 2, 3, -4, 5, 6, 1, 0, 0, 2, 2, 2, 9, 8, 7});
  std::vector<double> const before = c.values;
  dlarfb<double>(one, v.ref, taus.data(), c.ref);
  dlarfb<double>(one, v.ref, taus.data(), c.ref, side::q);
  for (std::size_t at = 0; at < before.size(); ++at)
    BOOST_TEST(std::abs(c.values[at] - before[at]) < 1e-13);
}

BOOST_AUTO_TEST_CASE(parts_of_a_tile_are_copied_and_no_more) {
  own_tile const from(3, {1, 2, 3, 4, 5, 6});
  own_tile upper(3, {0, 0, 0, 0, 0, 0});
  own_tile below(3, {0, 0, 0, 0, 0, 0});
  copy_tile(one, from.ref, upper.ref, part::upper);
  copy_tile(one, from.ref, below.ref, part::below);
  BOOST_TEST(upper.values == (std::vector<double>{1, 0, 0, 4, 5, 0}));
  BOOST_TEST(below.values == (std::vector<double>{0, 2, 3, 0, 0, 6}));
}

BOOST_AUTO_TEST_SUITE_END()
