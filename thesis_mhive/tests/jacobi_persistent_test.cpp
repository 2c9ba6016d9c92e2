// Further tests of the persistent versions of the Jacobi method, with other numbers of workers,
// other intervals between checks, and parts of all sizes.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "jacobi_support.hpp"
#include "serial.hpp"
#include "solver.hpp"
#include "test_machines.hpp"

namespace gridloom::mhive::jacobi::test {
namespace {

using namespace gridloom::test;

stop_rules const to_1e_9{.max_iterations = 200, .tolerance = 1e-9};

// Compares results with the serial reference, to the bit, for several numbers of workers.
template <typename Value>
void check_persistent(system<Value> const& of, stop_rules const& rules, std::uint32_t every,
                      std::vector<int> const& workers) {
  auto const plan = make_tasks(of.matrix);
  on_each_machine([&](test_machine const& on, device& machine) {
    // Solvers choose their own launch shapes, so one shape per device is enough.
    if (!machine.is_host() && on.shape.threads != 256) return;
    for (bool const is_gathered : {false, true}) {
      for (int const n : workers) {
        BOOST_TEST_CONTEXT((is_gathered ? "gathered, " : "neighbours, ")
                           << n << " workers, a check in " << every) {
          solver_options const options{machine, plan, rules, every, n, 60};
          auto const runs = is_gathered ? make_gathered(of, options) : make_neighbours(of, options);
          solution const done = solve(*runs);
          serial_iteration<Value> same{of, plan.limits.entries};
          while (same.iteration() < done.iterations) same.step();
          BOOST_TEST(std::vector<Value>(done.x.begin(), done.x.end()) == same.x());
          BOOST_TEST(std::abs(done.residual - same.residual()) <= 1e-9 * same.residual());
          // A second run adds the same sums in the same order.
          solution const again = solve(*runs);
          BOOST_TEST(again.residual == done.residual);
          BOOST_TEST(again.iterations == done.iterations);
        }
      }
    }
  });
}

BOOST_AUTO_TEST_SUITE(jacobi_persistent_test)

BOOST_AUTO_TEST_CASE(persistent_versions_check_as_often_as_they_are_told) {
  auto const of = generated<double>("poisson2d:nx=23,ny=31");
  for (std::uint32_t const every : {1U, 2U, 3U, 7U, 1000U}) {
    check_persistent(of, {.max_iterations = 75, .tolerance = 0}, every, {1, 3, 8});
    check_persistent(of, {.max_iterations = 75, .tolerance = 20}, every, {1, 3, 8});
  }
}

// Makes few launches, because racecheck, which is slow, runs only this test.
BOOST_AUTO_TEST_CASE(few_iterations_of_parts_of_all_kinds) {
  stop_rules const few{.max_iterations = 12, .tolerance = 0};
  for (char const* spec : {"poisson2d:nx=23,ny=31", "dominant:n=400,nnz=900",
                           "dominant:n=400,nnz=4400", "dominant:n=200,nnz=9000"}) {
    check_persistent(generated<double>(spec), few, 3, {3});
  }
}

BOOST_AUTO_TEST_CASE(x_and_products_may_exceed_the_memory_of_a_block) {
  check_persistent(generated<double>("poisson2d:nx=12000,ny=2"),
                   {.max_iterations = 9, .tolerance = 0}, 4, {1, 2, 8});
  check_persistent(generated<float>("dominant:n=50000,nnz=250000"),
                   {.max_iterations = 9, .tolerance = 0}, 4, {1, 2, 8});
}

// Systems with fewer and with more entries than the threads of a block hold. This matters only on
// devices. On the host, the single thread of a worker can hold too few entries, and reads all from
// memory.
BOOST_AUTO_TEST_CASE(threads_that_hold_few_or_many_entries) {
  for (char const* entries : {"900", "2000", "3400", "4400", "5400"}) {
    check_persistent(generated<double>(std::string("dominant:n=400,nnz=") + entries), to_1e_9, 4,
                     {1, 2, 5});
  }
  // The system has more long rows than one block holds.
  check_persistent(generated<float>("dominant:n=200,nnz=9000"),
                   {.max_iterations = 30, .tolerance = 0}, 4, {1, 2, 8});
}

BOOST_AUTO_TEST_CASE(a_row_with_more_entries_than_a_block_has_places_for) {
  constexpr std::uint32_t n = 20000;
  sparse::csr_matrix<double> matrix;
  matrix.num_rows = matrix.num_cols = n;
  auto const put = [&](std::uint32_t column, double value) {
    matrix.columns.push_back(column);
    matrix.values.push_back(value);
  };
  for (std::uint32_t row = 0; row < n; ++row) {
    if (row != 0) put(0, 1.0);
    put(row, 4.0 + row % 3);
    for (std::uint32_t column = 1; row == 0 && column < n; ++column) put(column, 1.0 / n);
    matrix.row_offsets.push_back(matrix.columns.size());
  }
  check_persistent(system_of(std::move(matrix)), {.max_iterations = 12, .tolerance = 0}, 4,
                   {1, 2, 8});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace gridloom::mhive::jacobi::test
