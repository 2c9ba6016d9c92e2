#pragma once
// Forms explicit Q from the reflectors of panels. For tall matrices in two passes over the rows
// (tall/form_tall_q.hpp), for others by groups of panels (form_q_products.hpp).

#include <cstddef>
#include <cstdint>
#include <optional>

#include "gridloom/device.hpp"
#include "ours/tall/form_tall_q.hpp"

namespace gridloom::tiled_qr::panels {

/// On an H200 two passes were faster for all shapes tried, also for squares of 256 rows
/// (docs/results.md).
inline constexpr std::int64_t usual_tall_from = 1;

struct former_settings {
  /// Workers of the host, or blocks that keep a device busy; 0: two per multiprocessor.
  int blocks = 0;
  /// Threads per block. No effect on the host.
  int threads = 256;
  /// Q is formed in two passes if the matrix has at least this many rows per reflector and
  /// tall_q_former takes it. 0: whenever tall_q_former takes it.
  std::int64_t tall_from = usual_tall_from;
};

/// Forms Q, its first min(rows, cols) columns, for matrices of one size on one device, one after
/// another. The same input on the same number of blocks gives the same bits.
template <class Real>
class q_former {
 public:
  q_former(device& machine, std::int64_t rows, std::int64_t cols, former_settings settings = {});

  /// `factors`: reflectors below the diagonal, whose unit first entries are not stored. `t`: 32 ×
  /// 32 per panel, column after column, zero where there is no reflector. `q`: column-major without
  /// gaps; need not be initialised. Queued in the device's stream.
  void run(matrix_ref<Real> factors, Real const* t, Real* q);
  /// Whether Q is formed in two passes over the rows.
  bool is_tall() const { return tall_.has_value(); }
  /// Bytes of workspace besides Q.
  std::size_t bytes() const { return (tall_ ? tall_->bytes() : 0) + sums_.bytes() + x_.bytes(); }

 private:
  int panels() const;
  void run_groups(matrix_ref<Real> factors, Real const* t, Real* q);
  /// Number of parts into which the rows are split, for the group of panels that begins here.
  int splits_of(int begin) const;
  std::size_t most_sums() const;

  device* machine_;
  std::int64_t rows_;
  std::int64_t cols_;
  int blocks_;
  int threads_;
  std::optional<tall_q_former<Real>> tall_;
  /// Panels per group; fewer if their sums would take much memory compared with the matrix.
  int width_ = 0;
  buffer<Real> sums_;
  buffer<Real> x_;
};

}  // namespace gridloom::tiled_qr::panels
