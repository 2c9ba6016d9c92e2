#pragma once
// A matrix that an engine factorises in panels, and the check of the result. The result has
// LAPACK's form, so LAPACK can form Q. The check shares no code with the factorisation.

#include <algorithm>
#include <string>
#include <vector>

#include "ours/panel/form_q.hpp"
#include "panel_engines.hpp"
#include "rivals/lapack.hpp"
#include "scene.hpp"

namespace gridloom::tiled_qr::test {

struct factored {
  std::vector<double> values;
  counts of;
  residuals measured;
};

/// Which code forms the Q that is tested. OpenBLAS is not accurate enough for sums of 100,000 rows,
/// because some of its kernels add up all rows in one sum.
enum class q_by { lapack_alone, products_too, two_passes_alone };

/// Factorises, and requires that R fits Q within the bounds of residual.hpp, for Q by each code
/// that `how` names. `gap` unused rows between two columns must stay unchanged.
template <class Engine, class T>
factored check_matrix(test_machine const& on, device& machine, std::vector<T> const& a,
                      std::int64_t rows, std::int64_t cols, std::int64_t gap = 0,
                      q_by how = q_by::products_too) {
  factored result{};
  BOOST_TEST_CONTEXT(rows << " x " << cols << ", gap " << gap << ", " << sizeof(T) << " bytes") {
    set_lapack_threads(1);
    std::int64_t const leading = rows + gap;
    buffer<T> const matrix = machine.allocate_copy(spread_columns(a, rows, cols, gap));
    std::vector<T> taus;
    buffer<T> t;
    result.of =
        Engine::template factorise<T>(on, machine, {matrix.data(), rows, cols, leading}, taus, t);
    std::vector<T> const factors = packed_columns(machine.copy_to_host(matrix), rows, cols, gap);
    std::int64_t const vectors = std::min(rows, cols);
    taus.resize(static_cast<std::size_t>(vectors));
    auto const r = upper_triangle<T>({rows, cols, 1}, factors);
    auto const size = static_cast<std::size_t>(rows * vectors);
    if (how != q_by::two_passes_alone) {
      std::vector<T> q = factors;
      lapack_orgqr(rows, cols, q.data(), taus.data());
      q.resize(size);
      result.measured = measure_residuals<T>(rows, cols, a, q, r);
      BOOST_TEST(excess_of(result.measured) == "");
    }
    result.values.assign(factors.begin(), factors.end());
    if (how == q_by::lapack_alone) return result;
    matrix_ref<T> const leading_factors{matrix.data(), rows, vectors, leading};
    auto const check_q = [&](auto const& form) {
      // Q is not initialised with zeros, because it need not be.
      buffer<T> const formed = machine.allocate_copy(std::vector<T>(size, T(1e30)));
      form(formed.data());
      auto const own = measure_residuals<T>(rows, cols, a, machine.copy_to_host(formed), r);
      BOOST_TEST(excess_of(own) == "");
      if (how == q_by::two_passes_alone) result.measured = own;
    };
    if (tall_q_former<T>::takes(machine, vectors))
      check_q([&](T* q) {
        tall_q_former<T> former(machine, rows, vectors, on.shape.blocks, on.shape.threads);
        former.run(leading_factors, t.data(), q);
      });
    if (how == q_by::products_too)
      check_q([&](T* q) {
        panels::q_applier<T> applier(machine, 64, vectors,
                                     {.blocks = on.shape.blocks, .threads = on.shape.threads});
        applier.form(leading_factors, t.data(), q);
      });
  }
  return result;
}

template <class Engine, class T>
factored check_panels(test_machine const& on, device& machine, std::string const& family,
                      std::int64_t rows, std::int64_t cols, std::int64_t gap = 0,
                      q_by how = q_by::products_too, double condition = usual_condition) {
  BOOST_TEST_CONTEXT(family << ", condition " << condition) {
    return check_matrix<Engine, T>(on, machine, make_matrix<T>(family, rows, cols, 7, condition),
                                   rows, cols, gap, how);
  }
  return {};
}

}  // namespace gridloom::tiled_qr::test
