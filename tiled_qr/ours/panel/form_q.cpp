#include "ours/panel/form_q.hpp"

#include <algorithm>
#include <stdexcept>

#include "gridloom/host_time_limit.hpp"
#include "ours/tall/multiply_kernel.hpp"

namespace gridloom::tiled_qr::panels {

namespace {

/// Number of columns of Q to which reflectors are applied at once. More columns need more memory,
/// and multiply more zeros above the strip's own reflectors.
constexpr std::int64_t strip = 128;

}  // namespace

template <class Real>
q_former<Real>::q_former(device& machine, std::int64_t rows, std::int64_t cols,
                         applier_settings settings)
    : machine_(&machine),
      rows_(rows),
      cols_(cols),
      threads_(machine.is_host() ? 1 : settings.threads) {
  std::int64_t const reflectors = std::min(rows, cols);
  if (tall_q_former<Real>::takes(machine, reflectors)) {
    tall_.emplace(machine, rows, reflectors, settings.blocks, threads_);
  } else {
    applier_.emplace(machine, reflectors, std::min(reflectors, strip), settings);
  }
}

template <class Real>
void q_former<Real>::run(matrix_ref<Real> factors, Real const* t, Real* q) {
  if (factors.rows != rows_ || factors.cols != cols_)
    throw std::invalid_argument("reflectors: expected the size given to the constructor");
  std::int64_t const reflectors = std::min(rows_, cols_);
  if (tall_) {
    tall_->run({factors.data, rows_, reflectors, factors.leading}, t, q);
    return;
  }
  machine_->launch({machine_->properties().multiprocessors, threads_},
                   identity_kernel<Real>{q, rows_, reflectors});
  for (std::int64_t begin = 0; begin < reflectors; begin += strip) {
    host_time_limit::check("forming Q");
    // Later reflectors leave these columns of the identity unchanged.
    std::int64_t const end = std::min(begin + strip, reflectors);
    applier_->run({factors.data, rows_, end, factors.leading}, t, side::q,
                  {q + begin * rows_, rows_, end - begin, rows_});
  }
}

template class q_former<float>;
template class q_former<double>;

}  // namespace gridloom::tiled_qr::panels
