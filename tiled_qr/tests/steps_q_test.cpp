// Tests Q and R by steps of CholeskyQR, where Q replaces the matrix. Runs on the machines that it
// is linked for.

#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "panel_engines.hpp"
#include "reflected.hpp"
#include "scene.hpp"
#include "test_machines.hpp"

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::tiled_qr;
using namespace gridloom::tiled_qr::test;

namespace {

template <class T>
struct q_and_r {
  std::vector<T> q;
  std::vector<T> r;
  counts of;
};

/// Forms Q and R. The `gap` unused rows between two columns must not change.
template <class T>
q_and_r<T> form(test_machine const& on, device& machine, std::vector<T> const& a, std::int64_t rows,
                std::int64_t cols, bool chooses = true, std::int64_t gap = 0) {
  buffer<T> const values = machine.allocate_copy(spread_columns(a, rows, cols, gap));
  cholesky_panels<T> qr(machine, rows, cols,
                        {.blocks = on.shape.blocks, .chooses = chooses, .forms_q = true});
  qr.run({values.data(), rows, cols, rows + gap});
  q_and_r<T> result{packed_columns(machine.copy_to_host(values), rows, cols, gap),
                    machine.copy_to_host(qr.r()),
                    {qr.chains(), 0, qr.steps()}};
  for (std::int64_t col = 0; col < cols; ++col)
    for (std::int64_t row = col + 1; row < cols; ++row)
      BOOST_TEST(result.r[std::size_t(col * cols + row)] == T{0});
  return result;
}

template <class T>
counts check(test_machine const& on, device& machine, std::string const& family, std::int64_t rows,
             std::int64_t cols, double condition = usual_condition, bool chooses = true,
             std::int64_t gap = 0) {
  counts of{};
  BOOST_TEST_CONTEXT(family << ", condition " << condition << ", " << rows << " x " << cols
                            << ", gap " << gap << ", " << sizeof(T) << " bytes") {
    set_lapack_threads(1);
    auto const a = make_matrix<T>(family, rows, cols, 7, condition);
    q_and_r<T> const found = form(on, machine, a, rows, cols, chooses, gap);
    BOOST_TEST(excess_of(measure_residuals<T>(rows, cols, a, found.q, found.r)) == "");
    of = found.of;
  }
  return of;
}

using step_precisions = std::tuple<float, double>;
std::string const conditioned_one(conditioned_family);

}  // namespace

BOOST_AUTO_TEST_SUITE(tiled_qr_steps_q)

// Sanitizers make kernels slow, so for them this case has small matrices. They take plain, shifted
// and refined steps, or none; Q has one panel or two.
BOOST_AUTO_TEST_CASE(q_of_a_few_rows_is_formed_by_steps) {
  test_machine const& on = test_machines().back();
  for (char const* family : {"random", "rank-deficient", "hilbert", "zero"})
    check<double>(on, *on.machine, family, 140, 40, 0, false);
  check<float>(on, *on.machine, "zero", 70, 20);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(q_of_every_size_is_formed_by_steps, T, step_precisions) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (std::int64_t const gap : {0, 3}) {
      for (auto const& [rows, cols] : shapes{{1, 1}, {2, 2}, {33, 1}, {33, 33}, {131, 67}})
        for (double const condition : {1e1, 1e6, 1e14})
          for (bool const chooses : {false, true})
            check<T>(on, machine, conditioned_one, rows, cols, condition, chooses, gap);
      check<T>(on, machine, "random", 1031, 64, 0, true, gap);
    }
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(q_of_every_number_of_panels_is_formed_by_steps, T, step_precisions) {
  test_machine const& on = test_machines().back();
  for (std::int64_t cols = 32; cols <= 256; cols += 32) {
    check<T>(on, *on.machine, conditioned_one, 602, cols - 5, 1e3);
    check<T>(on, *on.machine, conditioned_one, 512, cols, 1e15, false);
    // Chains do all the work, and Q is formed from their reflectors.
    BOOST_TEST(check<T>(on, *on.machine, "zero", 602, cols - 5).chains > 0U);
  }
  check<T>(on, *on.machine, "random", 256, 256);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(q_of_every_family_is_formed_by_steps, T, step_precisions) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (family const& one : families()) {
      check<T>(on, machine, std::string(one.name), 150, 60, usual_condition, false);
      check<T>(on, machine, std::string(one.name), 96, 96);
      check<T>(on, machine, std::string(one.name), 170, 100);
    }
    for (double const condition : {1.0, 1e4, 1e8, 1e12, 1e16})
      check<T>(on, machine, conditioned_one, 600, 70, condition);
  });
}

// Steps and chains may share the work. Then R is a product of both.
BOOST_AUTO_TEST_CASE(q_is_formed_where_chains_end_what_steps_began) {
  on_each_machine([](test_machine const& on, device& machine) {
    std::vector<double> const ones(std::size_t{200} * 40, 1.0);
    auto const found = form<double>(on, machine, ones, 200, 40);
    BOOST_TEST(found.of.steps > 0);
    BOOST_TEST(found.of.chains > 0U);
    BOOST_TEST(excess_of(measure_residuals<double>(200, 40, ones, found.q, found.r)) == "");
  });
}

// After chains, Q must still be formed from reflectors. So steps pay more often than without Q.
BOOST_AUTO_TEST_CASE(steps_are_taken_where_reflectors_would_cost_more_than_they_save) {
  on_each_machine([](test_machine const& on, device& machine) {
    counts const of = check<double>(on, machine, conditioned_one, 2000, 256, 50);
    BOOST_TEST(of.steps == 2);
    BOOST_TEST(of.chains == 0U);
  });
}

BOOST_AUTO_TEST_CASE(r_is_that_of_reflectors_up_to_signs) {
  on_each_machine([](test_machine const& on, device& machine) {
    auto const a = make_matrix<double>("random", 500, 70, 7);
    auto const found = form(on, machine, a, 500, 70);
    BOOST_TEST(found.of.steps > 0);
    reflected<by_cholesky, double> const other(on, machine, a, 500, 70);
    std::vector<double> const factors = machine.copy_to_host(other.values());
    for (std::int64_t col = 0; col < 70; ++col)
      for (std::int64_t row = 0; row <= col; ++row) {
        double const here = found.r[static_cast<std::size_t>(col * 70 + row)];
        double const there = factors[static_cast<std::size_t>(col * 500 + row)];
        BOOST_TEST(std::abs(std::abs(here) - std::abs(there)) < 1e-11);
        if (row == col) BOOST_TEST(here > 0);
      }
  });
}

BOOST_AUTO_TEST_CASE(the_same_matrix_gives_the_same_q_and_r) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (char const* family : {"random", "rank-deficient", "kahan"}) {
      auto const a = make_matrix<double>(family, 700, 70, 7);
      auto const first = form(on, machine, a, 700, 70);
      auto const second = form(on, machine, a, 700, 70);
      BOOST_TEST((first.q == second.q));
      BOOST_TEST((first.r == second.r));
    }
  });
}

BOOST_AUTO_TEST_CASE(q_in_the_reflectors_place_needs_memory_for_sums) {
  test_machine const& on = test_machines().back();
  buffer<double> const some = on.machine->allocate<double>(64 * 64);
  tall_q_former<double> former(*on.machine, 64, 64, on.shape.blocks, on.shape.threads);
  BOOST_CHECK_THROW(former.run_in_place({some.data(), 64, 64, 64}, some.data()),
                    std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
