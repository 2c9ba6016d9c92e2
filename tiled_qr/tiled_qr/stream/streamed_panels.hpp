#pragma once
// Host side of the factorisation by passes over the rows (memory.hpp): for matrices of few columns
// and any number of rows.

#include <cstdint>

#include "gridloom/device.hpp"
#include "tiled_qr/notice.hpp"
#include "tiled_qr/stream/memory.hpp"

namespace gridloom::tiled_qr::panels {

struct stream_settings {
  /// 0: as many as the device holds at once.
  int blocks = 0;
};

/// Factorises matrices of at most one size on one device, one after another: Householder QR as
/// LAPACK's geqrf leaves it, R on and above the diagonal, reflectors below, factors tau; T of each 32
/// columns, too. Real is float or double; its limits are those of gram_panels. The same input gives
/// the same bits in every run on as many blocks. Used by one thread.
template <class Real>
class streamed_panels {
 public:
  /// `lent`: as many numbers as entries_of() says, of which nobody else knows from start() to finish();
  /// null: memory of its own.
  streamed_panels(device& machine, std::int64_t rows, std::int64_t cols, stream_settings settings,
                  work_real* lent = nullptr);

  /// What the sums of a pass take, before they are added up.
  static std::size_t entries_of(device& machine, std::int64_t rows, std::int64_t cols,
                                stream_settings settings);

  /// Starts it in the device's stream. The matrix is not larger than the constructor's. `t` and `tau`
  /// have room for 32 × 32 and 32 numbers a panel.
  void start(matrix_ref<Real> matrix, Real* t, Real* tau);
  /// Starts more chains where columns depend on each other. It waits until it knows that no more follow, while
  /// the last pass runs. Returns the chains of all panels (reflectors.hpp).
  std::uint32_t finish();

  int blocks() const { return blocks_; }
  kernel_facts facts() const;
  /// Beside the matrix, T, the factors, and what was lent.
  std::size_t bytes() const;

 private:
  void next_chain();
  void pass();

  device* machine_;
  int blocks_;
  /// Of a slot.
  int sums_of_pass_;
  int step_ = 0;
  stream_scene<Real> scene_{};
  /// Number of the last notice before the first chain's.
  std::uint32_t before_ = 0;
  notice_board board_;
  buffer<stream_progress> progress_;
  buffer<work_real> partials_;
  work_real* lent_;
  buffer<work_real> sums_;
  buffer<work_real> squares_;
};

}  // namespace gridloom::tiled_qr::panels
