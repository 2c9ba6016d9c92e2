// The triangular solve on host workers and on CUDA blocks of several sizes: systems that can be
// solved by eye, and residuals.

#include <bit>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <utility>

#include "gridloom/error.hpp"
#include "gridloom/taskgraph/cluster.hpp"
#include "round_body.hpp"
#include "solver.hpp"
#include "sptrsv_systems.hpp"
#include "test_machines.hpp"
#include "wavefront/ours/sptrsv/value_word.hpp"

using namespace gridloom;
using namespace gridloom::wavefront::sptrsv;
using namespace gridloom::wavefront::sptrsv::test;
using namespace gridloom::test;

namespace {

using factory = std::unique_ptr<solver>(device&, lower_system const&, solver_options const&);
template <level_end How>
std::unique_ptr<solver> by_levels(device& machine, lower_system const& of,
                                  solver_options const& options) {
  return make_waves(machine, of, options, How);
}

struct way {
  factory* make;
  std::string name;
  solver_options options;
};

bool fits_a_cluster(test_machine const& on, int blocks) {
  return why_no_cluster(on.machine->properties(), blocks).empty();
}

/// in_order with several plans, then the methods that run level by level.
std::vector<way> ways(test_machine const& on) {
  std::vector<way> all;
  auto const add = [&](factory* make, std::string const& name, std::uint32_t entries,
                       std::uint32_t narrow, std::uint32_t gate, int flat_warps = 0) {
    all.push_back({make, name, {on.shape, {32, entries, narrow}, flat_warps, gate, 300}});
  };
  add(make_in_order, "in_order", 4, 0, 0);
  add(make_in_order, "in_order", 4, 8, 0);
  add(make_in_order, "in_order", 1, 2, 1);
  add(make_in_order, "in_order", 9, 1U << 20, 3);
  add(make_in_order, "in_order", 4, 4, 2, 1);
  add(by_levels<level_end::grid_barrier>, "waves_barrier", 4, 0, 0);
  for (int const blocks : {on.shape.blocks, 8, 16}) {
    add(by_levels<level_end::cluster_barrier>, "waves_cluster", 4, 0, 0);
    all.back().options.shape.blocks = blocks;
    if (!fits_a_cluster(on, blocks)) all.pop_back();
  }
  add(by_levels<level_end::launch>, "waves_stream", 2, 0, 0);
  add(by_levels<level_end::graph>, "waves_graph", 4, 0, 0);
  add(by_levels<level_end::graph_pdl>, "waves_graph_pdl", 4, 0, 0);
  add(make_sync_free, "sync_free", 4, 0, 0);
  return all;
}

bool whole_warps(test_machine const& on) {
  return on.machine->is_host() || on.shape.threads % 32 == 0;
}

template <class Body>
void on_whole_warps(Body&& body) {
  on_each_machine([&](test_machine const& on, device& machine) {
    if (whole_warps(on)) body(on, machine);
  });
}

std::unique_ptr<solver> make(device& machine, lower_system const& of, way const& how) {
  return how.make(machine, of, how.options);
}

std::vector<double> solved(solver& by, std::vector<double> const& right_side) {
  by.forget();
  by.load(right_side);
  by.run();
  auto x = by.x();
  by.require_done();
  return x;
}

/// Solves for three right sides, so that later solves reuse the words of earlier ones.
void check_shape(test_machine const& on, device& machine, lower_system const& of) {
  if (!whole_warps(on)) return;
  for (way const& how : ways(on)) {
    BOOST_TEST_CONTEXT(how.name << ", " << how.options.plan.entries_a_lane
                                << " entries per lane, narrow " << how.options.plan.narrow
                                << ", gate " << how.options.gate) {
      auto const by = make(machine, of, how);
      auto right_side = of.right_side;
      for (int k = 0; k < 3; ++k) {
        auto const x = solved(*by, right_side);
        BOOST_CHECK_EQUAL(error_text<wrong_result>([&] { require_solution(of, right_side, x); }),
                          "");
        for (double& value : right_side) value = 1 - 2 * value;
      }
    }
  }
}

/// Solves with few blocks. On a GPU, also solves with one block and with one block per
/// multiprocessor, each with the largest number of threads.
void check(test_machine on, device& machine, lower_system const& of) {
  check_shape(on, machine, of);
  if (machine.is_host()) return;
  for (int const blocks : {1, machine.properties().multiprocessors}) {
    on.shape.blocks = blocks;
    check_shape(on, machine, of);
  }
  on.shape.threads = most_planned_threads;
  check_shape(on, machine, of);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_system_of_four_rows_has_the_solution_by_hand) {
  // 2 a = 2; a + 4 b = 9; -b + c/2 = 0; 3 a + 2 c + d = 12
  auto const of = system_of(
      matrix_of({{{0, 2}}, {{0, 1}, {1, 4}}, {{1, -1}, {2, 0.5}}, {{0, 3}, {2, 2}, {3, 1}}}));
  std::vector<double> const right_side{2, 9, 0, 12};
  std::vector<double> const expected{1, 2, 4, 1};
  std::vector<double> x;
  solve_serially(of, right_side, x);
  BOOST_TEST(x == expected, per_element());
  on_whole_warps([&](test_machine const& on, device& machine) {
    for (way const& how : ways(on)) {
      auto const by = make(machine, of, how);
      BOOST_TEST(solved(*by, right_side) == expected, per_element());
    }
  });
}

BOOST_AUTO_TEST_CASE(systems_of_every_shape_have_a_small_residual) {
  std::vector<lower_system> all;
  all.push_back(system_of(matrix_of({{{0, -4}}})));
  all.push_back(generated("poisson2d:nx=37,ny=29"));
  // One long chain in several packs, and rows that need several batches of all lanes.
  all.push_back(random_system(5000, 1, 1, 1));
  all.push_back(random_system(700, 700, 400, 2));
  all.push_back(random_system(6000, 5000, 30, 3));
  all.push_back(random_system(3000, 40, 60, 4));
  on_each_machine([&](test_machine const& on, device& machine) {
    for (auto const& of : all) check(on, machine, of);
  });
}

BOOST_AUTO_TEST_CASE(the_library_solves_the_same_systems_on_a_gpu_and_is_refused_elsewhere) {
  auto const of = random_system(3000, 40, 60, 4);
  device& machine = *gridloom::test::test_machines().front().machine;
  if (machine.is_host()) {
    BOOST_CHECK_THROW((void)make_cusparse(machine, of), unsupported);
    return;
  }
  auto const by = make_cusparse(machine, of);
  for (int k = 0; k < 2; ++k) {
    auto const x = solved(*by, of.right_side);
    BOOST_CHECK_EQUAL(error_text<wrong_result>([&] { require_solution(of, of.right_side, x); }),
                      "");
  }
}

BOOST_AUTO_TEST_CASE(the_same_run_gives_the_same_bits) {
  auto const of = random_system(2500, 60, 50, 8);
  on_whole_warps([&](test_machine const& on, device& machine) {
    auto const how = ways(on)[1];
    auto const by = make(machine, of, how);
    auto const first = solved(*by, of.right_side);
    BOOST_TEST((solved(*by, of.right_side) == first));
    // A device compiler may fuse products and sums in one kernel but not in another.
    if (machine.is_host())
      BOOST_TEST((solved(*make(machine, of, ways(on)[5]), of.right_side) == first));
  });
}

BOOST_AUTO_TEST_CASE(a_nan_in_the_right_side_reaches_dependent_rows_and_the_solve_ends) {
  auto const of = system_of(matrix_of({{{0, 1}}, {{0, 1}, {1, 1}}, {{2, 1}}}));
  // The second value has the bits of an empty word.
  for (double const odd : {std::numeric_limits<double>::quiet_NaN(), value_of(empty_word),
                           std::numeric_limits<double>::infinity()}) {
    on_whole_warps([&](test_machine const& on, device& machine) {
      auto const by = make(machine, of, ways(on)[1]);
      auto const x = solved(*by, {odd, 1, 5});
      BOOST_TEST(!std::isfinite(x[0]));
      BOOST_TEST(!std::isfinite(x[1]));
      BOOST_TEST(x[2] == 5);
    });
  }
}

BOOST_AUTO_TEST_CASE(a_word_is_a_number_or_empty) {
  for (double const value : {0.0, -0.0, 1.5, -std::numeric_limits<double>::infinity()}) {
    BOOST_TEST(word_of(value) != empty_word);
    BOOST_TEST(std::bit_cast<std::uint64_t>(value_of(word_of(value))) ==
               std::bit_cast<std::uint64_t>(value));
  }
  BOOST_TEST(word_of(value_of(empty_word)) != empty_word);
  BOOST_TEST(std::isnan(value_of(word_of(value_of(empty_word)))));
}

BOOST_AUTO_TEST_CASE(rows_that_wait_for_each_other_stop_at_the_limit) {
  // The system is not lower triangular; make_lower would refuse it.
  lower_system of;
  of.matrix = matrix_of({{{1, 1}, {0, 1}}, {{0, 1}, {1, 1}}});
  of.right_side = {1, 1};
  on_whole_warps([&](test_machine const& on, device& machine) {
    for (std::uint32_t const narrow : {0U, 8U}) {
      auto const by = make_in_order(machine, of, {on.shape, {32, 4, narrow}, 0, 0, 0.05});
      by->load(of.right_side);
      by->run();
      machine.synchronize();
      std::string const text = error_text<timeout_error>([&] { by->require_done(); });
      BOOST_TEST(contains(text, "waited for task"));
    }
  });
}

BOOST_AUTO_TEST_CASE(a_run_that_was_stopped_leaves_no_words_for_the_next) {
  auto const of = random_system(3000, 1, 1, 1);
  on_whole_warps([&](test_machine const& on, device& machine) {
    auto const by = make_in_order(machine, of, {on.shape, {32, 4, 0}, 0, 0, 1e-9});
    auto right_side = of.right_side;
    std::vector<double> expected;
    for (int k = 0; k < 60; ++k) {
      for (double& value : right_side) value += 1;
      solve_serially(of, right_side, expected);
      by->forget();
      by->load(right_side);
      by->run();
      auto const x = by->x();
      (void)error_text<timeout_error>([&] { by->require_done(); });
      for (std::size_t row = 0; row < x.size(); ++row)
        BOOST_REQUIRE((std::isnan(x[row]) || std::abs(x[row] - expected[row]) < 1e-9));
    }
  });
}

BOOST_AUTO_TEST_CASE(stopped_levels_by_barriers_end_together_with_a_note) {
  auto const of = chain_with_old_entries(200'000);
  on_whole_warps([&](test_machine const& on, device& machine) {
    for (auto const& [how, blocks] :
         {std::pair{level_end::grid_barrier, 1},
          std::pair{level_end::grid_barrier, on.shape.blocks},
          std::pair{level_end::cluster_barrier,
                    fits_a_cluster(on, on.shape.blocks) ? on.shape.blocks : 1}}) {
      auto const by =
          make_waves(machine, of, {{blocks, on.shape.threads}, {32, 4, 0}, 0, 0, 1e-4}, how);
      std::vector<double> x;
      for (int k = 0; k < 2; ++k) {
        by->forget();
        by->load(of.right_side);
        by->run();
        x = by->x();
        std::string const text = error_text<timeout_error>([&] { by->require_done(); });
        BOOST_TEST(contains(text, "barrier"));
      }
      // In a chain, all rows before the stop have x, and none after it.
      BOOST_TEST(std::isfinite(x.front()));
      BOOST_TEST(std::isnan(x.back()));
    }
  });
}

BOOST_AUTO_TEST_CASE(blocks_and_clusters_that_kernels_are_not_made_for_are_refused) {
  auto const of = generated("poisson2d:nx=3,ny=3");
  on_each_machine([&](test_machine const& on, device& machine) {
    if (machine.is_host()) return;
    for (way how : ways(on)) {
      how.options.shape.threads = how.make == make_sync_free ? 1056 : 544;
      BOOST_CHECK_THROW(make(machine, of, how), usage_error);
      if (!whole_warps(on)) BOOST_CHECK_THROW(make(machine, of, ways(on)[0]), usage_error);
    }
    if (!whole_warps(on)) return;
    launch_shape const too_many{most_cluster_blocks + 1, on.shape.threads};
    BOOST_CHECK_THROW(
        make_waves(machine, of, {too_many, {32, 4, 0}, 0, 0, 300}, level_end::cluster_barrier),
        usage_error);
  });
}

BOOST_AUTO_TEST_CASE(packs_are_longer_than_the_ring_of_a_block) {
  for (auto const& of : {chain_with_old_entries(2 * near_slots + 1000),
                         random_system(3 * near_slots, 2 * near_slots, 3, 5)}) {
    on_whole_warps([&](test_machine const& on, device& machine) {
      auto const by = make_in_order(machine, of, {on.shape, {32, 4, 1U << 20U}, 0, 0, 300});
      BOOST_TEST(by->facts().near_rows > 0U);
      for (int k = 0; k < 3; ++k) require_solution(of, of.right_side, solved(*by, of.right_side));
    });
  }
}

BOOST_AUTO_TEST_CASE(blocks_without_rounds_are_not_launched) {
  auto const of = chain_with_old_entries(500);
  BOOST_TEST(deal(make_plan(of, {32, 4, 8}), {5, 3}).blocks == 1);
  on_whole_warps([&](test_machine const& on, device& machine) {
    BOOST_TEST(make_in_order(machine, of, {on.shape, {32, 4, 8}, 0, 0, 300})->facts().blocks == 1);
  });
}

BOOST_AUTO_TEST_CASE(an_incomplete_factor_of_a_tridiagonal_matrix_is_the_whole_factor) {
  // [2 -1 0; -1 2 -1; 0 -1 2]: L has -1/2 and -2/3 below its ones.
  auto const of =
      system_of(matrix_of({{{0, 2}, {1, -1}}, {{0, -1}, {1, 2}, {2, -1}}, {{1, -1}, {2, 2}}}),
                factor_kind::ilu0);
  std::vector<double> const expected{1, -0.5, 1, -1 / 1.5, 1};
  BOOST_TEST(of.matrix.values == expected, per_element());
  std::vector<std::uint32_t> const columns{0, 0, 1, 1, 2};
  BOOST_TEST(of.matrix.columns == columns, per_element());
}

BOOST_AUTO_TEST_CASE(another_solution_is_wrong) {
  auto const of = random_system(200, 40, 20, 3);
  std::vector<double> x;
  solve_serially(of, of.right_side, x);
  auto const wrong = [&](std::vector<double> const& found) {
    return error_text<wrong_result>([&] { require_solution(of, of.right_side, found); });
  };
  BOOST_TEST(wrong(x) == "");
  for (std::size_t const row : {0U, 77U, 199U}) {
    for (double const value : {x[row] * (1 + 1e-11), x[row] + 1, 0.0, std::nan(""),
                               std::numeric_limits<double>::infinity()}) {
      auto found = x;
      found[row] = value;
      BOOST_TEST(wrong(found).starts_with("row "), value);
    }
  }
  x.pop_back();
  BOOST_TEST(wrong(x) == "internal error: the length of x differs from the number of rows");
}

BOOST_AUTO_TEST_CASE(made_values_dominate_by_rows) {
  auto const of = generated("poisson2d:nx=9,ny=7");
  for (std::uint32_t row = 0; row < of.rows(); ++row) {
    double before = 0;
    std::uint64_t const diagonal = of.matrix.row_offsets[row + 1] - 1;
    for (std::uint64_t e = of.matrix.row_offsets[row]; e < diagonal; ++e) {
      BOOST_TEST(of.matrix.values[e] != 0);
      before += std::abs(of.matrix.values[e]);
    }
    BOOST_TEST(of.matrix.values[diagonal] > before);
    // The whole matrix has entries right of the diagonal.
    if (before == 0) BOOST_TEST(of.matrix.values[diagonal] >= 1);
  }
}

BOOST_AUTO_TEST_CASE(non_triangular_systems_are_refused_with_the_row) {
  auto const nan = std::numeric_limits<double>::quiet_NaN();
  matrix_type wide = matrix_of({{{0, 1}}});
  wide.num_cols = 2;
  struct refused {
    matrix_type matrix;
    factor_kind kind;
    std::string message;
  };
  using enum factor_kind;
  for (auto const& [matrix, kind, message] : std::vector<refused>{
           {matrix_of({{{0, 1}}, {{0, 1}}}), lower,
            "row 2: expected a number other than 0 on the diagonal, got no entry"},
           {matrix_of({{{0, 1}}, {{0, 1}, {1, 0}}}), lower,
            "row 2: expected a number other than 0 on the diagonal, got 0"},
           {matrix_of({{{0, 1}, {1, 1}}, {{1, 1}}}), given,
            "row 1: expected nothing above the diagonal (--factor lower leaves it out), got"},
           {matrix_of({{{0, 1}}, {{0, nan}, {1, 1}}}), lower, "row 2: expected finite values"},
           {matrix_of({{{0, 1}}, {{0, 1}, {1, 1e-320}}}), lower, "row 2: "},
           {matrix_of({{{0, 1}, {1, 1}}, {{0, 1}, {1, 1}}}), ilu0,
            "row 2: expected a pivot other than 0, got 0"},
           {matrix_of({{{0, 1e-300}}, {{0, 1e300}, {1, 1}}}), lower,
            "row 2: expected a solution in the range of double"},
           {wide, lower, "expected a square matrix with at least one row, got 1 x 2"},
           {matrix_of({}), lower, "expected a square matrix with at least one row, got 0 x 0"}}) {
    auto const text = error_text<usage_error>([&] { system_of(matrix, kind); });
    BOOST_TEST(text.starts_with("m: " + message), text);
  }
}
