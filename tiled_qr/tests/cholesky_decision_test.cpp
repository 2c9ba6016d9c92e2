// Tests the decisions of a step (CD.R1 to CD.R3 of cholesky_decision.hpp) for triangles made by
// hand, and the counts of chains (chain_forecast.hpp).

#include "ours/tall/cholesky_decision.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "gridloom/device.hpp"
#include "inputs/families.hpp"
#include "ours/stream/streamed_panels.hpp"
#include "rivals/lapack.hpp"
#include "test_machines.hpp"
#include "test_support.hpp"

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::tiled_qr;

namespace {

/// The identity, but the first `size` columns have `above` in all entries above the diagonal. The
/// inverse grows as (1 + |above|)^size.
struct triangle {
  int size = 0;
  double above = 0;
  /// Whether the step has no triangle, because Cholesky's factorisation stopped.
  bool is_none = false;

  [[nodiscard]] double entry(int row, int col) const {
    if (is_none || row > col) return 0;
    return row == col ? 1 : col < size ? above : 0;
  }
  [[nodiscard]] double inverse_at(int row, int col) const {
    if (is_none || row > col) return 0;
    return row == col ? 1 : col < size ? -above * std::pow(1 - above, col - row - 1) : 0;
  }
};

constexpr triangle identity;
constexpr triangle no_triangle_at_all{.is_none = true};
/// Has a loss of 4e9 and a growth of 2.6e5.
constexpr triangle growing{.size = 17, .above = -1};
/// Has a growth of 2e19. A refined step leaves an error of 7e20 u². Double refuses that; float
/// accepts it, because its own rounding unit is larger.
constexpr triangle too_much_for_double{.size = 19, .above = -10};
/// Has a growth of 8e32, which is too much even after refinement.
constexpr triangle hopeless{.size = panel_width, .above = -10};

struct expected {
  tall_outcome outcome;
  int variant;
  bool is_refined;
};

struct trial {
  std::string what;
  std::array<triangle, variants> triangles;
  expected in_double;
  expected in_float;
  int step = 1;
  /// If not 0, replaces the true sums of the inverses' rows.
  double row_sum = 0;
  /// Number of chains without a shift, and with a shift if that is another number.
  int chains = 1000;
  int chains_with_shift = 0;
};

/// Runs count_chains for one panel.
struct count_kernel {
  using scratch = forecast_scratch;
  static constexpr bool persistent = false;
  static constexpr int max_threads = tall_threads;

  work_real const* triangle;
  work_real over_most;
  int* chains;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    panels::load_square(block, triangle, shared.triangle);
    int const counted = count_chains(block, over_most, shared);
    if (block.thread_rank() == 0) *chains = counted;
  }
};

template <class Kernel>
launch_shape one_block(device const& machine) {
  return {1, machine.is_host() ? 1 : Kernel::max_threads};
}

template <class Real>
tall_plan decide(device& machine, trial const& of) {
  std::vector<work_real> products(square_size, 0);
  std::vector<work_real> triangles;
  std::vector<work_real> inverses;
  std::vector<work_real> sums;
  for (int at = 0; at < panel_width; ++at) products[at * panel_width + at] = 1;
  for (triangle const& one : of.triangles) {
    for (int row = 0; row < panel_width; ++row) {
      double sum = 0;
      for (int col = 0; col < panel_width; ++col) {
        triangles.push_back(one.entry(row, col));
        inverses.push_back(one.inverse_at(row, col));
        sum += std::abs(one.inverse_at(row, col));
      }
      sums.push_back(of.row_sum != 0 ? of.row_sum : sum);
    }
  }
  auto const plan = machine.allocate_copy(std::vector<tall_plan>{{tall_outcome::going, 0, false}});
  auto const all_products = machine.allocate_copy(products);
  auto const all_triangles = machine.allocate_copy(triangles);
  auto const all_inverses = machine.allocate_copy(inverses);
  auto const all_sums = machine.allocate_copy(sums);
  cholesky_memory memory{};
  memory.plan = plan.data();
  memory.products = all_products.data();
  memory.triangles = all_triangles.data();
  memory.inverses = all_inverses.data();
  memory.row_sums = all_sums.data();
  std::vector<work_real> chains(
      variants,
      static_cast<work_real>(of.chains_with_shift != 0 ? of.chains_with_shift : of.chains));
  chains[0] = of.chains;
  auto const all_chains = machine.allocate_copy(chains);
  memory.chains = all_chains.data();
  using kernel = decide_kernel<Real>;
  notice_board board(machine);
  notice const told = board.next();
  machine.launch(one_block<kernel>(machine), kernel{{{nullptr, 1000, panel_width, 1000},
                                                     memory,
                                                     tall_shape::of(1000, panel_width),
                                                     of.step,
                                                     true,
                                                     false},
                                                    told});
  auto const found = machine.copy_to_host(plan.data());
  BOOST_TEST(board.wait(told.number).news == static_cast<int>(found.outcome));
  return found;
}

void check(tall_plan const& found, expected const& wanted) {
  BOOST_TEST((found.outcome == wanted.outcome));
  BOOST_TEST(found.variant == wanted.variant);
  BOOST_TEST(found.is_refined == wanted.is_refined);
}
void check(std::vector<trial> const& trials) {
  on_each_machine([&](test_machine const&, device& machine) {
    for (trial const& one : trials) {
      BOOST_TEST_CONTEXT(one.what << ", double")
      check(decide<double>(machine, one), one.in_double);
      BOOST_TEST_CONTEXT(one.what << ", float")
      check(decide<float>(machine, one), one.in_float);
    }
  });
}

