// Tests tall matrices by steps of CholeskyQR, on the machines that this is linked for. Requires
// small residuals, and the expected numbers of steps and chains.

#include "ours/tall/cholesky_panels.hpp"

#include <tuple>
#include <utility>

#include "gridloom/error.hpp"
#include "panel_scene.hpp"
#include "reflected.hpp"
#include "test_machines.hpp"

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::tiled_qr;
using namespace gridloom::tiled_qr::test;

namespace {

using step_precisions = std::tuple<float, double>;

/// Factorises by steps, and requires small residuals (check_panels). Chains may take over if the
/// engine chooses.
template <class T, class Engine = by_steps_alone>
counts check_steps(test_machine const& on, device& machine, std::string const& family,
                   std::int64_t rows, std::int64_t cols, double condition = usual_condition,
                   std::int64_t gap = 0) {
  return check_panels<Engine, T>(on, machine, family, rows, cols, gap, q_by::products_too,
                                 condition)
      .of;
}

std::string const conditioned_one(conditioned_family);

}  // namespace

BOOST_AUTO_TEST_SUITE(tiled_qr_cholesky_panels)

// Sanitizers slow kernels down several hundred times, so they run only the tests `a_few_rows*`.
// These small matrices cover plain steps, shifted and refined steps, and no step.
BOOST_AUTO_TEST_CASE(a_few_rows_are_factorised_by_steps) {
  test_machine const& on = test_machines().back();
  for (char const* family : {"random", "rank-deficient", "hilbert", "zero"})
    check_panels<by_steps_alone, double>(on, *on.machine, family, 140, 40, 0, q_by::lapack_alone);
}

// Float, and more than 96 columns, for which a separate pass makes the sums.
BOOST_AUTO_TEST_CASE(few_float_rows_with_more_columns_are_factorised_by_steps) {
  test_machine const& on = test_machines().back();
  for (char const* family : {"random", "rank-deficient"})
    check_panels<by_steps_alone, float>(on, *on.machine, family, 140, 40, 0, q_by::lapack_alone);
  check_panels<by_steps_alone, double>(on, *on.machine, "kahan", 130, 100, 0, q_by::lapack_alone);
  check_panels<by_cholesky, float>(on, *on.machine, "kahan", 130, 100, 0, q_by::lapack_alone);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sizes_that_are_no_multiple_of_a_panel_are_factorised, T,
                              step_precisions) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (std::int64_t const gap : {0, 3}) {
      for (auto const& [rows, cols] : shapes{{1, 1}, {2, 2}, {33, 1}, {33, 33}, {131, 67}})
        for (double const condition : {1e1, 1e6, 1e14})
          check_steps<T>(on, machine, conditioned_one, rows, cols, condition, gap);
      check_steps<T>(on, machine, "random", 1031, 64, 0, gap);
    }
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_number_of_panels_is_factorised, T, step_precisions) {
  test_machine const& on = test_machines().back();
  for (std::int64_t cols = 32; cols <= 256; cols += 32) {
    check_steps<T>(on, *on.machine, conditioned_one, 602, cols - 5, 1e3);
    check_steps<T>(on, *on.machine, conditioned_one, 512, cols, 1e15);
  }
  check_steps<T>(on, *on.machine, "random", 256, 256);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_family_and_condition_is_factorised, T, step_precisions) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (family const& one : families()) {
      check_steps<T>(on, machine, std::string(one.name), 150, 60);
      check_steps<T>(on, machine, std::string(one.name), 96, 96);
      check_steps<T, by_cholesky>(on, machine, std::string(one.name), 170, 100);
    }
    for (double const condition : {1.0, 1e4, 1e8, 1e12, 1e16})
      check_steps<T>(on, machine, conditioned_one, 600, 70, condition);
  });
}

