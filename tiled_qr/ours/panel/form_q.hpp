#pragma once
// Forms explicit Q from the reflectors of panels. Tall matrices take two passes over the rows
// (tall/form_tall_q.hpp), others take products by groups of panels (form_q_products.hpp).

#include <cstddef>
#include <cstdint>
#include <optional>

#include "gridloom/device.hpp"
#include "ours/tall/form_tall_q.hpp"

namespace gridloom::tiled_qr::panels {

/// On an H200 two passes were faster for all shapes that were tried, even for squares of 256 rows
/// (docs/results.md).
inline constexpr std::int64_t usual_tall_from = 1;

struct former_settings {
  /// Number of host workers, or of blocks that keep a device busy; 0: chosen for the machine.
  int blocks = 0;
  /// Threads per block. No effect on the host.
  int threads = 256;
  /// Q is formed in two passes if tall_q_former supports the matrix, and if the matrix has at least
  /// this many rows per reflector. 0 leaves only the first condition.
  std::int64_t tall_from = usual_tall_from;
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
  std::size_t bytes() const { return (tall_ ? tall_->bytes() : 0) + sums_.bytes() + x_.bytes(); }

 private:
  int panels() const;
  void run_groups(matrix_ref<Real> factors, Real const* t, Real* q);
  /// Returns the number of parts into which the rows are split, for the group that begins with
  /// panel `begin`.
  int splits_of(int begin) const;
  std::size_t most_sums() const;

  device* machine_;
  std::int64_t rows_;
  std::int64_t cols_;
  int blocks_;
  int threads_;
  std::optional<tall_q_former<Real>> tall_;
  /// Number of panels per group. It is smaller if a group's sums would take much memory compared
  /// with the matrix.
  int width_ = 0;
  buffer<Real> sums_;
  buffer<Real> x_;
};

}  // namespace gridloom::tiled_qr::panels
