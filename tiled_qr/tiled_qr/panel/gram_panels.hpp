#pragma once
// Host side of the factorisation by resident teams (factor_kernel.hpp).

#include <cstdint>

#include "gridloom/watchdog.hpp"
#include "tiled_qr/panel/factor_kernel.hpp"

namespace gridloom::tiled_qr::panels {

/// How the blocks of a launch are dealt out.
struct team_shape {
  /// Matrices that are worked on at once, each by so many teams.
  int matrices;
  int teams;
  int members;
  /// Of a panel that a block can hold: 64, 128, 256, and on the host 4096.
  int rows;
};

/// Teams for `batch` matrices of `rows` × `cols` on at most `blocks` resident blocks: for many
/// matrices each has as few blocks as can hold a panel. A matrix that shares its blocks with a later
/// one has one team (R5 of team.hpp). `members` of a team, 0: chosen. Throws unsupported if all blocks
/// together cannot hold a panel, usage_error if so many members cannot, or some would have no rows.
team_shape choose_teams(bool host, std::int64_t rows, std::int64_t cols, int blocks,
                        std::int64_t batch = 1, int members = 0);

struct panel_settings {
  /// 0: as many as the device holds at once.
  int blocks = 0;
  /// Of a block; no effect on the host.
  int threads = 256;
  /// Blocks of a team; 0: chosen, on the host one.
  int members = 0;
  double timeout_s = 60;
  /// Matrices of a run.
  std::int64_t batch = 1;
};

/// Factorises matrices of one size on one device, one batch after another: Householder QR as
/// LAPACK's geqrf leaves it, R on and above the diagonal, reflectors below, factors tau; T of each
/// 32 columns, too. Real is float or double; float is computed in double. Squares of columns'
/// lengths are taken, and their reciprocals, which must be normal numbers of double: a column may
/// be 6e153 long at most, and one shorter than 1e-140 counts as zero (`least_norm` says why). No
/// matrix of float comes near that. The same input gives the same bits in every run with as many
/// members a team, however many teams there are.
template <class Real>
class gram_panels {
 public:
  /// Throws unsupported if the blocks cannot hold a panel.
  gram_panels(device& machine, std::int64_t rows, std::int64_t cols, panel_settings settings);

  team_shape const& shape() const { return shape_; }
  int blocks() const { return shape_.matrices * shape_.teams * shape_.members; }
  int panels() const { return panels_; }
  /// Of the kernel.
  kernel_facts facts() const;

  /// Before every run, as part of it: words to zero, the watchdog to its start. Queued in the stream.
  void reset();
  /// Starts it in the device's stream. The matrix has the size of the constructor; those of a batch
  /// follow it `stride` entries apart. A matrix of float whose columns do not all begin at a multiple
  /// of 8 bytes makes the first such run take more memory.
  void run(matrix_ref<Real> matrix, std::int64_t stride = 0);
  /// Throws timeout_error if the last run was stopped.
  void require_done();

  /// One a column, with zeros up to a multiple of 32; matrix after matrix.
  buffer<Real> const& tau() const { return tau_; }
  /// 32 × 32 a panel, column after column; zero where there is no reflector.
  buffer<Real> const& t() const { return t_; }
  /// Chains of reflectors in all panels of all matrices together (reflectors.hpp): as many as
  /// panels if no column lost its digits.
  std::uint32_t chains() const;
  /// Beside the matrix.
  std::size_t bytes() const;

 private:
  std::size_t all_panels() const {
    return static_cast<std::size_t>(panels_) * static_cast<std::size_t>(batch_);
  }
  template <class Use>
  auto with_rows(Use&& use) const;
  /// How many of two parts of products a member leaves in the matrix.
  int parts_in_matrix(bool aligned) const;
  /// Parts beside the matrix where each member has so many of two in it.
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
