#pragma once
// Host side of the factorisation by passes over the rows (memory.hpp), for matrices of few columns
// and any number of rows.

#include <cstdint>

#include "gridloom/device.hpp"
#include "gridloom/notice.hpp"
#include "ours/stream/memory.hpp"

namespace gridloom::tiled_qr::panels {

struct stream_settings {
  /// Number of blocks; 0: as many as the device holds at once.
  int blocks = 0;
};

/// Householder QR of matrices up to one size on one device, one after another. Results, limits and
/// types are those of gram_panels. The same input on the same number of blocks gives the same bits.
/// Used by one thread.
template <class Real>
class streamed_panels {
 public:
  /// `lent` is memory of entries_of() numbers that nothing else uses from start() to finish(). If
  /// it is null, the object allocates the memory.
  streamed_panels(device& machine, std::int64_t rows, std::int64_t cols, stream_settings settings,
                  work_real* lent = nullptr);

  /// Number of entries of a pass's partial sums.
  static std::size_t entries_of(device& machine, std::int64_t rows, std::int64_t cols,
                                stream_settings settings);

  /// Starts a run in the device's stream. The matrix must not be larger than the size that the
  /// constructor got. `t` has room for 32 × 32 numbers per panel, and `tau` for 32.
  void start(matrix_ref<Real> matrix, Real* t, Real* tau);
  /// Starts further chains until none is needed. The last pass may still run on return. Returns the
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
  /// The number that the board's last notice had before the first chain's notice.
  std::uint32_t before_ = 0;
  notice_board board_;
  buffer<stream_progress> progress_;
  buffer<work_real> partials_;
  work_real* lent_;
  buffer<work_real> sums_;
  buffer<work_real> squares_;
};

}  // namespace gridloom::tiled_qr::panels
