#pragma once
// Tall matrices of at most 256 columns by sums over all columns at once: shifted CholeskyQR (Fukaya,
// Kannan, Nakatsukasa, Yamamoto and Yanagisawa, Shifted Cholesky QR for computing the QR factorization of
// ill-conditioned matrices, 2020), and reflectors made of the Q that it ends with (reconstruct_kernels.hpp).
//
// The rows hold B, at first A, and A = B P. A step computes BᵀB = RᵀR, and the rows become B R⁻¹:
//   gram_kernel         one pass reads the rows; up to 96 columns the pass before has the sums already
//   factor_kernel ...   small: R with and without a shift, R⁻¹, which one is good (cholesky_decision.hpp)
//   pass_rows_kernel    one pass reads and writes the rows
// A step is the last where B R⁻¹ is orthogonal as it comes. Its pass writes that where Q is wanted, else the
// reflectors that have it as Q. Columns that are nearly orthogonal, as those of a random tall matrix,
// take one step, 3 times the rows' bytes; each further step takes 3 more, up to 96 columns 2. In double,
// two are enough up to a condition of some 1e6, three up to 1e12, four beyond; triangles such as Kahan's
// take more. Columns are brought to lengths in [1, 2) by powers of two for each Gram matrix, so that
// graded columns cost nothing.
//
// Where the product B R⁻¹ would cost digits, the pass refines it (refined_rows.hpp). Two things are left
// to the chains of streamed_panels: what no triangle would do for, such as columns of zeros, and what they
// are expected to be quicker at (chain_forecast.hpp). They go over B as it is, and R is their R times P.
// Where Q is wanted it is formed of their reflectors (form_tall_q.hpp), in their place.
// Their sums have the memory of the Gram matrix's sums: no step follows them.
//
// S1. Launches follow each other, and each waits for the one before. Kernels after a step's decide_kernel read
//     its plan. That kernel tells the outcome, and the host launches the pass, or what else is next, while the
//     step's triangles are multiplied.
// S2. Items of a launch do not meet: none writes what another of the same launch reads.
// S3. Sums are added in an order that depends on the number of blocks alone, as U1 of gram_kernel.hpp.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "gridloom/device.hpp"
#include "tiled_qr/notice.hpp"
#include "tiled_qr/stream/streamed_panels.hpp"
#include "tiled_qr/tall/cholesky_memory.hpp"
#include "tiled_qr/tall/form_tall_q.hpp"
#include "tiled_qr/tall/gram_kernel.hpp"

namespace gridloom::tiled_qr {

struct tall_settings {
  /// That go over the rows; 0: one a multiprocessor.
  int blocks = 0;
  /// Whether a pass also sums what the next step needs, up to 96 columns. Results differ in rounding.
  bool sums_in_pass = true;
  /// Whether a step may leave what follows to chains because they are quicker.
  bool chooses = true;
  /// Whether Q and R are wanted instead of reflectors.
  bool forms_q = false;
};

/// Factorises matrices of one size on one device, one after another, as LAPACK's geqrf leaves them, and T of
/// each 32 columns, as streamed_panels. Where Q is asked for, it takes the matrix's place, as orgqr leaves it,
/// and R stands apart. The same input gives the same bits on as many blocks. Used by one thread.
template <class Real>
class cholesky_panels {
 public:
  /// Throws unsupported for more than 256 columns, for fewer rows than columns, and on a device whose
  /// blocks have less shared memory than those of compute capability 9.0.
  cholesky_panels(device& machine, std::int64_t rows, std::int64_t cols, tall_settings settings);

  /// Starts it in the device's stream, and waits for what the last step decides. The matrix has the size of
  /// the constructor.
  void run(panels::matrix_ref<Real> matrix);

  /// One a column, with zeros up to a multiple of 32.
  buffer<Real> const& tau() const { return tau_; }
  /// T of each 32 columns.
  buffer<Real> const& t() const { return t_; }
  /// Where Q was asked for: n × n, column-major, zeros below. Its diagonal is positive where steps did all.
  buffer<Real> const& r() const { return r_; }
  /// Of the last run: steps whose triangle is part of R.
  int steps() const { return steps_; }
  /// Of the last run: chains of all panels where they did the rest, else 0.
  std::uint32_t chains() const { return chains_; }
  int blocks() const { return blocks_; }
  kernel_facts facts() const;
  /// Beside the matrix and R.
  std::size_t bytes() const;

 private:
  /// An item a block on a GPU, and as many workers as there are on the host.
  template <class Kernel>
  void launch(int items, Kernel const& kernel);
  /// Up to the triangle; what it decides.
  tall_outcome begin_step(cholesky_scene<Real> const& scene);
  /// The pass, and before the last one the reflectors.
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
  /// Of a pass, whoever makes it.
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
