#include "ours/blocked/apply_q.hpp"

#include <algorithm>
#include <stdexcept>

#include "gridloom/host_time_limit.hpp"
#include "ours/blocked/kernels.hpp"
#include "ours/least_squares.hpp"

namespace gridloom::tiled_qr::panels {

namespace {

/// Returns the number of reflectors in a block: as many as C has columns. Then Vᵀ V takes at most
/// half as many operations as the products with C. If C has up to 32 columns, Vᵀ V is not needed,
/// because each panel has its own T. Wider blocks read C less often. Not tuned by measurement.
std::int64_t width_for(std::int64_t reflectors, std::int64_t columns) {
  std::int64_t const most = std::min<std::int64_t>(most_width / panel_width, in_panels(reflectors));
  return std::clamp<std::int64_t>(in_panels(columns), 1, std::max<std::int64_t>(most, 1)) *
         panel_width;
}

}  // namespace

template <class Real>
q_applier<Real>::q_applier(device& machine, std::int64_t reflectors, std::int64_t columns,
                           applier_settings settings)
    : machine_(&machine),
      reflectors_(reflectors),
      columns_(columns),
      width_(width_for(reflectors, columns)),
      blocks_(settings.blocks != 0 ? settings.blocks : machine.properties().multiprocessors),
      threads_(machine.is_host() ? 1 : settings.threads),
      gemm_(make_gemm<Real>(machine, machine.stream())),
      top_(machine.allocate<Real>(static_cast<std::size_t>(width_ * width_))),
      products_(machine.allocate<Real>(
          static_cast<std::size_t>(width_ > panel_width ? width_ * width_ : 0))),
      w_(machine.allocate<Real>(static_cast<std::size_t>(width_ * columns))) {}

template <class Real>
void q_applier<Real>::run(matrix_ref<Real> factors, Real const* t, side which, matrix_ref<Real> c) {
  std::int64_t const reflectors = std::min(factors.rows, factors.cols);
  if (c.rows != factors.rows) throw std::invalid_argument("C: expected as many rows as Q has");
  if (reflectors > reflectors_ || c.cols > columns_)
    throw std::invalid_argument(
        "reflectors, columns: expected at most the numbers given to the constructor");
  if (c.cols > 0) apply_blocks(factors, t, which, c, false);
}

template <class Real>
void q_applier<Real>::form(matrix_ref<Real> factors, Real const* t, Real* q) {
  std::int64_t const vectors = std::min(factors.rows, factors.cols);
  if (vectors > columns_)
    throw std::invalid_argument("Q: expected at most as many columns as given to the constructor");
  machine_->launch({blocks_, threads_}, identity_kernel<Real>{q, factors.rows, vectors});
  apply_blocks(factors, t, side::q, {q, factors.rows, vectors, factors.rows}, true);
}

/// Applies all reflectors. If C `is_identity`, a block of reflectors does not change the columns to
/// its left, which are still those of the identity.
template <class Real>
void q_applier<Real>::apply_blocks(matrix_ref<Real> factors, Real const* t, side which,
                                   matrix_ref<Real> c, bool is_identity) {
  std::int64_t const reflectors = std::min(factors.rows, factors.cols);
  std::int64_t const blocks = (reflectors + width_ - 1) / width_;
  for (std::int64_t step = 0; step < blocks; ++step) {
    host_time_limit::check("applying Q");
    // Qᵀ applies the reflectors in the order in which they were made.
    std::int64_t const begin = (which == side::q ? blocks - 1 - step : step) * width_;
    matrix_ref<Real> const block{factors.at(begin, begin), factors.rows - begin,
                                 std::min(width_, reflectors - begin), factors.leading};
    std::int64_t const col = is_identity ? begin : 0;
    apply_block(block, t + begin / panel_width * square_size, which,
                {c.at(begin, col), c.rows - begin, c.cols - col, c.leading});
  }
}

/// Computes C -= V T (Vᵀ C), or with Tᵀ for Qᵀ. Each reflector begins at its diagonal entry, and C
/// begins at the first reflector's first row.
template <class Real>
void q_applier<Real>::apply_block(matrix_ref<Real> block, Real const* t, side which,
                                  matrix_ref<Real> c) {
  std::int64_t const n = block.cols;
  std::int64_t const below = block.rows - n;
  auto const blocks_for = [&](std::int64_t items) {
    constexpr std::int64_t most = 1 << 20;
    return static_cast<int>(std::min(items, machine_->is_host() ? std::int64_t{blocks_} : most));
  };
  machine_->launch({blocks_for(n), threads_},
                   unit_lower_kernel<Real>{{block.data, n, n, block.leading}, top_.data(), width_});
  gemm_operand<Real const> const v_top{top_.data(), width_};
  gemm_operand<Real const> const v_below{block.at(n, 0), block.leading};
  auto const times_v = [&](gemm_operand<Real const> top, gemm_operand<Real const> rest,
                           std::int64_t cols, gemm_operand<Real> out) {
    gemm_->transposed_product(n, cols, n, v_top, top, out);
    if (below > 0) gemm_->add_transposed_product(n, cols, below, v_below, rest, out);
  };
  // A single panel has its own T.
  if (n > panel_width) times_v(v_top, v_below, n, {products_.data(), width_});
  times_v({c.data, c.leading}, {c.at(n, 0), c.leading}, c.cols, {w_.data(), width_});
  machine_->launch({blocks_for(in_panels(c.cols)), threads_},
                   apply_t_kernel<Real>{
                       {w_.data(), n, c.cols, width_}, {products_.data(), n, n, width_}, t, which});
  gemm_operand<Real const> const w{w_.data(), width_};
  gemm_->subtract_product(n, c.cols, n, v_top, w, {c.data, c.leading});
  if (below > 0) gemm_->subtract_product(below, c.cols, n, v_below, w, {c.at(n, 0), c.leading});
}

template <class Real>
std::size_t q_applier<Real>::bytes() const {
  return gemm_->bytes() + top_.bytes() + products_.bytes() + w_.bytes();
}

template <class Real>
std::vector<Real> solve_least_squares(device& machine, matrix_ref<Real> factors, Real const* t,
                                      std::span<Real const> b, applier_settings settings) {
  return least_squares_of<Real>(machine, factors, b, [&](matrix_ref<Real> const& c) {
    q_applier<Real>(machine, factors.cols, c.cols, settings).run(factors, t, side::q_transposed, c);
    machine.synchronize();
  });
}

template <class Real>
void solve_least_squares(device& machine, matrix_ref<Real> factors, Real const* t,
                         matrix_ref<Real> b, applier_settings settings) {
  require_tall(factors.rows, factors.cols);
  q_applier<Real> applier(machine, factors.cols, b.cols, settings);
  applier.run(factors, t, side::q_transposed, b);
  std::int64_t const n = factors.cols;
  solve_upper<Real>(machine, {factors.data, n, n, factors.leading}, {b.data, n, b.cols, b.leading},
                    settings.threads);
}

#define GRIDLOOM_INSTANTIATE(Real)                                                               \
  template class q_applier<Real>;                                                                \
  template std::vector<Real> solve_least_squares<Real>(device&, matrix_ref<Real>, Real const*,   \
                                                       std::span<Real const>, applier_settings); \
  template void solve_least_squares<Real>(device&, matrix_ref<Real>, Real const*,                \
                                          matrix_ref<Real>, applier_settings);
GRIDLOOM_INSTANTIATE(float)
GRIDLOOM_INSTANTIATE(double)
#undef GRIDLOOM_INSTANTIATE

}  // namespace gridloom::tiled_qr::panels
