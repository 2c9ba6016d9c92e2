// The applications name equal tiles only, so the paper's rule for ranges (one to one) and overlap
// give the same graphs.

#include <boost/test/unit_test.hpp>

#include "apps/heat/inspection.hpp"
#include "apps/int_hist/inspection.hpp"
#include "apps/jacobi/inspection.hpp"
#include "apps/lud/inspection.hpp"
#include "apps/sat/inspection.hpp"
#include "apps/strips/inspection.hpp"

using namespace gridloom;
using namespace gridloom::juggler;

namespace {

/// The address of an array that is not read. Different numbers give arrays that do not overlap.
template <class T>
T* some_array(std::uintptr_t number) {
  return reinterpret_cast<T*>((number + 1) << 40U);
}

/// `inspect_by(matching)` returns an inspection.
template <class Inspect>
void check_same_graph(Inspect const& inspect_by) {
  auto const one_to_one = inspect_by(range_matching::one_to_one);
  auto const overlapping = inspect_by(range_matching::overlapping);
  task_dag const& expected = overlapping.context.dag();
  BOOST_TEST(expected.children.edges() > expected.tasks());
  BOOST_TEST((one_to_one.context.dag().children.columns == expected.children.columns));
  BOOST_TEST((one_to_one.context.dag().children.row_offsets == expected.children.row_offsets));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(matching_test)

BOOST_AUTO_TEST_CASE(both_rules_give_one_graph_of_each_application) {
  // The last tiles of rows and columns are smaller.
  tiling const cut{70, 90, 8};
  auto const* const field = some_array<double const>(0);
  auto const* const next = some_array<double const>(1);
  check_same_graph([&](auto how) { return heat::inspect_heat(cut, 3, field, how); });
  check_same_graph([&](auto how) { return jacobi::inspect_jacobi(cut, 3, field, next, how); });
  check_same_graph([&](auto how) { return lud::inspect_lud({70, 70, 8}, field, how); });
  check_same_graph([&](auto how) {
    return strips::inspect_tiles(strips::tile_grid{70, 90, 8}, field, next, how);
  });
  check_same_graph([&](auto how) {
    return sat::inspect_sat(cut, some_array<std::uint32_t const>(0),
                            some_array<std::uint32_t const>(1), how);
  });
  check_same_graph([&](auto how) {
    return int_hist::inspect_int_hist(
        {nullptr, some_array<std::uint32_t>(0), some_array<std::uint32_t>(1), cut, 5}, how);
  });
}

BOOST_AUTO_TEST_SUITE_END()
