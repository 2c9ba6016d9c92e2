#pragma once
// The host side of the factorisation by passes over the rows (memory.hpp), for matrices of few
// columns and any number of rows.

#include <cstdint>

#include "gridloom/device.hpp"
#include "ours/notice.hpp"
#include "ours/stream/memory.hpp"

namespace gridloom::tiled_qr::panels {

struct stream_settings {
  /// Number of blocks; 0: as many as the device holds at once.
  int blocks = 0;
};

/// Factorises matrices of at most one size on one device, one after another: Householder QR as
/// LAPACK's geqrf leaves it, with R on and above the diagonal, reflectors below, factors tau, and T
/// of each 32 columns. Real is float or double; its limits are those of gram_panels. The same input
/// on the same number of blocks gives the same bits. Used by one thread.
template <class Real>
class streamed_panels {
 public:
  /// `lent`: memory of entries_of() numbers that nothing else uses from start() to finish(). Null:
  /// the object allocates it.
  streamed_panels(device& machine, std::int64_t rows, std::int64_t cols, stream_settings settings,
                  work_real* lent = nullptr);

  /// Number of entries of a pass's partial sums.
  static std::size_t entries_of(device& machine, std::int64_t rows, std::int64_t cols,
                                stream_settings settings);

  /// Starts a run in the device's stream. The matrix must be at most as large as the constructor's.
  /// `t` and `tau` have room for 32 × 32 and 32 numbers per panel.
  void start(matrix_ref<Real> matrix, Real* t, Real* tau);
  /// Starts further chains until none is needed; the last pass may still run then. Returns the
  /// number of chains of all panels (reflectors.hpp).
  std::uint32_t finish();

  int blocks() const { return blocks_; }
  kernel_facts facts() const;
  /// Bytes of memory besides the matrix, T, the factors, and the lent memory.
  std::size_t bytes() const;

 private:
  void next_chain();
  void pass();

  device* machine_;
  int blocks_;
  /// Number of partial sums of a slot.
  int sums_of_pass_;
  int step_ = 0;
  stream_scene<Real> scene_{};
  /// Number of the last notice before the notice of the first chain.
  std::uint32_t before_ = 0;
  notice_board board_;
  buffer<stream_progress> progress_;
  buffer<work_real> partials_;
  work_real* lent_;
  buffer<work_real> sums_;
  buffer<work_real> squares_;
};

}  // namespace gridloom::tiled_qr::panels
