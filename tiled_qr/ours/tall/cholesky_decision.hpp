#pragma once
// Decides which triangle R a step takes, and whether the step is the last. The step replaces the
// rows B by B R⁻¹, which may have two faults:
//
// CD.R1. B R⁻¹ is not orthogonal. The error is R⁻ᵀ E R⁻¹, where E are the Gram matrix's rounding
//     errors: some units in the last place, for columns of length 1. So the squared 2-norm of R⁻¹
//     bounds the loss. It is at most the product of R⁻¹'s 1-norm and its infinity norm, which is
//     what the kernel computes. A step is the last if this bound is below the error that results
//     may have. Up to a bound of 1e14 the next step starts from nearly orthogonal columns. Beyond
//     it, only a shifted triangle helps.
// CD.R2. B R⁻¹ times R is not B. With unit roundoff u, the product's rounding errors are u |B|
//     |R⁻¹|. Multiplied by R they become u |Q| |R| |R⁻¹| |R|. They are small if R's rows shrink as
//     B's singular values do. They are large for triangles such as those of Kahan's and Hilbert's
//     matrices. Columns of Q have length 1, and columns of B have lengths in [1, 2). So the column
//     sums of |R| |R⁻¹| |R| bound each column's error, and the largest sum is the growth. (Row sums
//     would spread the error of one column over all columns.) If the growth is large, the product
//     is refined (pass_rows_kernel.hpp), which leaves errors of u² |Q| |R| (|R⁻¹| |R|)². R is
//     refused if these are still large. Both bounds need an R⁻¹ whose rows have only their own
//     rounding errors (invert_kernel). A last step is not refined, because its R is so
//     well-conditioned that the growth is small. If the growth were large, one more step would
//     follow.
//
// CD.R3. If a step is not the last, chains of reflectors over the present B may be faster than this
//     step and the following ones. Both costs are estimated from the triangles alone
//     (chain_forecast.hpp), so the decision depends only on the input. Triangles such as Kahan's
//     need many steps and few chains, since rounding does not reduce their condition. Hilbert's
//     matrix needs many chains and few steps. A matrix that a step has made well-conditioned needs
//     one chain per panel. A third step with a shift is never taken.

#include <limits>

#include "gridloom/collectives.hpp"
#include "gridloom/notice.hpp"
#include "ours/panel/products.hpp"
#include "ours/tall/chain_forecast.hpp"
#include "ours/tall/cholesky_memory.hpp"

namespace gridloom::tiled_qr {

/// Largest number of steps. A shifted step divides the condition by a million. In most matrices
/// rounding limits the condition to 1e16, which takes four steps. Some triangles keep a larger
/// condition. Kahan's of 256 columns takes eight steps, which CD.R3 leaves to chains.
inline constexpr int most_steps = 8;

/// CD.R1: the largest loss in the last step, and the largest in a step without a shift.
template <class Real>
inline constexpr work_real most_loss_of_last = sizeof(Real) == sizeof(double) ? 16 : 1e8;
inline constexpr work_real most_loss = 1e14;
inline constexpr work_real no_triangle = std::numeric_limits<work_real>::infinity();

/// CD.R2: the allowed growth, in units of the matrix's own precision. The check of results allows
/// 30 units times the number of rows, relative to the longest column. For some hundred matrices of
/// 40 to 1,600 rows, errors of plain steps were at most a quarter of the growth. For matrices from
/// a search, they nearly reached the growth in each of three steps. Errors of refined steps were
/// below 4 units. Matrices of conditions up to 1e16 have a growth of some thousands, or 25,000 with
/// 256 columns.
inline constexpr std::int64_t growth_of_a_row = 4;
inline constexpr std::int64_t most_growth_of_all = 1 << 16;
template <class Real>
inline constexpr work_real units_of_work =
    std::numeric_limits<Real>::epsilon() / std::numeric_limits<work_real>::epsilon();
template <class Real>
GRIDLOOM_FN work_real most_growth(std::int64_t rows) {
  std::int64_t const most = growth_of_a_row * rows;
  return work_real(most < most_growth_of_all ? most : most_growth_of_all) * units_of_work<Real>;
}
inline constexpr work_real unit_roundoff = std::numeric_limits<work_real>::epsilon() / 2;

/// One block decides, and sends the outcome to the host.
template <class Real>
struct decide_kernel {
  static constexpr bool persistent = false;
  static constexpr bool overlaps_previous = true;
  static constexpr int max_threads = tall_threads;

  struct scratch {
    work_real from[most_tall_cols];
    work_real to[most_tall_cols];
    bool is_none[most_tall_cols];
  };

  cholesky_scene<Real> scene;
  notice outcome;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    block.wait_for_previous_launch();
    if (block.index() != 0) return;
    tall_plan plan{tall_outcome::to_chains, 0, false};
    work_real loss_without_shift = no_triangle;
    if (all(block, shared, [&](std::int64_t col) { return scene.has_length(col); })) {
      GRIDLOOM_NO_UNROLL
      for (int variant = 0; variant < variants; ++variant) {
        auto const [loss, is_refined, is_refused] = judge(block, variant, shared);
        if (variant == 0) loss_without_shift = loss;
        if (is_refused) continue;
        bool const is_last = variant == 0 && loss <= most_loss_of_last<Real> && !is_refined;
        if (!is_last && scene.step + 1 == most_steps) break;
        plan = {is_last ? tall_outcome::last : tall_outcome::going, variant, is_refined};
        break;
      }
    }
    if (scene.chooses && plan.outcome == tall_outcome::going &&
        chains_are_quicker(plan, loss_without_shift < no_triangle))
      plan = {tall_outcome::to_chains, 0, false};
    block.sync();
    if (block.thread_rank() != 0) return;
    *scene.memory.plan = plan;
    outcome.tell(static_cast<int>(plan.outcome));
  }

