#pragma once
// Forms explicit Q of a tall matrix in two passes over its reflectors V. The first pass adds up
// VᵀV. The second writes Q = E - V M, where E is the first columns of the identity (for M see
// form_tall_q.cpp). Between the passes, only matrices with as many rows as V has columns are
// computed. A single panel needs no VᵀV, because its T is known.

#include <cstddef>
#include <cstdint>

#include "gridloom/device.hpp"
#include "ours/tall/gram_kernel.hpp"

namespace gridloom::tiled_qr {

/// Forms Q for matrices of one size on one device, one after another. The same input on the same
/// number of blocks gives the same bits.
template <class Real>
class tall_q_former {
 public:
  /// Whether the class supports `reflectors` reflectors. There may be at most 256. A device's
  /// blocks must have as much shared memory as compute capability 9.0 gives.
  static bool takes(device const& machine, std::int64_t reflectors);

  /// `rows` is at least `reflectors`. `blocks` is the number of host workers, or of device blocks
  /// that go over the rows; 0: one per processor or multiprocessor. `threads` is the number per
  /// block; only blocks of 256 use matrix units. `sums` is memory of entries_of() numbers. If it is
  /// null, sums use Q's memory until Q is written, provided that they fit.
  tall_q_former(device& machine, std::int64_t rows, std::int64_t reflectors, int blocks,
                int threads, work_real* sums = nullptr);
  static std::size_t entries_of(device const& machine, std::int64_t rows, std::int64_t reflectors,
                                int blocks);

  /// Forms Q as q_former does.
  void run(matrix_ref<Real> reflectors, Real const* t, Real* q);
  /// Forms Q in place of the reflectors; R above them is lost. Requires that the constructor got
  /// `sums`.
  void run_in_place(matrix_ref<Real> reflectors, Real const* t);
  std::size_t bytes() const { return partials_.bytes() + products_.bytes() + squares_.bytes(); }

 private:
  /// Returns a launch of one block per item on a GPU, and of the constructor's number of workers on
  /// the host.
  launch_shape shape_of(int items) const;
  void form(matrix_ref<Real> reflectors, Real const* t, work_real* sums, matrix_ref<Real> to);

  device* machine_;
  int blocks_;
  int threads_;
  tall_shape shape_;
  gram_shares shares_;
  work_real* sums_;
  /// Memory for sums that do not fit into Q's memory.
  buffer<work_real> partials_;
  buffer<work_real> products_;
  buffer<work_real> squares_;
};

}  // namespace gridloom::tiled_qr
