#pragma once
// Forms explicit Q from the reflectors of panels. Up to 256 reflectors take two passes over the
// rows (tall/form_tall_q.hpp). More are applied to the identity, some panels at a time, by products
// of the machine's library (blocked/apply_q.hpp).

#include <cstddef>
#include <cstdint>
#include <optional>

#include "gridloom/device.hpp"
#include "ours/blocked/apply_q.hpp"
#include "ours/tall/form_tall_q.hpp"

namespace gridloom::tiled_qr::panels {

struct former_settings {
  /// Number of host workers, or of blocks that go over the rows; 0: chosen for the machine.
  int blocks = 0;
  /// Threads per block. No effect on the host.
  int threads = 256;
};

/// Forms the first min(rows, cols) columns of Q, for matrices of one size on one device, one after
/// another. The same input on the same number of blocks gives the same bits.
template <class Real>
class q_former {
 public:
  q_former(device& machine, std::int64_t rows, std::int64_t cols, former_settings settings = {});

  /// `factors` has the reflectors below the diagonal; their first entries, ones, are not stored.
  /// `t` has 32 × 32 numbers per panel, column-major, zero where there is no reflector. `q` is
  /// column-major without gaps, and need not be initialised. Queued in the device's stream.
  void run(matrix_ref<Real> factors, Real const* t, Real* q);
  /// Whether Q is formed in two passes over the rows.
  bool is_tall() const { return tall_.has_value(); }
  /// Bytes of workspace besides Q.
  std::size_t bytes() const { return tall_ ? tall_->bytes() : applier_->bytes(); }

 private:
  std::int64_t rows_;
  std::int64_t cols_;
  std::optional<tall_q_former<Real>> tall_;
  std::optional<q_applier<Real>> applier_;
};

}  // namespace gridloom::tiled_qr::panels
