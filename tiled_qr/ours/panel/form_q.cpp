#include "ours/panel/form_q.hpp"

#include <algorithm>
#include <stdexcept>

namespace gridloom::tiled_qr::panels {

namespace {

/// Returns how many reflectors are applied at once. More make the library's products faster, but
/// take memory: at most a twelfth of the matrix, unless 32 reflectors take more.
std::int64_t width_for(std::int64_t rows, std::int64_t cols) {
  std::int64_t const vectors = std::min(rows, cols);
  std::int64_t width = most_tall_cols;
  while (width > panel_width && width * (vectors + 2 * width) > rows * cols / 12) width /= 2;
  return width;
}

}  // namespace

template <class Real>
q_former<Real>::q_former(device& machine, std::int64_t rows, std::int64_t cols,
                         former_settings settings)
    : rows_(rows), cols_(cols) {
  std::int64_t const reflectors = std::min(rows, cols);
  int const threads = machine.is_host() ? 1 : settings.threads;
  // With other numbers of threads, two passes are slow, because they do not use matrix units.
  bool const quick = machine.is_host() || threads == tall_threads;
  if (quick && tall_q_former<Real>::takes(machine, reflectors))
    tall_.emplace(machine, rows, reflectors, settings.blocks, threads);
  else
    applier_.emplace(machine, width_for(rows, cols), reflectors,
                     applier_settings{.blocks = settings.blocks, .threads = threads});
}

template <class Real>
void q_former<Real>::run(matrix_ref<Real> factors, Real const* t, Real* q) {
  if (factors.rows != rows_ || factors.cols != cols_)
    throw std::invalid_argument("reflectors: expected the size given to the constructor");
  if (tall_)
    tall_->run({factors.data, rows_, std::min(rows_, cols_), factors.leading}, t, q);
  else
    applier_->form(factors, t, q);
}

template class q_former<float>;
template class q_former<double>;

}  // namespace gridloom::tiled_qr::panels
