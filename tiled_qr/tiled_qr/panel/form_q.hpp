#pragma once
// Explicit Q of what factorisations by panels left: of tall matrices in two passes over the rows
// (tall/form_tall_q.hpp), of others some panels at a time (form_q_products.hpp).

#include <cstddef>
#include <cstdint>
#include <optional>

#include "gridloom/device.hpp"
#include "tiled_qr/tall/form_tall_q.hpp"

namespace gridloom::tiled_qr::panels {

/// On an H200 two passes were ahead for all shapes that were tried, squares of 256 rows among them
/// (docs/results.md).
inline constexpr std::int64_t usual_tall_from = 1;

struct former_settings {
  /// Workers of the host, and blocks that a device keeps busy at least; 0: two a multiprocessor.
  int blocks = 0;
  /// Of a block; no effect on the host.
  int threads = 256;
  /// A matrix of at least so many rows a reflector is a tall one, where tall_q_former takes it; 0: all
  /// that it takes.
  std::int64_t tall_from = usual_tall_from;
};

/// Forms Q for matrices of one size on one device, one after another: its first min(rows, cols)
/// columns. The same input gives the same bits on as many blocks.
template <class Real>
class q_former {
 public:
  q_former(device& machine, std::int64_t rows, std::int64_t cols, former_settings settings = {});

  /// `factors`: reflectors below the diagonal, each with a unit first entry that is not stored. `t`:
  /// 32 × 32 a panel, column after column, zero where there is no reflector. `q`: column-major
  /// without gaps; need not be set. Queued in the device's stream.
  void run(matrix_ref<Real> factors, Real const* t, Real* q);
  /// Whether in two passes over the rows.
  bool is_tall() const { return tall_.has_value(); }
  /// Of workspace, beside Q.
  std::size_t bytes() const { return (tall_ ? tall_->bytes() : 0) + sums_.bytes() + x_.bytes(); }

 private:
  int panels() const;
  void run_groups(matrix_ref<Real> factors, Real const* t, Real* q);
  /// Of the group of panels that begins here.
  int splits_of(int begin) const;
  std::size_t most_sums() const;

  device* machine_;
  std::int64_t rows_;
  std::int64_t cols_;
  int blocks_;
  int threads_;
  std::optional<tall_q_former<Real>> tall_;
  /// Panels of a group: fewer where their sums would take much memory beside the matrix.
  int width_ = 0;
  buffer<Real> sums_;
  buffer<Real> x_;
};

}  // namespace gridloom::tiled_qr::panels