BOOST_AUTO_TEST_CASE(the_number_of_steps_follows_the_condition) {
  on_each_machine([](test_machine const& on, device& machine) {
    struct expected {
      char const* family;
      double condition;
      int double_steps;
      int float_steps;
    };
    for (expected const& one : {expected{"random", 0, 1, 1},
                                {"graded", 0, 1, 1},
                                {"conditioned", 1, 1, 1},
                                {"conditioned", 1e4, 2, 1},
                                {"conditioned", 1e12, 3, 2},
                                {"rank-deficient", 0, 3, 2}}) {
      BOOST_TEST_CONTEXT(one.family << ", condition " << one.condition) {
        counts const wide = check_steps<double>(on, machine, one.family, 2000, 40, one.condition);
        BOOST_TEST(wide.steps == one.double_steps);
        BOOST_TEST(wide.chains == 0U);
        counts const narrow = check_steps<float>(on, machine, one.family, 2000, 40, one.condition);
        BOOST_TEST(narrow.steps == one.float_steps);
        BOOST_TEST(narrow.chains == 0U);
      }
    }
    counts const worst = check_steps<double>(on, machine, conditioned_one, 2000, 40, 1e16);
    BOOST_TEST(worst.steps >= 3);
    BOOST_TEST(worst.steps <= 4);
    BOOST_TEST(worst.chains == 0U);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sums_of_the_previous_pass_equal_those_of_a_separate_pass, T,
                              step_precisions) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (auto const& [rows, cols] : shapes{{900, 30}, {611, 64}, {500, 70}, {97, 96}}) {
      auto const a = make_matrix<T>(conditioned_one, rows, cols, 5, sizeof(T) == 8 ? 1e4 : 1e8);
      auto const factors = [&](bool sums_in_pass) {
        buffer<T> const values = machine.allocate_copy(a);
        cholesky_panels<T> qr(
            machine, rows, cols,
            {.blocks = on.shape.blocks, .sums_in_pass = sums_in_pass, .chooses = false});
        qr.run({values.data(), rows, cols, rows});
        BOOST_TEST(qr.steps() == 2);
        BOOST_TEST(qr.chains() == 0U);
        return machine.copy_to_host(values);
      };
      BOOST_TEST_CONTEXT(rows << " x " << cols << ", " << sizeof(T) << " bytes")
      BOOST_TEST(distance<T>(factors(true), factors(false)) <= (sizeof(T) == 8 ? 1e-10 : 1e-5));
    }
  });
}

