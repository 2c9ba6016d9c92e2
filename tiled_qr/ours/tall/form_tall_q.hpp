#pragma once
// Forms explicit Q of a tall matrix in two passes over its reflectors V. The first adds up VᵀV, the
// second writes Q = E - V M (see solve_top_kernel.hpp for M). Between the passes, only matrices
// with as many rows as V has columns are computed. A single panel needs no VᵀV, since its T is
// known.

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
  /// Whether the class supports `reflectors` reflectors: at most 256, and only on a device whose
  /// blocks have as much shared memory as with compute capability 9.0.
  static bool takes(device const& machine, std::int64_t reflectors);

  /// `rows` is at least `reflectors`. `blocks`: workers of the host, or blocks of a device that go
  /// over the rows; 0: as many as run at once. `threads`: per block; only blocks of 256 use matrix
  /// units. `sums`: memory of entries_of() numbers. Null: sums use Q's memory, if it has room,
  /// until Q is written.
  tall_q_former(device& machine, std::int64_t rows, std::int64_t reflectors, int blocks,
                int threads, work_real* sums = nullptr);
  static std::size_t entries_of(device const& machine, std::int64_t rows, std::int64_t reflectors,
                                int blocks);

  /// Forms Q as q_former does.
  void run(matrix_ref<Real> reflectors, Real const* t, Real* q);
  /// Forms Q in place of the reflectors; R above them is lost. Needs memory for sums.
  void run_in_place(matrix_ref<Real> reflectors, Real const* t);
  std::size_t bytes() const { return partials_.bytes() + products_.bytes() + squares_.bytes(); }

 private:
  /// Shape with one block per item on a GPU; on the host, as many workers as blocks were asked for.
  launch_shape shape_of(int items) const;
  void form(matrix_ref<Real> reflectors, Real const* t, work_real* sums, matrix_ref<Real> to);

  device* machine_;
  int blocks_;
  int threads_;
  tall_shape shape_;
  gram_shares shares_;
  work_real* sums_;
  /// Memory for sums if Q's memory has no room for them.
  buffer<work_real> partials_;
  buffer<work_real> products_;
  buffer<work_real> squares_;
};

}  // namespace gridloom::tiled_qr
