// What a step decides (D1 and D2 of cholesky_decision.hpp), of triangles made by hand.

#include "tiled_qr/tall/cholesky_decision.hpp"

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "gridloom/device.hpp"
#include "test_machines.hpp"
#include "test_support.hpp"

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::tiled_qr;

namespace {

/// The identity but for its first `size` columns: ones on the diagonal and `above` above it. Its inverse grows
/// as (1 + |above|)^size.
struct triangle {
  int size = 0;
  double above = 0;
  /// No triangle: Cholesky's factorisation has stopped.
  bool is_none = false;

  [[nodiscard]] double entry(int row, int col) const {
    if (is_none || row > col) return 0;
    return row == col ? 1 : col < size ? above : 0;
  }
  [[nodiscard]] double of_inverse(int row, int col) const {
    if (is_none || row > col) return 0;
    return row == col ? 1 : col < size ? -above * std::pow(1 - above, col - row - 1) : 0;
  }
};

constexpr triangle identity;
constexpr triangle no_triangle_at_all{.is_none = true};
/// Loss 4e9, growth about 1e5.
constexpr triangle growing{.size = 17, .above = -1};
/// Growth 1e32: one refinement leaves too much of it.
constexpr triangle hopeless{.size = panel_width, .above = -10};

struct expected {
  tall_outcome outcome;
  int variant;
  bool is_refined;
};

struct trial {
  std::string what;
  std::array<triangle, variants> of_variants;
  expected of_double;
  expected of_float;
  int step = 1;
  /// Of the inverses' columns, in place of their sums where it is not 0.
  double column_sum = 0;
};

template <class Real>
tall_plan decide(device& machine, trial const& of) {
  std::vector<work_real> products(square_size, 0);
  std::vector<work_real> triangles;
  std::vector<work_real> inverses;
  std::vector<work_real> sums;
  for (int at = 0; at < panel_width; ++at) products[at * panel_width + at] = 1;
  for (triangle const& one : of.of_variants) {
    for (int row = 0; row < panel_width; ++row) {
      double sum = 0;
      for (int col = 0; col < panel_width; ++col) {
        triangles.push_back(one.entry(row, col));
        inverses.push_back(one.of_inverse(row, col));
        sum += std::abs(one.of_inverse(col, row));
      }
      sums.push_back(of.column_sum != 0 ? of.column_sum : sum);
    }
  }
  auto const plan =
      machine.allocate_copy(std::vector<tall_plan>{{tall_outcome::going, of.step - 1, 0, false}});
  auto const all_products = machine.allocate_copy(products);
  auto const all_triangles = machine.allocate_copy(triangles);
  auto const all_inverses = machine.allocate_copy(inverses);
  auto const all_sums = machine.allocate_copy(sums);
  cholesky_memory memory{};
  memory.plan = plan.data();
  memory.products = all_products.data();
  memory.triangles = all_triangles.data();
  memory.inverses = all_inverses.data();
  memory.column_sums = all_sums.data();
  using kernel = decide_kernel<Real>;
  machine.launch(launch_shape{1, machine.is_host() ? 1 : kernel::max_threads},
                 kernel{{{nullptr, 1000, panel_width, 1000},
                         memory,
                         tall_shape::of(1000, panel_width),
                         of.step}});
  return machine.copy_to_host(plan.data());
}

void check(tall_plan const& found, trial const& of, expected const& wanted) {
  BOOST_TEST((found.outcome == wanted.outcome));
  BOOST_TEST(found.step == of.step);
  BOOST_TEST(found.variant == wanted.variant);
  BOOST_TEST(found.is_refined == wanted.is_refined);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tiled_qr_cholesky_decision)

BOOST_AUTO_TEST_CASE(a_triangle_is_taken_refined_or_refused_by_its_loss_and_growth) {
  constexpr expected last{tall_outcome::last, 0, false};
  constexpr expected failed{tall_outcome::failed, 0, false};
  auto const going = [](int variant, bool is_refined = false) {
    return expected{tall_outcome::going, variant, is_refined};
  };
  std::vector<trial> const trials{
      {"orthogonal", {identity, identity, identity}, last, last},
      {"growing", {growing, identity, identity}, going(0, true), going(0)},
      {"shifted", {no_triangle_at_all, growing, identity}, going(1, true), going(1)},
      {"twice shifted", {no_triangle_at_all, no_triangle_at_all, identity}, going(2), going(2)},
      {"a last step is not refined", {growing, identity, identity}, going(0, true), last, 1, 1e-10},
      {"refused", {no_triangle_at_all, hopeless, identity}, going(2), going(2)},
      {"all refused", {hopeless, hopeless, hopeless}, failed, failed},
      {"none", {no_triangle_at_all, no_triangle_at_all, no_triangle_at_all}, failed, failed},
      {"no step left", {growing, identity, identity}, failed, failed, most_steps - 1},
      {"the last step there is", {identity, identity, identity}, last, last, most_steps - 1}};
  on_each_machine([&](test_machine const&, device& machine) {
    for (trial const& one : trials) {
      BOOST_TEST_CONTEXT(one.what << ", double")
      check(decide<double>(machine, one), one, one.of_double);
      BOOST_TEST_CONTEXT(one.what << ", float")
      check(decide<float>(machine, one), one, one.of_float);
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()