// Products with the inverses of these triangles would lose digits, so they are refined.
BOOST_AUTO_TEST_CASE_TEMPLATE(inverses_that_would_cost_digits_are_refined, T, step_precisions) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (char const* family : {"hilbert", "kahan"}) {
      for (auto const& [rows, cols] :
           shapes{{300, 33}, {64, 64}, {611, 64}, {500, 96}, {301, 97}, {600, 256}}) {
        auto const check = [&] {
          return check_panels<by_steps_alone, T>(on, machine, family, rows, cols, 0,
                                                 q_by::lapack_alone);
        };
        factored const first = check();
        BOOST_TEST_CONTEXT(family << " " << rows << " x " << cols << ", " << sizeof(T)) {
          BOOST_TEST(first.of.chains == 0U);
          BOOST_TEST(first.measured.factors <= 0.1);
          BOOST_TEST((check().values == first.values));
        }
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(matrices_without_a_good_triangle_are_left_to_chains) {
  on_each_machine([](test_machine const& on, device& machine) {
    // With columns of zeros, steps leave the rows as they are.
    counts const none = check_steps<double>(on, machine, "zero", 200, 90);
    BOOST_TEST(none.steps == 0);
    BOOST_TEST(none.chains > 0U);
    // All columns are equal. Steps with a shift begin the work, and chains end it.
    std::vector<double> const ones(std::size_t{200} * 40, 1.0);
    counts const of = check_matrix<by_steps_alone, double>(on, machine, ones, 200, 40).of;
    BOOST_TEST(of.steps > 0);
    BOOST_TEST(of.chains > 0U);
  });
}

BOOST_AUTO_TEST_CASE(steps_and_chains_take_over_where_each_is_expected_to_be_faster) {
  struct way {
    char const* family;
    double condition;
    std::int64_t cols;
    int steps;
    std::uint32_t chains;
  };
  on_each_machine([](test_machine const& on, device& machine) {
    for (way const& one : {way{"random", 0, 64, 1, 0},
                           {"conditioned", 5, 64, 0, 2},
                           {"conditioned", 50, 256, 2, 0},
                           {"conditioned", 1e4, 64, 2, 0},
                           // Hidden columns may need more chains than the forecast counts.
                           {"collinear", 0, 64, 2, 0},
                           // One step makes this matrix well-conditioned.
                           {"conditioned", 1e8, 64, 1, 2},
                           {"conditioned", 1e8, 256, 3, 0},
                           // 34 chains would be needed, so steps are chosen.
                           {"hilbert", 0, 64, 4, 0},
                           // Eight steps would be needed, so 24 chains are chosen.
                           {"kahan", 0, 256, 0, 24}}) {
      BOOST_TEST_CONTEXT(one.cols << " columns") {
        counts const got =
            check_panels<by_cholesky, double>(on, machine, one.family, 8000, one.cols, 0,
                                              q_by::lapack_alone, one.condition)
                .of;
        BOOST_TEST(got.steps == one.steps);
        BOOST_TEST(got.chains == one.chains);
      }
    }
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(reflectors_and_t_are_one_q, T, step_precisions) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (double const condition : {1e1, 1e10}) {
      auto const a = make_matrix<T>(conditioned_one, 301, 100, 5, condition);
      reflected<by_steps_alone, T> const of(on, machine, a, 301, 100);
      std::vector<T> const c = make_matrix<T>("random", 301, 7, 6);
      buffer<T> const applied = machine.allocate_copy(c);
      panels::q_applier<T> applier(machine, 100, 7, applier_on(on));
      applier.run(of.factors(), of.t(), side::q_transposed, {applied.data(), 301, 7, 301});
      double const off = distance<T>(machine.copy_to_host(applied), of.by_loops(true, c, 7));
      BOOST_TEST(off <= 300 * epsilon<T>());
    }
  });
}

BOOST_AUTO_TEST_CASE(the_same_matrix_gives_the_same_bits) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (char const* family : {"random", "rank-deficient"}) {
      auto const first = check_panels<by_cholesky, double>(on, machine, family, 700, 70).values;
      BOOST_TEST((check_panels<by_cholesky, double>(on, machine, family, 700, 70).values == first));
    }
  });
}

BOOST_AUTO_TEST_CASE(one_object_factorises_several_matrices) {
  test_machine const& on = test_machines().back();
  cholesky_panels<double> qr(*on.machine, 200, 50, {.blocks = on.shape.blocks});
  std::vector<double> before;
  for (char const* family : {"random", "zero", "rank-deficient", "random"}) {
    buffer<double> const values =
        on.machine->allocate_copy(make_matrix<double>(family, 200, 50, 3));
    qr.run({values.data(), 200, 50, 200});
    auto const found = on.machine->copy_to_host(values);
    if (std::string_view(family) != "random") continue;
    if (!before.empty()) BOOST_TEST((found == before));
    before = found;
  }
}

BOOST_AUTO_TEST_CASE(unsupported_sizes_are_refused) {
  on_each_machine([](test_machine const&, device& machine) {
    auto const make = [&](std::int64_t rows, std::int64_t cols) {
      return error_text<unsupported>([&] { cholesky_panels<float>(machine, rows, cols, {}); });
    };
    BOOST_TEST(contains(make(300, 257), "got 300 x 257"));
    BOOST_TEST(contains(make(30, 31), "got 30 x 31"));
  });
}

BOOST_AUTO_TEST_SUITE_END()
