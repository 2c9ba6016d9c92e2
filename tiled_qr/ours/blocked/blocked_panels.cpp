#include "ours/blocked/blocked_panels.hpp"

#include <algorithm>

#include "gridloom/error.hpp"
#include "ours/blocked/kernels.hpp"

namespace gridloom::tiled_qr::panels {

namespace {

/// Returns the width of a block. Wider blocks make the library's products faster. But they give the
/// streamed panels more work, and need memory for a product as wide as a block. Of 64 to 256
/// columns, 256 were fastest for squares of 2048² to 16,384² on an H200.
int choose_width(std::int64_t cols, int wanted) {
  if (wanted != 0) {
    if (wanted % panel_width != 0 || wanted < 0 || wanted > most_width)
      throw usage_error("block width: expected a multiple of " + std::to_string(panel_width) +
                        ", at most " + std::to_string(most_width) + ", got " +
                        std::to_string(wanted));
    return wanted;
  }
  return static_cast<int>(in_panels(std::min<std::int64_t>(cols, most_width)) * panel_width);
}

/// Number of the device's lane (device::lane_stream) in which the products run.
constexpr int lane = 0;

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
  gemm_ = make_gemm<Real>(machine, machine.lane_stream(lane));
  kept_ = machine.allocate<Real>(of(width_, width_));
  products_ = machine.allocate<Real>(of(width_, width_));
  w_ = machine.allocate<Real>(of(width_, cols - width_));
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
    try {
      panels_.start(block, t, tau_.data() + col);
      chains_ += panels_.finish();
    } catch (timeout_error const&) {
      // The lane reads memory that the caller may free.
      machine_->join_lanes(lane + 1);
      throw;
    }
    if (rest.cols > 0) update(block, rest, t);
  }
  machine_->join_lanes(lane + 1);
}

/// Applies the block's reflectors to the columns to its right. Later launches wait only for the
/// update of the next block's columns.
template <class Real>
void blocked_panels<Real>::update(matrix_ref<Real> block, matrix_ref<Real> rest, Real const* t) {
  std::int64_t const vectors = std::min(block.rows, block.cols);
  matrix_ref<Real> const v{block.data, block.rows, vectors, block.leading};
  matrix_ref<Real> const top{block.data, vectors, vectors, block.leading};
  // BP.R1: the block's panels are done.
  machine_->begin_lanes(lane + 1);
  launch_in_lane(vectors, top_square_kernel<Real>{top, kept_.data(), false});
  gemm_->transposed_product(vectors, vectors, v.rows, {v.data, v.leading}, {v.data, v.leading},
                            {products_.data(), width_});
  std::int64_t const next = std::min<std::int64_t>(width_, rest.cols);
  apply(v, t, {rest.data, rest.rows, next, rest.leading});
  // BP.R1: the next block may begin.
  machine_->join_lanes(lane + 1);
  if (rest.cols > next) apply(v, t, {rest.at(0, next), rest.rows, rest.cols - next, rest.leading});
  launch_in_lane(vectors, top_square_kernel<Real>{top, kept_.data(), true});
}

/// Computes C -= V Tᵀ (Vᵀ C).
template <class Real>
void blocked_panels<Real>::apply(matrix_ref<Real> reflectors, Real const* t, matrix_ref<Real> to) {
  gemm_operand<Real const> const v{reflectors.data, reflectors.leading};
  gemm_->transposed_product(reflectors.cols, to.cols, to.rows, v, {to.data, to.leading},
                            {w_.data(), width_});
  launch_in_lane(in_panels(to.cols),
                 apply_t_kernel<Real>{{w_.data(), reflectors.cols, to.cols, width_},
                                      {products_.data(), reflectors.cols, reflectors.cols, width_},
                                      t});
  gemm_->subtract_product(to.rows, to.cols, reflectors.cols, v, {w_.data(), width_},
                          {to.data, to.leading});
}

/// Launches one block per item on a GPU, and as many workers as a pass has on the host.
template <class Real>
template <class Kernel>
void blocked_panels<Real>::launch_in_lane(std::int64_t items, Kernel const& kernel) {
  bool const on_host = machine_->is_host();
  std::int64_t const most = on_host ? panels_.blocks() : items;
  machine_->launch_beside(
      lane, {static_cast<int>(std::min(items, most)), on_host ? 1 : Kernel::max_threads}, kernel);
}

template <class Real>
std::size_t blocked_panels<Real>::bytes() const {
  return panels_.bytes() + (gemm_ ? gemm_->bytes() : 0) + t_.bytes() + tau_.bytes() +
         kept_.bytes() + products_.bytes() + w_.bytes();
}

template class blocked_panels<float>;
template class blocked_panels<double>;

}  // namespace gridloom::tiled_qr::panels
