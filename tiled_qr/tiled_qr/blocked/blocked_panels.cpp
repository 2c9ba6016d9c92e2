#include "tiled_qr/blocked/blocked_panels.hpp"

#include <algorithm>

#include "gridloom/error.hpp"
#include "tiled_qr/blocked/kernels.hpp"

namespace gridloom::tiled_qr::panels {

namespace {

/// Wider blocks make the library's products quicker, and the streamed panels' work larger; also two
/// copies of a block stand beside the matrix. Both widths ran on an H200; no others were compared there,
/// nor other sizes to change at.
int choose_width(std::int64_t cols, int wanted) {
  if (wanted != 0) {
    if (wanted % panel_width != 0 || wanted < 0 || wanted > most_width)
      throw usage_error("block width: expected a multiple of " + std::to_string(panel_width) +
                        ", at most " + std::to_string(most_width) + ", got " +
                        std::to_string(wanted));
    return wanted;
  }
  constexpr std::int64_t wide = 6144;
  return cols <= most_width ? static_cast<int>(in_panels(cols) * panel_width)
         : cols < wide      ? most_width / 2
                            : most_width;
}

/// Column-major matrices begin at even rows, so that their rows travel in pairs.
std::int64_t even(std::int64_t n) { return n + n % 2; }

}  // namespace

template <class Real>
blocked_panels<Real>::blocked_panels(device& machine, std::int64_t rows, std::int64_t cols,
                                     block_settings settings)
    : machine_(&machine),
      width_(choose_width(cols, settings.width)),
      panels_(machine, rows, std::min<std::int64_t>(cols, width_), {settings.blocks}) {
  auto const panels = static_cast<std::size_t>(in_panels(std::min(rows, cols)));
  t_ = machine.allocate<Real>(panels * square_size);
  tau_ = machine.allocate<Real>(panels * panel_width);
  if (cols <= width_) return;
  auto const of = [](std::int64_t m, std::int64_t n) { return static_cast<std::size_t>(m * n); };
  gemm_ = make_gemm<Real>(machine);
  reflectors_ = machine.allocate<Real>(of(even(rows), width_));
  w_ = machine.allocate<Real>(of(width_, cols - width_));
  products_ = machine.allocate<Real>(of(width_, width_));
}

template <class Real>
void blocked_panels<Real>::run(matrix_ref<Real> matrix) {
  chains_ = 0;
  for (std::int64_t col = 0; col < std::min(matrix.rows, matrix.cols); col += width_) {
    std::int64_t const end = std::min<std::int64_t>(col + width_, matrix.cols);
    matrix_ref<Real> const block{matrix.at(col, col), matrix.rows - col, end - col, matrix.leading};
    matrix_ref<Real> const rest{matrix.at(col, end), matrix.rows - col, matrix.cols - end,
                                matrix.leading};
    Real* const t = t_.data() + col / panel_width * square_size;
    panels_.start(block, t, tau_.data() + col);
    chains_ += panels_.finish();
    if (rest.cols > 0) update(block, rest, t);
  }
}

/// C -= V Tᵀ (Vᵀ C) for the columns to the right.
template <class Real>
void blocked_panels<Real>::update(matrix_ref<Real> block, matrix_ref<Real> rest, Real const* t) {
  std::int64_t const vectors = std::min(block.rows, block.cols);
  matrix_ref<Real> const of_vectors{block.data, block.rows, vectors, block.leading};
  int const threads = machine_->is_host() ? 1 : unit_lower_kernel<Real>::max_threads;
  auto const blocks_for = [&](std::int64_t items) {
    return static_cast<int>(std::min<std::int64_t>(
        items,
        machine_->is_host() ? panels_.blocks() : 64 * machine_->properties().multiprocessors));
  };
  std::int64_t const leading = even(block.rows);
  machine_->launch({blocks_for(in_panels(block.rows)), threads},
                   unit_lower_kernel<Real>{of_vectors, reflectors_.data(), leading});
  gemm_operand<Real const> const v{reflectors_.data(), leading};
  gemm_->transposed_product(vectors, vectors, block.rows, v, v, {products_.data(), width_});
  gemm_->transposed_product(vectors, rest.cols, block.rows, v, {rest.data, rest.leading},
                            {w_.data(), width_});
  machine_->launch({blocks_for(in_panels(rest.cols)), threads},
                   apply_t_kernel<Real>{{w_.data(), vectors, rest.cols, width_},
                                        {products_.data(), vectors, vectors, width_},
                                        t});
  gemm_->subtract_product(block.rows, rest.cols, vectors, v, {w_.data(), width_},
                          {rest.data, rest.leading});
}

template <class Real>
std::size_t blocked_panels<Real>::bytes() const {
  return panels_.bytes() + (gemm_ ? gemm_->bytes() : 0) + t_.bytes() + tau_.bytes() +
         reflectors_.bytes() + w_.bytes() + products_.bytes();
}

template class blocked_panels<float>;
template class blocked_panels<double>;

}  // namespace gridloom::tiled_qr::panels