 private:
  /// CD.R3. Whether chains are expected to be faster than further steps.
  GRIDLOOM_FN bool chains_are_quicker(tall_plan const& plan, bool goes_without_shift) const {
    if (plan.variant != 0 && scene.step >= most_shifted_steps) return true;
    int const variant = goes_without_shift ? 0 : plan.variant;
    work_real chains = 0;
    for (int panel = 0; panel < scene.panels(); ++panel)
      chains += scene.memory.chains[variant * scene.panels() + panel];
    if (scene.forms_q) chains += step_costs::forming * step_costs::plain(scene.panels());
    return chains < cost_of_steps<Real>(plan, scene.panels());
  }

  /// Whether a predicate holds for all columns of the matrix. All member functions from here on
  /// begin and end with a barrier.
  template <class Block, class Predicate>
  GRIDLOOM_FN bool all(Block const& block, scratch& shared, Predicate const& is_so) const {
    block.sync();
    for (std::int64_t c = block.thread_rank(); c < scene.n(); c += block.num_threads())
      shared.is_none[c] = !is_so(c);
    block.sync();
    auto const warp = block.warp();
    bool is_none = false;
    for (std::int64_t c = warp.thread_rank(); c < scene.n(); c += warp.num_threads())
      is_none = is_none || shared.is_none[c];
    bool const result = !warp.any(is_none);
    block.sync();
    return result;
  }

  struct judgement {
    work_real loss;
    bool is_refined;
    bool is_refused;
  };

  /// CD.R1 and CD.R2. Computes column sums of |R⁻¹|, of |R| |R⁻¹| |R| and, if these are large, of
  /// |R| (|R⁻¹| |R|)². One loop computes all products: more code would take longer, because
  /// instructions that run only once must be loaded first.
  template <class Block>
  GRIDLOOM_FN judgement judge(Block const& block, int variant, scratch& shared) const {
    auto const& memory = scene.memory;
    bool const there = all(block, shared, [&](std::int64_t col) {
      int const panel = static_cast<int>(col / panel_width);
      std::int64_t const at = col % panel_width;
      return memory.triangles[scene.of_pair(variant, {panel, panel}) +
                              static_cast<std::size_t>(at * panel_width + at)] > 0;
    });
    judgement result{no_triangle, false, true};
    if (!there) return result;
    std::size_t const taken = scene.of_pair(variant, block_pair{0, 0});
    int const size = scene.panels() * panel_width;
    work_real const most = most_growth<Real>(scene.matrix.rows);
    GRIDLOOM_NO_UNROLL
    for (int factor = 0; factor < 6; ++factor) {
      bool const is_inverse = factor % 2 == 0;
      for (int r = block.thread_rank(); r < size; r += block.num_threads()) {
        work_real const before = factor < 2 ? 1 : shared.to[r];
        shared.from[r] = is_inverse ? before * scene.length(r) : before;
      }
      multiply(block, shared.from, (is_inverse ? memory.inverses : memory.triangles) + taken,
               shared.to);
      if (is_inverse && factor != 0) continue;
      work_real const sum = largest(block, shared.to);
      if (factor == 0) {
        work_real const of_row =
            largest(block, memory.row_sums + variant * scene.panels() * panel_width);
        result.loss = of_row * sum;
        if (!(result.loss <= (variant == 0 ? most_loss : 1e300))) break;
      } else if (factor == 3 && sum <= most) {
        result.is_refused = false;
        break;
      } else if (factor == 5) {
        result.is_refined = true;
        result.is_refused = !(sum * unit_roundoff <= most);
      }
    }
    return result;
  }

  /// Multiplies a row by the absolute values of a triangle.
  template <class Block>
  GRIDLOOM_FN void multiply(Block const& block, work_real const* from, work_real const* triangle,
                            work_real* to) const {
    block.sync();
    for (int c = block.thread_rank(); c < scene.panels() * panel_width; c += block.num_threads()) {
      int const j = c / panel_width;
      work_real sum = 0;
      for (int i = 0; i <= j; ++i) {
        work_real const* const column =
            triangle + scene.of_pair(block_pair{i, j}) + c % panel_width;
        GRIDLOOM_UNROLL
        for (int row = 0; row < panel_width; ++row)
          sum += from[i * panel_width + row] * std::abs(column[row * panel_width]);
      }
      to[c] = sum;
    }
    block.sync();
  }
  /// Returns the largest entry, which each warp computes. NaN counts as infinite.
  template <class Block>
  GRIDLOOM_FN work_real largest(Block const& block, work_real const* of) const {
    auto const warp = block.warp();
    collective_scratch<work_real, 1> unused;
    work_real result = 0;
    for (std::int64_t r = warp.thread_rank(); r < scene.n(); r += warp.num_threads())
      result = maximum_of{}(result, of[r] <= no_triangle ? of[r] : no_triangle);
    return reduce(warp, unused, result, maximum_of{});
  }
};

}  // namespace gridloom::tiled_qr
