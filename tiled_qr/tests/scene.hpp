#pragma once
// One factorisation from input to judgement, for tests on any machine.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "check/residual.hpp"
#include "inputs/families.hpp"
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

/// Factorises, and judges Q and R by code that the factorisation does not share.
template <class T>
void check_qr(device& machine, std::string const& family, size const& of,
              factorization_settings const& settings) {
  BOOST_TEST_CONTEXT(family << ", " << name_of(of) << ", scheduling "
                            << static_cast<int>(settings.how) << ", " << settings.blocks
                            << " blocks of " << settings.threads << ", " << sizeof(T) << " bytes") {
    tiling const cut = make_tiling(of.rows, of.cols, of.tile);
    std::vector<T> const a = make_matrix<T>(family, of.rows, of.cols, 7);
    device_matrix<T> matrix(machine, cut);
    matrix.load(a);
    factorization<T> qr(machine, cut, settings);
    qr.reset();
    qr.run(matrix.ref());
    qr.require_done();
    BOOST_TEST(qr.finished() == count_tasks(cut));
    auto const q = form_q(machine, matrix.ref(), std::min(of.rows, of.cols),
                          {settings.blocks, settings.threads});
    auto const r = upper_triangle<T>(cut, matrix.fetch());
    BOOST_TEST(excess_of(measure_residuals<T>(of.rows, of.cols, a, q, r)) == "");
  }
}

inline constexpr scheduling all_schedulings[] = {scheduling::serial, scheduling::shared,
                                                 scheduling::two_kernels, scheduling::joined};

}  // namespace gridloom::tiled_qr::test
