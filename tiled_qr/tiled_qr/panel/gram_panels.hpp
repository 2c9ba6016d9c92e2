#pragma once
// Host side of the factorisation by resident teams (factor_kernel.hpp).

#include <cstdint>

#include "gridloom/watchdog.hpp"
#include "tiled_qr/panel/factor_kernel.hpp"

namespace gridloom::tiled_qr::panels {

/// How the blocks of a launch are dealt out.
struct team_shape {
  int teams;
  int members;
  /// Of a panel that a block can hold: 64, 128, 256, and on the host 4096.
  int rows;
};

/// Teams for a matrix of `rows` × `cols` on at most `blocks` resident blocks. Throws unsupported if
/// all of them together cannot hold a panel.
team_shape choose_teams(bool host, std::int64_t rows, std::int64_t cols, int blocks);

struct panel_settings {
  /// 0: as many as the device holds at once.
  int blocks = 0;
  /// Of a block; no effect on the host.
  int threads = 256;
  double timeout_s = 60;
};

/// Factorises matrices of one size on one device, one after another: Householder QR as LAPACK's geqrf
/// leaves it, R on and above the diagonal, reflectors below, factors tau; T of each 32 columns, too.
/// Real is float or double. Columns longer than 1e140 (float: 1e16) overflow, and shorter ones than
/// 1e-140 (1e-16) count as zero. The same input gives the same bits in every run on as many blocks.
template <class Real>
class gram_panels {
 public:
  /// Throws unsupported if the blocks cannot hold a panel.
  gram_panels(device& machine, std::int64_t rows, std::int64_t cols, panel_settings settings);

  team_shape const& shape() const { return shape_; }
  int panels() const { return panels_; }
  /// Of the kernel.
  kernel_facts facts() const;

  /// Before every run, as part of it: words to zero, the watchdog to its start. Queued in the stream.
  void reset();
  /// Starts it in the device's stream. The matrix has the size of the constructor.
  void run(matrix_ref<Real> matrix);
  /// Throws timeout_error if the last run was stopped.
  void require_done();

  /// One a column, with zeros up to a multiple of 32.
  buffer<Real> const& tau() const { return tau_; }
  /// 32 × 32 a panel, column after column; zero where there is no reflector.
  buffer<Real> const& t() const { return t_; }
  /// Chains of reflectors in all panels together (reflectors.hpp): as many as panels if no column
  /// lost its digits.
  std::uint32_t chains() const;
  /// Beside the matrix.
  std::size_t bytes() const;

 private:
  template <class Use>
  auto with_rows(Use&& use) const;

  device* machine_;
  watchdog dog_;
  watchdog_ref stopper_{};
  int panels_;
  int threads_;
  team_shape shape_;
  buffer<Real> t_;
  buffer<Real> tau_;
  buffer<Real> sums_;
  buffer<Real> tops_;
  buffer<std::uint32_t> words_;
};

}  // namespace gridloom::tiled_qr::panels
