// Tests panels of matrices whose entries cannot be squared, on the machines that this is linked
// for. They are scaled by a power of two. R's diagonal must be that of LAPACK's R of the unscaled
// matrix.

#include "check/largest.hpp"
#include "check/power_of_two.hpp"
#include "ours/panel_batch.hpp"
#include "rivals/lapack.hpp"
#include "scene.hpp"
#include "test_machines.hpp"

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::tiled_qr;
using namespace gridloom::tiled_qr::test;

namespace {

enum class engine { resident, blocked, by_cholesky };

template <class T>
std::unique_ptr<panel_batch<T>> make(engine which, test_machine const& on, device& machine,
                                     std::int64_t rows, std::int64_t cols, std::int64_t batch) {
  if (which == engine::blocked)
    return std::make_unique<batch_of<T, panels::blocked_panels<T>>>(
        machine, rows, cols, batch, panels::block_settings{.blocks = on.shape.blocks, .width = 64});
  if (which == engine::by_cholesky)
    return std::make_unique<batch_of<T, cholesky_panels<T>>>(
        machine, rows, cols, batch, tall_settings{.blocks = on.shape.blocks});
  return std::make_unique<resident_batch<T>>(
      machine, rows, cols, batch,
      panels::panel_settings{
          .blocks = on.shape.blocks, .threads = on.shape.threads, .batch = batch});
}

/// Factorises a batch with one matrix per scale. Requires small residuals of each, with LAPACK's Q
/// and with the Q that the batch forms.
template <class T>
void check_scales(engine which, test_machine const& on, device& machine, std::int64_t rows,
                  std::int64_t cols, std::vector<double> const& scales) {
  set_lapack_threads(1);
  std::vector<T> all;
  std::vector<int> exponents;
  std::vector<std::vector<T>> inputs;
  for (double const scale : scales) {
    std::vector<T> one = make_matrix<T>("random", rows, cols, 7 + inputs.size());
    for (T& x : one) x = static_cast<T>(static_cast<double>(x) * scale);
    exponents.push_back(exponent_to_safe(largest_of(std::span<T const>(one))));
    all.insert(all.end(), one.begin(), one.end());
    inputs.push_back(std::move(one));
  }
  auto const batch = static_cast<std::int64_t>(scales.size());
  buffer<T> const matrices = machine.allocate_copy(all);
  auto const qr = make<T>(which, on, machine, rows, cols, batch);
  qr->scale_by(exponents);
  qr->prepare_q({.blocks = on.shape.blocks, .threads = on.shape.threads});
  qr->run(matrices.data());
  qr->require_done();
  std::int64_t const vectors = std::min(rows, cols);
  buffer<T> const formed = machine.allocate<T>(static_cast<std::size_t>(batch * rows * vectors));
  qr->form_q(matrices.data(), formed.data());
  auto const factors = machine.copy_to_host(matrices);
  auto const explicit_q = machine.copy_to_host(formed);
  for (std::int64_t number = 0; number < batch; ++number) {
    auto const at = static_cast<std::size_t>(number);
    BOOST_TEST_CONTEXT("engine " << static_cast<int>(which) << ", " << rows << " x " << cols
                                 << " by " << scales[at] << ", " << sizeof(T) << " bytes") {
      std::vector<T> q(factors.begin() + number * rows * cols,
                       factors.begin() + (number + 1) * rows * cols);
      auto const r = upper_triangle<T>({rows, cols, 1}, q);
      lapack_orgqr(rows, cols, q.data(), qr->taus(number).data());
      q.resize(static_cast<std::size_t>(rows * vectors));
      auto const found = measure_residuals<T>(rows, cols, inputs[at], q, r);
      BOOST_TEST(excess_of(found) == "");
      if (scales[at] != 0) BOOST_TEST(found.compared == vectors);
      std::vector<T> const own(explicit_q.begin() + number * rows * vectors,
                               explicit_q.begin() + (number + 1) * rows * vectors);
      BOOST_TEST(excess_of(measure_residuals<T>(rows, cols, inputs[at], own, r)) == "");
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tiled_qr_scales)

BOOST_AUTO_TEST_CASE(panels_of_different_scales_are_factorised_together) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (engine const which : {engine::resident, engine::blocked, engine::by_cholesky}) {
      std::vector<double> const scales{1, 1e200, 1e-200, 1e300, 1e-300, 1e-320, 0, 1e100, 1e-100};
      check_scales<double>(which, on, machine, 96, 70, scales);
      if (which != engine::by_cholesky) check_scales<double>(which, on, machine, 67, 131, scales);
      std::vector<double> const narrow{1e30, 1e-30, 1e-40, 1e37, 0, 1};
      check_scales<float>(which, on, machine, 100, 70, narrow);
    }
  });
}

BOOST_AUTO_TEST_CASE(the_upper_triangle_alone_is_scaled_back) {
  on_each_machine([](test_machine const&, device& machine) {
    for (auto const& [rows, cols] : {std::pair<std::int64_t, std::int64_t>{5, 3}, {3, 5}}) {
      buffer<double> const matrix =
          machine.allocate_copy(std::vector<double>(static_cast<std::size_t>(rows * cols), 1.0));
      scale_matrix(machine, matrix.data(), rows, cols, -1070, scaled_part::upper_triangle);
      auto const values = machine.copy_to_host(matrix);
      for (std::int64_t j = 0; j < cols; ++j)
        for (std::int64_t i = 0; i < rows; ++i)
          BOOST_TEST(values[static_cast<std::size_t>(j * rows + i)] ==
                     (i <= j ? std::ldexp(1.0, -1070) : 1.0));
    }
  });
}

BOOST_AUTO_TEST_CASE(exponents_bring_the_largest_element_near_one) {
  BOOST_TEST(exponent_to_safe(0.0) == 0);
  BOOST_TEST(exponent_to_safe(1.0) == 0);
  BOOST_TEST(exponent_to_safe(1e90) == 0);
  BOOST_TEST(exponent_to_safe(1e-90) == 0);
  for (double const x : {1e91, 1e-91, 1e300, 1.7e308, 1e-308, 5e-324}) {
    double const near = power_of_two<double>::of(exponent_to_safe(x)).times(x);
    BOOST_TEST((near >= 1 && near < 2), x);
  }
  for (float const x : {1e19F, 1e-19F, 3e38F, 1e-45F}) {
    float const near = power_of_two<float>::of(exponent_to_safe(x)).times(x);
    BOOST_TEST((near >= 1 && near < 2), x);
  }
}

BOOST_AUTO_TEST_SUITE_END()
