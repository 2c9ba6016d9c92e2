#pragma once
// Explicit Q of a tall matrix in two passes over its reflectors V: one adds up VᵀV, and one writes
// Q = E - V M (solve_top_kernel.hpp says what M is). Between them stands what is as small as V is wide.
// A single panel needs no VᵀV, since its T is there.

#include <cstddef>
#include <cstdint>

#include "gridloom/device.hpp"
#include "tiled_qr/tall/gram_kernel.hpp"

namespace gridloom::tiled_qr {

/// Forms Q for matrices of one size on one device, one after another. The same input gives the same bits
/// on as many blocks.
template <class Real>
class tall_q_former {
 public:
  /// Whether it does so many reflectors: at most 256, and on a device whose blocks have as much shared
  /// memory as those of compute capability 9.0.
  static bool takes(device const& machine, std::int64_t reflectors);

  /// `rows` is at least `reflectors`. `blocks`: workers of the host, and blocks of a device that go over
  /// the rows; 0: as many as there are at once. `threads` of a block: with any other number than 256 the
  /// products are done without matrix units. `sums`: memory of that kind for sums, entries_of() numbers;
  /// null: they stand in Q, where there is room, until it is written.
  tall_q_former(device& machine, std::int64_t rows, std::int64_t reflectors, int blocks,
                int threads, work_real* sums = nullptr);
  static std::size_t entries_of(device const& machine, std::int64_t rows, std::int64_t reflectors,
                                int blocks);

  /// As q_former has it.
  void run(matrix_ref<Real> reflectors, Real const* t, Real* q);
  /// Q in the reflectors' place; R in their top is lost. Only with memory for sums.
  void run_in_place(matrix_ref<Real> reflectors, Real const* t);
  std::size_t bytes() const { return partials_.bytes() + products_.bytes() + squares_.bytes(); }

 private:
  /// An item a block on a GPU, and as many workers as there are on the host.
  launch_shape shape_of(int items) const;
  void form(matrix_ref<Real> reflectors, Real const* t, work_real* sums, matrix_ref<Real> to);

  device* machine_;
  int blocks_;
  int threads_;
  tall_shape shape_;
  gram_shares shares_;
  work_real* sums_;
  /// Where Q has no room.
  buffer<work_real> partials_;
  buffer<work_real> products_;
  buffer<work_real> squares_;
};

}  // namespace gridloom::tiled_qr
