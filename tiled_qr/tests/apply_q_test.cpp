// Tests Qᵀ C, Q C and least squares from the panel engines' results against LAPACK's ormqr and
// gels. Runs on the machines that it is linked for.

#include "ours/blocked/apply_q.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ours/least_squares.hpp"
#include "panel_engines.hpp"
#include "reflected.hpp"
#include "rivals/lapack.hpp"
#include "scene.hpp"
#include "test_machines.hpp"

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::tiled_qr;
using namespace gridloom::tiled_qr::test;

namespace {

template <class Engine, class T>
void check_applied(test_machine const& on, device& machine, std::string const& family,
                   std::int64_t rows, std::int64_t cols, std::int64_t columns,
                   std::int64_t gap = 0) {
  BOOST_TEST_CONTEXT(family << ", " << rows << " x " << cols << ", C of " << columns << ", "
                            << sizeof(T) << " bytes") {
    reflected<Engine, T> const of(on, machine, make_matrix<T>(family, rows, cols, 7), rows, cols,
                                  gap);
    std::vector<T> const c = make_matrix<T>("random", rows, columns, 8);
    panels::q_applier<T> applier(machine, std::min(rows, cols), columns, applier_on(on));
    for (side const which : {side::q_transposed, side::q}) {
      buffer<T> const on_device = machine.allocate_copy(spread_columns(c, rows, columns, gap));
      applier.run(of.factors(), of.t(), which, {on_device.data(), rows, columns, rows + gap});
      auto const found = packed_columns(machine.copy_to_host(on_device), rows, columns, gap);
      // Entries of C are at most 1, so the norms of its columns are at most √rows.
      BOOST_TEST(distance<T>(found, of.by_loops(which == side::q_transposed, c, columns)) <=
                 30 * epsilon<T>() * std::sqrt(double(rows)));
    }
  }
}

/// Compares least squares with gels, for right sides with and without an exact solution.
template <class Engine, class T>
void check_solved(test_machine const& on, device& machine, std::int64_t rows, std::int64_t cols,
                  std::int64_t columns, std::int64_t gap = 0) {
  BOOST_TEST_CONTEXT(rows << " x " << cols << ", " << columns << " right-hand sides, " << sizeof(T)
                          << " bytes") {
    constexpr double condition = 10;
    auto const a = make_matrix<T>(conditioned_family, rows, cols, 7, condition);
    std::vector<T> b = make_matrix<T>("random", rows, columns, 8);
    // The first right side is the first column of A, so its solution is the first unit vector.
    std::copy_n(a.begin(), rows, b.begin());
    reflected<Engine, T> const of(on, machine, a, rows, cols, gap);
    std::vector<T> const found =
        panels::solve_least_squares<T>(machine, of.factors(), of.t(), b, applier_on(on));
    std::vector<T> copy = a;
    std::vector<T> by_gels = b;
    lapack_gels(rows, cols, copy.data(), columns, by_gels.data());
    std::vector<T> wanted;
    for (std::int64_t col = 0; col < columns; ++col)
      wanted.insert(wanted.end(), by_gels.begin() + col * rows,
                    by_gels.begin() + col * rows + cols);
    double size = 0;
    for (T const one : wanted) size = std::max(size, std::abs(double(one)));
    double const bound =
        30 * epsilon<T>() * condition * condition * std::sqrt(double(rows)) * std::max(1.0, size);
    BOOST_REQUIRE(found.size() == wanted.size());
    BOOST_TEST(distance<T>(found, wanted) <= bound);
    for (std::int64_t i = 0; i < cols; ++i)
      BOOST_TEST(std::abs(found[static_cast<std::size_t>(i)] - T(i == 0)) <= bound);
    // Solves in place. The norm of the rows below x is the norm of the residual.
    buffer<T> const in_place = machine.allocate_copy(b);
    panels::solve_least_squares<T>(machine, of.factors(), of.t(),
                                   {in_place.data(), rows, columns, rows}, applier_on(on));
    std::vector<T> const both = machine.copy_to_host(in_place);
    for (std::int64_t col = 0; col < columns; ++col) {
      auto const norm_below = [&](std::vector<T> const& all) {
        auto const first = all.begin() + col * rows;
        return std::sqrt(std::inner_product(first + cols, first + rows, first + cols, 0.0));
      };
      BOOST_TEST(std::abs(norm_below(both) - norm_below(by_gels)) <= bound);
      auto const x = both.begin() + col * rows;
      BOOST_TEST(std::equal(x, x + cols, found.begin() + col * cols));
    }
  }
}

template <class Engine>
std::string refusal_of(test_machine const& on, device& machine, std::vector<double> const& a,
                       std::int64_t rows, std::int64_t cols) {
  reflected<Engine, double> const of(on, machine, a, rows, cols);
  std::vector<double> const b(static_cast<std::size_t>(rows), 1.0);
  return error_text<run_error>(
      [&] { (void)panels::solve_least_squares<double>(machine, of.factors(), of.t(), b); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tiled_qr_apply_q)

// Sanitizers make kernels slow, so this case has only two panels, and a C as wide as two panels.
BOOST_AUTO_TEST_CASE(q_of_a_few_panels_is_applied) {
  on_two_machines([](test_machine const& on, device& machine) {
    check_applied<resident, double>(on, machine, "random", 40, 33, 33);
  });
  test_machine const& last = test_machines().back();
  check_solved<resident, double>(last, *last.machine, 40, 33, 2);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(q_is_applied_for_every_size_as_ormqr_does, Engine, engines) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (std::int64_t const gap : {0, 3}) {
      for (auto const& [rows, cols, columns] : {std::tuple{1, 1, 1},
                                                {33, 1, 5},
                                                {1, 33, 2},
                                                {131, 67, 1},
                                                {67, 131, 45},
                                                {200, 300, 100}})
        check_applied<Engine, double>(on, machine, "random", rows, cols, columns, gap);
      check_applied<Engine, float>(on, machine, "random", 100, 100, 33, gap);
      check_applied<Engine, float>(on, machine, "random", 70, 90, 70, gap);
    }
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(blocks_of_every_width_are_applied, Engine, engines) {
  test_machine const& on = test_machines().back();
  for (std::int64_t const columns : {32, 64, 65, 256, 300})
    check_applied<Engine, double>(on, *on.machine, "random", 531, 400, columns);
  check_applied<Engine, float>(on, *on.machine, "random", 600, 330, 300);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(q_of_every_family_is_applied, Engine, engines) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (family const& one : families()) {
      check_applied<Engine, double>(on, machine, std::string(one.name), 150, 60, 7);
      check_applied<Engine, double>(on, machine, std::string(one.name), 60, 90, 40);
      check_applied<Engine, float>(on, machine, std::string(one.name), 96, 96, 70);
    }
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(least_squares_are_those_of_gels, Engine, engines) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (std::int64_t const gap : {0, 3}) {
      for (auto const& [rows, cols, columns] :
           {std::tuple{1, 1, 1}, {40, 31, 1}, {131, 67, 5}, {300, 300, 33}})
        check_solved<Engine, double>(on, machine, rows, cols, columns, gap);
      check_solved<Engine, float>(on, machine, 200, 100, 70, gap);
    }
    check_solved<Engine, double>(on, machine, 1000, 65, 3);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    least_squares_of_a_matrix_without_full_rank_are_refused_with_the_place, Engine, engines) {
  on_each_machine([](test_machine const& on, device& machine) {
    std::vector<double> a = make_matrix<double>("random", 120, 70, 3);
    std::fill_n(a.begin() + 40 * 120, 120, 0.0);
    std::string const text = refusal_of<Engine>(on, machine, a, 120, 70);
    BOOST_TEST(contains(text, "a zero at 40 of its diagonal"));
    std::string const all =
        refusal_of<Engine>(on, machine, std::vector<double>(120 * 70, 0.0), 120, 70);
    BOOST_TEST(contains(all, "full rank"));
  });
}

BOOST_AUTO_TEST_CASE(least_squares_of_fewer_rows_than_columns_are_refused) {
  on_each_machine([](test_machine const& on, device& machine) {
    reflected<resident, double> const of(on, machine, make_matrix<double>("random", 3, 5, 3), 3, 5);
    std::vector<double> const b(3, 1.0);
    std::string const text = error_text<unsupported>(
        [&] { (void)panels::solve_least_squares<double>(machine, of.factors(), of.t(), b); });
    BOOST_TEST(contains(text, "got 3 x 5"));
    buffer<double> const on_device = machine.allocate_copy(b);
    BOOST_CHECK_THROW(panels::solve_least_squares<double>(machine, of.factors(), of.t(),
                                                          {on_device.data(), 3, 1, 3}),
                      unsupported);
  });
}

BOOST_AUTO_TEST_CASE(sizes_beyond_the_workspace_are_refused) {
  on_each_machine([](test_machine const& on, device& machine) {
    reflected<resident, double> const of(on, machine, make_matrix<double>("random", 50, 40, 3), 50,
                                         40);
    buffer<double> const c = machine.allocate<double>(50 * 9);
    auto const run = [&](std::int64_t reflectors, std::int64_t columns, std::int64_t rows) {
      panels::q_applier<double>(machine, reflectors, columns)
          .run(of.factors(), of.t(), side::q, {c.data(), rows, 9, 50});
    };
    BOOST_CHECK_THROW(run(39, 9, 50), std::invalid_argument);
    BOOST_CHECK_THROW(run(40, 8, 50), std::invalid_argument);
    BOOST_CHECK_THROW(run(40, 9, 49), std::invalid_argument);
  });
}

// The page docs/methods.md lists lines of this case.
BOOST_AUTO_TEST_CASE(both_forms_solve_the_same_least_squares) {
  set_lapack_threads(1);
  on_each_machine([](test_machine const&, device& machine) {
    std::vector<double> const a = make_matrix<double>("random", 300, 100, 3);
    std::vector<double> const b = make_matrix<double>("random", 300, 2, 4);

    // Panels leave R, reflectors and their T.
    buffer<double> const values = machine.allocate_copy(a);
    panels::matrix_ref<double> const matrix{values.data(), 300, 100, 300};
    panels::blocked_panels<double> qr(machine, 300, 100, {});
    qr.run(matrix);
    auto const x = panels::solve_least_squares<double>(machine, matrix, qr.t().data(), b);

    // Qᵀ b alone, in device memory; its first 100 rows equal R x.
    buffer<double> const c = machine.allocate_copy(b);
    panels::q_applier<double> applier(machine, 100, 2);
    applier.run(matrix, qr.t().data(), side::q_transposed, {c.data(), 300, 2, 300});

    // Tasks on tiles leave R, and the vectors of each tile.
    device_matrix<double> tiles(machine, make_tiling(300, 100, 32));
    tiles.load(a);
    factorization<double> tiled(machine, tiles.cut(), {.how = by::ticket, .blocks = 2});
    tiled.reset();
    tiled.run(tiles.ref());
    tiled.require_done();
    auto const y = solve_least_squares<double>(machine, tiles.ref(), b, {2, 32});

    BOOST_TEST(distance<double>(x, y) <= 1e-12);
    auto const r = upper_triangle<double>({300, 100, 1}, machine.copy_to_host(values));
    auto const by_q = machine.copy_to_host(c);
    for (std::size_t i = 0; i < 100; ++i) {
      double sum = 0;
      for (std::size_t j = i; j < 100; ++j) sum += r[j * 100 + i] * x[j];
      BOOST_TEST(std::abs(sum - by_q[i]) <= 1e-12);
    }
  });
}

BOOST_AUTO_TEST_CASE(products_beyond_32_bits_are_refused_by_the_library_of_the_host) {
  auto const products = make_host_gemm<double>();
  std::int64_t const beyond = std::int64_t{1} << 31U;
  gemm_operand<double const> const from{nullptr, 1};
  gemm_operand<double> const to{nullptr, 1};
  auto const text = [&](auto&& call) { return error_text<unsupported>(call); };
  for (std::string const& said :
       {text([&] { products->transposed_product(1, 1, beyond, from, from, to); }),
        text([&] { products->add_transposed_product(1, beyond, 1, from, from, to); }),
        text([&] { products->subtract_product(beyond, 1, 1, from, from, to); }), text([&] {
          products->subtract_product(1, 1, 1, {nullptr, beyond}, from, to);
        })})
    BOOST_TEST(contains(said, "below 2^31, got 2147483648"));
}

BOOST_AUTO_TEST_SUITE_END()
