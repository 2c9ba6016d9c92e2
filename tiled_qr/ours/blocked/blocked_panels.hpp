#pragma once
// Factorisation of large matrices by blocks of columns. Each block is factorised by streamed
// panels, whose chains of reflectors take longer than their memory accesses. All columns to its
// right are updated by matrix products of the machine's library.
//
// The products run in a lane beside the streamed panels, those for the next block's columns first.
// The next block's panels begin when these are done, while the other products go on (look-ahead). A
// chain of reflectors keeps few multiprocessors busy; the products have the others.
//
// BP.R1. Once a block's streamed panels are done, only the lane touches its columns, and rows above
//     the next block. The next block's panels touch only columns of the next block, after the lane
//     is done with them.
// BP.R2. The lane finishes a block before it begins the next. So one copy of its memory (the
//     products, R's square) is enough, and results do not depend on timing.

#include <cstdint>
#include <memory>

#include "ours/blocked/gemm.hpp"
#include "ours/stream/streamed_panels.hpp"

namespace gridloom::tiled_qr::panels {

struct block_settings {
  /// Blocks of the streamed panels; 0: as many as the device holds at once.
  int blocks = 0;
  /// Columns of a block, a multiple of 32, 256 at most; 0: chosen by size.
  int width = 0;
};

/// Factorises matrices of one size on one device, one after another; results, limits and bits as of
/// streamed_panels. Used by one thread.
template <class Real>
class blocked_panels {
 public:
  blocked_panels(device& machine, std::int64_t rows, std::int64_t cols, block_settings settings);

  /// Waits for the panels of each block, and returns when the last products are queued. The matrix
  /// has the size of the constructor.
  void run(matrix_ref<Real> matrix);

  /// One factor per column, with zeros up to a multiple of 32.
  buffer<Real> const& tau() const { return tau_; }
  /// T of each 32 columns, 32 × 32.
  buffer<Real> const& t() const { return t_; }
  /// Chains of the last run (reflectors.hpp).
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
  /// R of the block that the lane works on, which is saved from the block's top square.
  buffer<Real> kept_;
  /// VᵀV of that block, and VᵀC.
  buffer<Real> products_;
  buffer<Real> w_;
  std::uint32_t chains_ = 0;
};

}  // namespace gridloom::tiled_qr::panels
