#pragma once
// Host side of the factorisation by resident teams (factor_kernel.hpp).

#include <cstdint>

#include "gridloom/watchdog.hpp"
#include "ours/panel/factor_kernel.hpp"

namespace gridloom::tiled_qr::panels {

/// How the blocks of a launch are distributed.
struct team_shape {
  /// Number of matrices that are worked on at once, of teams per matrix, and of blocks (members)
  /// per team.
  int matrices;
  int teams;
  int members;
  /// Rows of a panel that a block can hold: 64, 128, 256, and on the host 4096.
  int rows;
};

/// Chooses teams for `batch` matrices of `rows` × `cols` on at most `blocks` resident blocks. If
/// there are many matrices, each gets as few blocks as can hold a panel. A matrix that shares its
/// blocks with a later one has one team (TM.R5 of team.hpp). `members` is the number of blocks per
/// team; 0: chosen. Throws unsupported if all blocks together cannot hold a panel. Throws
/// usage_error if `members` blocks cannot, or if some members would have no rows.
team_shape choose_teams(bool host, std::int64_t rows, std::int64_t cols, int blocks,
                        std::int64_t batch = 1, int members = 0);

struct panel_settings {
  /// Number of blocks; 0: one per multiprocessor.
  int blocks = 0;
  /// Threads per block. No effect on the host.
  int threads = 256;
  /// Number of blocks of a team; 0: chosen, and 1 on the host.
  int members = 0;
  double timeout_s = 60;
  /// Number of matrices that a run factorises.
  std::int64_t batch = 1;
};

/// Householder QR of matrices of one size on one device, one batch after another. The result is
/// that of LAPACK's geqrf: R on and above the diagonal, reflectors below, and factors tau. In
/// addition, each 32 columns have a T. Real is float or double; float is computed in double. A
/// column may be at most 6e153 long, and a column shorter than 1e-140 counts as zero (see
/// `least_norm`). The square of a longer column has a reciprocal that is no normal number of
/// double. Matrices of float never reach these limits. The same input and the same members of a
/// team give the same bits in every run, with any number of teams.
template <class Real>
class gram_panels {
 public:
  /// Throws unsupported if the blocks cannot hold a panel.
  gram_panels(device& machine, std::int64_t rows, std::int64_t cols, panel_settings settings);

  team_shape const& shape() const { return shape_; }
  int blocks() const { return shape_.matrices * shape_.teams * shape_.members; }
  int panels() const { return panels_; }
  /// Facts about the kernel, such as its registers and its shared memory.
  kernel_facts facts() const;

  /// Clears the words and restarts the watchdog. Call it before every run; its time is part of the
  /// run. Queued in the stream.
  void reset();
  /// Starts a run in the device's stream. The matrices have the size that the constructor got, and
  /// begin `stride` entries apart. The first run on a matrix of float takes more memory if a column
  /// does not begin at a multiple of 8 bytes.
  void run(matrix_ref<Real> matrix, std::int64_t stride = 0);
  /// Throws timeout_error if the last run was stopped.
  void require_done();

  /// Array of one factor per column, with zeros up to a multiple of 32; matrix after matrix.
  buffer<Real> const& tau() const { return tau_; }
  /// Array of one T per panel, 32 × 32, column-major; zero where there is no reflector.
  buffer<Real> const& t() const { return t_; }
  /// Number of chains in all panels of all matrices together (reflectors.hpp): one per panel if no
  /// column lost its digits.
  std::uint32_t chains() const;
  /// Bytes besides the matrix.
  std::size_t bytes() const;

 private:
  std::size_t all_panels() const {
    return static_cast<std::size_t>(panels_) * static_cast<std::size_t>(batch_);
  }
  template <class Use>
  auto with_rows(Use&& use) const;
  /// Returns how many of a member's two parts lie inside the matrix (parts.hpp).
  int parts_in_matrix(bool aligned) const;
  /// Number of the parts outside the matrix, if each member keeps `in_matrix` of its two parts
  /// inside.
  std::size_t parts_beside(int in_matrix) const;

  device* machine_;
  watchdog dog_;
  watchdog_ref stopper_{};
  int panels_;
  int batch_;
  int threads_;
  std::int64_t rows_;
  std::int64_t cols_;
  team_shape shape_;
  buffer<Real> t_;
  buffer<Real> tau_;
  buffer<Real> parts_;
  buffer<work_real> tops_;
  buffer<std::uint32_t> words_;
};

}  // namespace gridloom::tiled_qr::panels
