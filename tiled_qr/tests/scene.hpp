#pragma once
// Factorises a matrix and requires small residuals, for tests on any machine.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "check/residual.hpp"
#include "inputs/families.hpp"
#include "ours/schedulers.hpp"
#include "rivals/schedulers.hpp"
#include "test_support.hpp"
#include "tiled_qr/apply_q.hpp"
#include "tiled_qr/factorization.hpp"

namespace gridloom::tiled_qr::test {

struct size {
  std::int64_t rows;
  std::int64_t cols;
  int tile;
};

inline std::string name_of(size const& of) {
  return std::to_string(of.rows) + " x " + std::to_string(of.cols) + " by " +
         std::to_string(of.tile);
}

inline constexpr scheduling all_schedulings[] = {
    by::serial,       by::shared, by::two_kernels, by::one_thread, by::joined,    by::in_block,
    by::static_lists, by::ticket, by::launches,    by::graph,      by::graph_pdl, by::omp_tasks};

/// Returns the index of a scheduler in all_schedulings, for messages.
inline std::ptrdiff_t number_of(scheduling how) {
  return std::find(std::begin(all_schedulings), std::end(all_schedulings), how) - all_schedulings;
}

/// Returns all schedulers that a machine supports with `threads` threads per block.
inline std::vector<scheduling> schedulings_on(device const& machine, int threads) {
  std::vector<scheduling> there;
  for (scheduling const how : all_schedulings) {
    if (how == by::omp_tasks && (!machine.is_host() || gridloom::test::under_thread_sanitizer))
      // ThreadSanitizer does not understand libgomp, which is not compiled for it.
      continue;
    if (how == by::in_block && !machine.is_host() && threads != 32) continue;
    if (how == by::graph_pdl && !machine.is_host() && machine.properties().compute_capability < 90)
      continue;
    there.push_back(how);
  }
  return there;
}

/// Factorises a matrix of these values. Fails if the scheduler reports an error.
template <class T>
device_matrix<T> factorized(device& machine, tiling const& cut, std::vector<T> const& values,
                            factorization_settings const& settings) {
  device_matrix<T> matrix(machine, cut);
  matrix.load(values);
  factorization<T> qr(machine, cut, settings);
  qr.reset();
  qr.run(matrix.ref());
  qr.require_done();
  BOOST_TEST(qr.finished() == count_tasks(cut));
  return matrix;
}
template <class T>
std::vector<T> factors_of(device& machine, tiling const& cut, std::vector<T> const& values,
                          factorization_settings const& settings) {
  return factorized(machine, cut, values, settings).fetch();
}

/// Factorises a matrix of these values, and requires small residuals of Q and R
/// (check/residual.hpp).
template <class T>
void check_qr_of(device& machine, std::vector<T> const& a, size const& of,
                 factorization_settings const& settings) {
  BOOST_TEST_CONTEXT(name_of(of) << ", scheduling " << number_of(settings.how) << ", "
                                 << settings.blocks << " blocks of " << settings.threads << ", "
                                 << sizeof(T) << " bytes") {
    tiling const cut = make_tiling(of.rows, of.cols, of.tile);
    auto const matrix = factorized(machine, cut, a, settings);
    auto const q = form_q(machine, matrix.ref(), std::min(of.rows, of.cols),
                          {settings.blocks, settings.threads});
    auto const r = upper_triangle<T>(cut, matrix.fetch());
    BOOST_TEST(excess_of(measure_residuals<T>(of.rows, of.cols, a, q, r)) == "");
  }
}
template <class T>
void check_qr(device& machine, std::string const& family, size const& of,
              factorization_settings const& settings) {
  BOOST_TEST_CONTEXT(family)
  check_qr_of<T>(machine, make_matrix<T>(family, of.rows, of.cols, 7), of, settings);
}

}  // namespace gridloom::tiled_qr::test
