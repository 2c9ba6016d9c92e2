#pragma once
// Factorises large matrices by blocks of columns. Streamed panels factorise each block, and matrix
// products of the machine's library update all columns to its right.
//
// The products run in a lane, a second stream beside the one of the streamed panels. The products
// for the next block's columns come first. Then the next block's panels begin, while the other
// products continue (look-ahead). A chain of reflectors keeps few multiprocessors busy, and the
// products use the others.
//
// BP.R1. Once a block's streamed panels are done, only the lane touches the block's columns, and
//     the rows above the next block. The next block's panels touch only columns of the next block,
//     after the lane has updated these columns.
// BP.R2. The lane finishes a block before it begins the next. So one copy of the lane's memory (the
//     products and R's square) is enough, and results do not depend on timing.

#include <cstdint>
#include <memory>

#include "ours/blocked/gemm.hpp"
#include "ours/stream/streamed_panels.hpp"

namespace gridloom::tiled_qr::panels {

struct block_settings {
  /// Number of thread blocks of the streamed panels; 0: as many as the device holds at once.
  int blocks = 0;
  /// Number of columns of a block, a multiple of 32, at most 256; 0: chosen by the matrix's size.
  int width = 0;
};

/// Factorises matrices of one size on one device, one after another. Results, limits and
/// reproducibility are those of streamed_panels. Used by one thread.
template <class Real>
class blocked_panels {
 public:
  blocked_panels(device& machine, std::int64_t rows, std::int64_t cols, block_settings settings);

  /// Waits for the panels of each block, and returns when the last products are queued. The matrix
  /// must have the size that the constructor got.
  void run(matrix_ref<Real> matrix);

  /// Array of one factor per column, with zeros up to a multiple of 32.
  buffer<Real> const& tau() const { return tau_; }
  /// Array of one T per panel, 32 × 32, column-major.
  buffer<Real> const& t() const { return t_; }
  /// Number of chains of the last run (reflectors.hpp).
  std::uint32_t chains() const { return chains_; }
  int width() const { return width_; }
  int blocks() const { return panels_.blocks(); }
  kernel_facts facts() const { return panels_.facts(); }
  /// Bytes of memory besides the matrix.
  std::size_t bytes() const;

 private:
  void update(matrix_ref<Real> block, matrix_ref<Real> rest, Real const* t);
  void apply(matrix_ref<Real> reflectors, Real const* t, matrix_ref<Real> to);
  template <class Kernel>
  void launch_in_lane(std::int64_t items, Kernel const& kernel);

  device* machine_;
  int width_;
  streamed_panels<Real> panels_;
  std::unique_ptr<gemm<Real>> gemm_;
  buffer<Real> t_;
  buffer<Real> tau_;
  /// R of the lane's current block, saved from the block's top square.
  buffer<Real> kept_;
  /// VᵀV of the lane's current block, and then VᵀC.
  buffer<Real> products_;
  buffer<Real> w_;
  std::uint32_t chains_ = 0;
};

}  // namespace gridloom::tiled_qr::panels
