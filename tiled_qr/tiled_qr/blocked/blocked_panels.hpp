#pragma once
// Factorisation of large matrices, block by block of columns: the block by streamed panels, which
// wait for a chain of reflectors and not for the memory; all columns to its right by products of
// matrices, which are the machine's library's.
//
// The products run in a lane beside the streamed panels, those for the next block's columns first. The
// next block's panels begin when these are done, while the products for all other columns go on
// (look-ahead). A chain of reflectors keeps few multiprocessors busy; the products have the others.
//
// X1. A block's columns and rows above the next block are touched by the lane alone once its streamed
//     panels are done; the next block's panels touch columns of the next block only, after the lane is
//     done with them.
// X2. The lane does all of a block before anything of the next. So its memory (the products, R's square)
//     is there once, whatever runs beside it, and results do not depend on the time that anything takes.

#include <cstdint>
#include <memory>

#include "tiled_qr/blocked/gemm.hpp"
#include "tiled_qr/stream/streamed_panels.hpp"

namespace gridloom::tiled_qr::panels {

struct block_settings {
  /// Of the streamed panels; 0: as many as the device holds at once.
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

  /// Waits for the panels of each block, and returns when the last products are queued. The matrix has
  /// the size of the constructor.
  void run(matrix_ref<Real> matrix);

  /// One a column, with zeros up to a multiple of 32.
  buffer<Real> const& tau() const { return tau_; }
  /// T of each 32 columns.
  buffer<Real> const& t() const { return t_; }
  /// Of the last run (reflectors.hpp).
  std::uint32_t chains() const { return chains_; }
  int width() const { return width_; }
  int blocks() const { return panels_.blocks(); }
  kernel_facts facts() const { return panels_.facts(); }
  /// Beside the matrix.
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
  /// What stands in the top square of the block that the lane works on.
  buffer<Real> kept_;
  /// VᵀV of that block, and VᵀC.
  buffer<Real> products_;
  buffer<Real> w_;
  std::uint32_t chains_ = 0;
};

}  // namespace gridloom::tiled_qr::panels
