#pragma once
// Tall matrices of at most 256 columns by sums over all columns at once: shifted CholeskyQR, then
// reflectors made from its Q (reconstruct_kernels.hpp). (Fukaya, Kannan, Nakatsukasa, Yamamoto and
// Yanagisawa, Shifted Cholesky QR for computing the QR factorization of ill-conditioned matrices,
// 2020.)
//
// The rows hold B, at first A, and A = B P. A step computes BᵀB = RᵀR, and the rows become B R⁻¹:
//   gram_kernel         one pass reads the rows; up to 96 columns the last pass has made the sums
//   factor_kernel ...   small: R with and without a shift, R⁻¹, the choice (cholesky_decision.hpp)
//   pass_rows_kernel    one pass reads and writes the rows
// A step is the last where B R⁻¹ is orthogonal at once. Its pass writes B R⁻¹ where Q is wanted,
// otherwise the reflectors of this Q. Columns that are nearly orthogonal, as in a random tall
// matrix, take one step, which moves 3 times the rows' bytes. Each further step moves 3 times as
// much again, up to 96 columns 2 times. In double two steps are enough up to a condition of some
// 1e6, three up to 1e12, four beyond; triangles such as Kahan's take more. For each Gram matrix,
// columns are brought to lengths in [1, 2) by powers of two, so that graded columns cost nothing.
//
// Where the product B R⁻¹ would lose digits, the pass refines it (refined_rows.hpp). Two cases are
// left to the chains of streamed_panels: no triangle is good enough, as with columns of zeros, or
// chains are expected to be faster (chain_forecast.hpp). They go over B as it is, and R is their R
// times P. Where Q is wanted it is formed from their reflectors, in their place (form_tall_q.hpp).
// Their sums use the memory of the Gram matrix's sums, because no step follows them.
//
// CP.R1. Launches follow each other, and each waits for the previous one. Kernels after a step's
//     decide_kernel read its plan. That kernel tells the outcome, and the host launches the pass,
//     or what else is next, while the step's triangles are multiplied.
// CP.R2. Items of a launch do not meet: none writes what another of the same launch reads.
// CP.R3. Sums are added in an order that depends only on the number of blocks, as in GK.R1.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "gridloom/device.hpp"
#include "ours/notice.hpp"
#include "ours/stream/streamed_panels.hpp"
#include "ours/tall/cholesky_memory.hpp"
#include "ours/tall/form_tall_q.hpp"
#include "ours/tall/gram_kernel.hpp"

namespace gridloom::tiled_qr {

struct tall_settings {
  /// Blocks that go over the rows; 0: one per multiprocessor.
  int blocks = 0;
  /// Whether a pass also computes the sums of the next step, up to 96 columns. Results differ in
  /// rounding.
  bool sums_in_pass = true;
  /// Whether a step may leave the rest to chains because they are faster.
  bool chooses = true;
  /// Whether Q and R are wanted instead of reflectors.
  bool forms_q = false;
};

/// Factorises matrices of one size on one device, one after another, as LAPACK's geqrf leaves them,
/// with T of each 32 columns, as streamed_panels does. If Q is asked for, it takes the matrix's
/// place, as orgqr leaves it, and R stands apart. The same input on the same number of blocks gives
/// the same bits. Used by one thread.
template <class Real>
class cholesky_panels {
 public:
  /// Throws unsupported for more than 256 columns, for fewer rows than columns, and on a device
  /// whose blocks have less shared memory than with compute capability 9.0.
  cholesky_panels(device& machine, std::int64_t rows, std::int64_t cols, tall_settings settings);

  /// Starts a run in the device's stream, and waits for the decision of the last step. The matrix
  /// has the constructor's size.
  void run(panels::matrix_ref<Real> matrix);

  /// One factor per column, with zeros up to a multiple of 32.
  buffer<Real> const& tau() const { return tau_; }
  /// T of each 32 columns.
  buffer<Real> const& t() const { return t_; }
  /// If Q was asked for: n × n, column-major, zeros below. Its diagonal is positive if no chains
  /// were used.
  buffer<Real> const& r() const { return r_; }
  /// Steps of the last run whose triangle is part of R.
  int steps() const { return steps_; }
  /// Chains of all panels in the last run; 0 if steps did everything.
  std::uint32_t chains() const { return chains_; }
  int blocks() const { return blocks_; }
  kernel_facts facts() const;
  /// Bytes beside the matrix and R.
  std::size_t bytes() const;

 private:
  /// One item per block on a GPU; on the host as many workers as there are blocks.
  template <class Kernel>
  void launch(int items, Kernel const& kernel);
  /// The first half of a step, until the triangle is made; returns the decision.
  tall_outcome begin_step(cholesky_scene<Real> const& scene);
  /// The pass; before the last pass, also the reflectors.
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
  /// Squares of a pass's sums, for steps or chains.
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