constexpr expected last{tall_outcome::last, 0, false};
constexpr expected left{tall_outcome::to_chains, 0, false};
expected going(int variant, bool is_refined = false) {
  return {tall_outcome::going, variant, is_refined};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tiled_qr_cholesky_decision)

BOOST_AUTO_TEST_CASE(a_triangle_is_taken_refined_or_refused_by_its_loss_and_growth) {
  std::vector<trial> const trials{
      {"orthogonal", {identity, identity, identity}, last, last},
      {"growing", {growing, identity, identity}, going(0, true), going(0)},
      {"shifted", {no_triangle_at_all, growing, identity}, going(1, true), going(1)},
      {"twice shifted", {no_triangle_at_all, no_triangle_at_all, identity}, going(2), going(2)},
      {"a last step is not refined", {growing, identity, identity}, going(0, true), last, 1, 1e-10},
      {"refused", {no_triangle_at_all, hopeless, identity}, going(2), going(2)},
      {"refused for what a refinement leaves",
       {no_triangle_at_all, too_much_for_double, identity},
       going(2),
       going(1, true)},
      {"all refused", {hopeless, hopeless, hopeless}, left, left},
      {"none", {no_triangle_at_all, no_triangle_at_all, no_triangle_at_all}, left, left},
      {"no step left", {growing, identity, identity}, left, left, most_steps - 1},
      {"the last step there is", {identity, identity, identity}, last, last, most_steps - 1}};
  check(trials);
}

// In units of a chain: with one panel, a plain step costs 1.25 and a refined step 2.4, of which 0.5
// are already spent.
BOOST_AUTO_TEST_CASE(chains_take_over_where_they_are_expected_to_be_faster) {
  std::array const same{identity, identity, identity};
  std::array const shifted{no_triangle_at_all, identity, identity};
  std::array const refined{growing, identity, identity};
  std::array const both{no_triangle_at_all, growing, identity};
  std::vector<trial> const trials{
      {"the last step", same, last, last, 1, 0, 1},
      {"one more step, 1 chain", same, left, last, 1, 100, 1},
      {"one more step, 3 chains", same, going(0), last, 1, 100, 3},
      {"refined, 3 chains", refined, left, going(0), 1, 0, 3},
      {"refined, 4 chains", refined, going(0, true), going(0), 1, 0, 4},
      {"shifted, 1 chain", shifted, left, left, 1, 0, 1},
      {"shifted, 3 chains", shifted, left, going(1), 1, 0, 3},
      {"shifted, 4 chains", shifted, going(1), going(1), 1, 0, 4},
      {"shifted and refined, 7 chains", both, left, going(1), 1, 0, 7},
      {"shifted and refined, 8 chains", both, going(1, true), going(1), 1, 0, 8},
      // Without a shift the count is more accurate, even if the shifted triangle is taken.
      {"counted without a shift", same, left, left, 1, 1e30, 1, 1000},
      {"counted with a shift", shifted, left, left, 1, 0, 1000, 1},
      {"shifted the third time", shifted, left, left, 2},
      {"not shifted the third time", refined, going(0, true), going(0), 2}};
  check(trials);
}

BOOST_AUTO_TEST_CASE(columns_made_by_a_shift_may_hide_chains) {
  square<work_real> triangle{};
  for (int c = 0; c < panel_width; ++c) triangle(c, c) = c < 5 ? 1 : c < 12 ? 1.5e-3 : 1.3e-3;
  BOOST_TEST(hidden_columns(triangle, 1e-6) == 20);
  BOOST_TEST(hidden_columns(triangle, 0) == 0);
}

BOOST_AUTO_TEST_CASE(chains_are_counted_as_they_are_made) {
  constexpr std::int64_t rows = 400;
  struct panel {
    char const* family;
    double condition;
    int chains;
  };
  on_each_machine([&](test_machine const& on, device& machine) {
    for (auto const& [family, condition, chains] : {panel{"random", 0, 1},
                                                    {"graded", 0, 1},
                                                    {"conditioned", 1e3, 2},
                                                    {"conditioned", 1e9, 5},
                                                    {"clustered", 0, 3},
                                                    {"kahan", 0, 3}}) {
      auto const a = make_matrix<double>(family, rows, panel_width, 7, condition);
      auto const values = machine.allocate_copy(a);
      auto const t = machine.allocate<double>(square_size);
      auto const tau = machine.allocate<double>(panel_width);
      panels::streamed_panels<double> qr(machine, rows, panel_width, {on.shape.blocks});
      qr.start({values.data(), rows, panel_width, rows}, t.data(), tau.data());
      int const made = static_cast<int>(qr.finish());
      std::vector<double> factors = a;
      std::vector<double> taus(panel_width);
      lapack_geqrf(rows, panel_width, factors.data(), taus.data());
      std::vector<work_real> triangle(square_size, 0);
      for (int col = 0; col < panel_width; ++col)
        for (int row = 0; row <= col; ++row)
          triangle[static_cast<std::size_t>(row * panel_width + col)] =
              factors[static_cast<std::size_t>(row + col * rows)];
      auto const from = machine.allocate_copy(triangle);
      auto const counted = machine.allocate<int>(1);
      machine.launch(
          one_block<count_kernel>(machine),
          count_kernel{from.data(), panels::least_length(rows, panel_width), counted.data()});
      BOOST_TEST_CONTEXT(family << ", condition " << condition) {
        BOOST_TEST(machine.copy_to_host(counted).front() == made);
        BOOST_TEST(made >= chains);
      }
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()
