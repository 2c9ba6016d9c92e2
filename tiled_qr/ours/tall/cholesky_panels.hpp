#pragma once
// Factorises tall matrices of at most 256 columns with sums over all columns at once: shifted
// CholeskyQR, then reflectors from its Q (reconstruct_kernels.hpp). (Fukaya, Kannan, Nakatsukasa,
// Yamamoto and Yanagisawa, Shifted Cholesky QR for computing the QR factorization of
// ill-conditioned matrices, 2020.)
//
// The rows hold a matrix B, which is A at first, and A = B P for a small triangle P. A step finds R
// with BᵀB = RᵀR, and replaces the rows by B R⁻¹ and P by R P:
//   gram_kernel         One pass reads the rows and sums BᵀB. Up to 96 columns, the previous step's
//                       pass has made the sums already.
//   factor_kernel ...   Small matrices: R with and without a shift, R⁻¹, and the choice among them
//                       (cholesky_decision.hpp).
//   pass_rows_kernel    One pass reads and writes the rows.
// A step is the last if its B R⁻¹ is orthogonal. Then its pass writes Q = B R⁻¹ if Q is wanted, and
// otherwise the reflectors of this Q. Columns that are nearly orthogonal, as in a random tall
// matrix, take one step, which moves 3 times the rows' bytes. Each further step moves another 3
// times, or 2 times for up to 96 columns. In double, two steps are enough up to a condition of
// about 1e6, three up to 1e12, and four beyond. Triangles such as Kahan's take more. Before each
// Gram matrix, columns are scaled to lengths in [1, 2) by powers of two, so that graded columns
// need no further steps.
//
// If the product B R⁻¹ would lose digits, the pass refines it (pass_rows_kernel.hpp). The chains of
// streamed_panels take over if no triangle is good enough, as with columns of zeros. They also take
// over if they are expected to be faster (chain_forecast.hpp). The chains go over the present B,
// and R is the chains' R times P. If Q is wanted, it replaces their reflectors (form_tall_q.hpp).
// The chains' sums use the memory of the Gram matrix's sums, because no step follows.
//
// CP.R1. Launches follow each other, and each waits for the previous one. Kernels after a step's
//     decide_kernel read its plan. That kernel sends the outcome, and the host launches the pass or
//     the chains while the step's triangles are multiplied.
// CP.R2. Items of a launch do not synchronise: none writes what another of the same launch reads.
// CP.R3. Sums are added in an order that depends only on the number of blocks, as in GK.R1.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "gridloom/device.hpp"
#include "gridloom/notice.hpp"
#include "ours/stream/streamed_panels.hpp"
#include "ours/tall/cholesky_memory.hpp"
#include "ours/tall/form_tall_q.hpp"
#include "ours/tall/gram_kernel.hpp"

namespace gridloom::tiled_qr {

struct tall_settings {
  /// Number of blocks that go over the rows; 0: one per multiprocessor.
  int blocks = 0;
  /// Whether a pass also computes the next step's sums, for up to 96 columns. The choice changes
  /// the rounding of results.
  bool sums_in_pass = true;
  /// Whether a step may leave the rest to chains because they are faster.
  bool chooses = true;
  /// Whether Q and R are wanted instead of reflectors.
  bool forms_q = false;
};

/// Factorises matrices of one size on one device, one after another. Like streamed_panels, it
/// leaves what LAPACK's geqrf leaves, and T of each 32 columns. If Q is wanted, Q replaces the
/// matrix, as orgqr leaves it, and R is stored elsewhere. The same input on the same number of
/// blocks gives the same bits. Used by one thread.
template <class Real>
class cholesky_panels {
 public:
  /// Throws unsupported for more than 256 columns, and for fewer rows than columns. Also throws it
  /// on a device whose blocks have less shared memory than compute capability 9.0 gives.
  cholesky_panels(device& machine, std::int64_t rows, std::int64_t cols, tall_settings settings);

  /// Starts a run in the device's stream, and waits for the decision of the last step. The matrix
  /// has the size that the constructor got.
  void run(panels::matrix_ref<Real> matrix);

  /// Array of one factor per column, with zeros up to a multiple of 32.
  buffer<Real> const& tau() const { return tau_; }
  /// Array of one T per panel, 32 × 32, column-major.
  buffer<Real> const& t() const { return t_; }
  /// R, if Q was wanted: n × n, column-major, with zeros below the diagonal. Its diagonal is
  /// positive if no chains were used.
  buffer<Real> const& r() const { return r_; }
  /// Number of steps of the last run that contributed a triangle to R.
  int steps() const { return steps_; }
  /// Number of chains of all panels in the last run; 0 if steps did all the work.
  std::uint32_t chains() const { return chains_; }
  int blocks() const { return blocks_; }
  kernel_facts facts() const;
  /// Bytes besides the matrix and R.
  std::size_t bytes() const;

 private:
  /// Launches one block per item on a GPU, and `blocks_` workers on the host.
  template <class Kernel>
  void launch(int items, Kernel const& kernel);
  /// First half of a step: makes the triangle, and returns the decision.
  tall_outcome begin_step(cholesky_scene<Real> const& scene);
  /// Second half of a step: makes the pass. Before the last pass, computes the small factors of the
  /// reflectors.
  void end_step(cholesky_scene<Real> const& scene, tall_outcome outcome);
  void put_reflectors(cholesky_scene<Real> const& scene);
  void run_chains(cholesky_scene<Real> const& scene);
  cholesky_memory memory() const;

  device* machine_;
  int blocks_;
  tall_shape shape_;
  gram_shares shares_;
  bool sums_in_pass_;
  bool chooses_;
  bool forms_q_;
  /// Partial sums of a pass, in squares, for steps or chains.
  buffer<work_real> partials_;
  panels::streamed_panels<Real> chains_of_;
  buffer<tall_plan> plan_;
  notice_board board_;
  buffer<work_real> small_;
  buffer<Real> t_;
  buffer<Real> tau_;
  buffer<Real> r_;
  std::optional<tall_q_former<Real>> former_;
  int steps_ = 0;
  std::uint32_t chains_ = 0;
};

}  // namespace gridloom::tiled_qr
