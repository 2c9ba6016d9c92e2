#pragma once
// Factorisation of large matrices, block by block of columns: the block by streamed panels, which
// wait for a chain of reflectors and not for the memory; all columns to its right by products of
// matrices, which are the machine's library's.

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

  /// Returns when all is queued. The matrix has the size of the constructor.
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

  device* machine_;
  int width_;
  streamed_panels<Real> panels_;
  std::unique_ptr<gemm<Real>> gemm_;
  buffer<Real> t_;
  buffer<Real> tau_;
  buffer<Real> reflectors_;
  buffer<Real> w_;
  buffer<Real> products_;
  std::uint32_t chains_ = 0;
};

}  // namespace gridloom::tiled_qr::panels
