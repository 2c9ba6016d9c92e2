#pragma once
// The kernels that make a step's triangle. They compute Cholesky's factorisation of the scaled Gram
// matrix with each of the shifts. They also compute the inverse, and the number of chains that the
// panels would take. All matrices are cut into squares of 32 × 32. An item is one of these squares,
// or a row of them. Each item that needs a factorised square factorises it itself, which is faster
// than waiting for another block.

#include "gridloom/reciprocal.hpp"
#include "ours/panel/products.hpp"
#include "ours/panel/reflectors.hpp"
#include "ours/tall/chain_forecast.hpp"
#include "ours/tall/cholesky_memory.hpp"

namespace gridloom::tiled_qr {

/// Does what factor_square does, for blocks with `warp_rows::is_even()`. The matrix stays in
/// registers. The next row is written to `a`, where it is final except for its factor; its copy in
/// registers is not used again. So a column costs one barrier.
template <class Block>
GRIDLOOM_FN bool factor_in_registers(Block const& block, square<work_real>& a,
                                     work_real (&over)[panel_width]) {
  panels::warp_rows const rows(block);
  int const lane = block.warp().thread_rank();
  work_real entries[rows.at_once];
  block.sync();
  GRIDLOOM_UNROLL
  for (int v = 0; v < rows.at_once; ++v) entries[v] = a(rows.row(v), lane);
  for (int c = 0; c < panel_width; ++c) {
    work_real const pivot = a(c, c);
    if (!(pivot > 0)) {
      block.sync();
      return false;
    }
    work_real const factor = a(c, lane) * reciprocal<work_real>(pivot).value();
    GRIDLOOM_UNROLL
    for (int v = 0; v < rows.at_once; ++v) {
      entries[v] -= a(c, rows.row(v)) * factor;
      if (rows.row(v) == c + 1) a(c + 1, lane) = entries[v];
    }
    block.sync();
  }
  work_real const root = reciprocal_root(a(lane, lane));
  if (rows.first() == 0) over[lane] = root;
  block.sync();
  GRIDLOOM_UNROLL
  for (int v = 0; v < rows.at_once; ++v) {
    int const row = rows.row(v);
    a(row, lane) = lane >= row ? a(row, lane) * over[row] : 0;
  }
  block.sync();
  return true;
}

/// Factorises a = RᵀR in place: R lies on and above the diagonal. `over` gets the reciprocals of
/// R's diagonal. Returns false if a pivot is not positive; CD.R1 then refuses the triangle. Begins
/// and ends with a barrier.
template <class Block>
GRIDLOOM_FN bool factor_square(Block const& block, square<work_real>& a,
                               work_real (&over)[panel_width]) {
  if (panels::warp_rows(block).is_even()) return factor_in_registers(block, a, over);
  for (int c = 0; c < panel_width; ++c) {
    block.sync();
    work_real const pivot = a(c, c);
    if (!(pivot > 0)) {
      block.sync();
      return false;
    }
    work_real const over_pivot = reciprocal<work_real>(pivot).value();
    for_square(block, [&](int row, int col) {
      if (row > c && col >= row) a(row, col) -= a(c, row) * (a(c, col) * over_pivot);
    });
  }
  block.sync();
  for (int c = block.thread_rank(); c < panel_width; c += block.num_threads())
    over[c] = reciprocal_root(a(c, c));
  block.sync();
  for_square(block,
             [&](int row, int col) { a(row, col) = col >= row ? a(row, col) * over[row] : 0; });
  block.sync();
  return true;
}

/// Step k of Cholesky's factorisation. An item is a variant and a square (i, j) of the upper
/// triangle, from row k of squares on. Row k becomes a row of the triangle, and its product is
/// subtracted from the other rows.
template <class Real>
struct factor_kernel {
  static constexpr bool persistent = false;
  static constexpr bool overlaps_previous = true;
  static constexpr int max_threads = tall_threads;

  /// The squares that an item uses.
  enum part : int { pivot, right, left, own, parts };

  struct scratch {
    /// Indexed by `part`; right and left are transposed.
    square<work_real> squares[parts];
    square<work_real> solved;
    work_real over[panel_width];
  };

  cholesky_scene<Real> scene;
  int k;

  GRIDLOOM_FN int items_per_variant() const {
    int const rest = scene.panels() - k;
    return rest * (rest + 1) / 2;
  }
  GRIDLOOM_FN int items() const { return variants * items_per_variant(); }

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    block.wait_for_previous_launch();
    for (int item = block.index(); item < items(); item += block.count()) {
      block_pair const at = block_pair::of(item % items_per_variant());
      take(block, item / items_per_variant(), {at.i + k, at.j + k}, shared);
      block.sync();
    }
  }

 private:
  template <class Block>
  GRIDLOOM_FN void take(Block const& block, int variant, block_pair at, scratch& shared) const {
    auto const& memory = scene.memory;
    auto& squares = shared.squares;
    bool const is_row = at.i == k;
    bool const is_diagonal = at.j == k;
    int const sides = is_row || at.i == at.j ? 1 : 2;
    work_real* const to_triangle = memory.triangles + scene.of_pair(variant, at);
    load(block, variant, {k, k}, false, squares[pivot]);
    if (is_diagonal)
      panels::set_identity(block, squares[right]);
    else
      for_parts(at, sides, [&](int number, block_pair pair) {
        load(block, variant, pair, number != own, squares[number]);
      });
    if (!factor_square(block, squares[pivot], shared.over)) {
      // Zeros on the diagonal mark a failed factorisation.
      if (is_diagonal)
        for_square(block, [&](int row, int col) { to_triangle[row * panel_width + col] = 0; });
      return;
    }
    // Solves R_kkᵀ R_kj = G_kj by rows of the transposes. With the identity as right side, the
    // result is the diagonal square's inverse.
    GRIDLOOM_NO_UNROLL
    for (int side = 0; side < sides; ++side) {
      panels::solve_rows(
          block, squares[pivot], [&](int c) { return shared.over[c]; }, 0, panel_width,
          squares[right + side], shared.solved);
      transpose(block, shared.solved, squares[right + side]);
      block.sync();
    }
    if (is_diagonal)
      store_square(block, shared.solved, memory.diagonal_inverses + scene.of_diagonal(variant, k));
    if (is_row) {
      store_square(block, squares[is_diagonal ? pivot : right], to_triangle);
      return;
    }
    panels::transposed_product(block, squares[right + sides - 1], squares[right], shared.solved);
    block.sync();
    work_real* const to = memory.grams + scene.of_pair(variant, at);
    for_square(block, [&](int row, int col) {
      to[row * panel_width + col] = squares[own](row, col) - shared.solved(row, col);
    });
  }

  /// Calls f(part, place) for the squares other than the pivot. The loop is not unrolled, for the
  /// reason in substitution.hpp.
  template <class Function>
  GRIDLOOM_FN void for_parts(block_pair at, int sides, Function const& f) const {
    GRIDLOOM_NO_UNROLL
    for (int number = right; number < parts; ++number) {
      if (number == left ? sides < 2 : number == own && at.i == k) continue;
      f(number, {number == own ? at.i : k, number == left ? at.i : at.j});
    }
  }

  template <class Block>
  GRIDLOOM_NOINLINE GRIDLOOM_FN void load(Block const& block, int variant, block_pair at,
                                          bool transposed, square<work_real>& to) const {
    auto const put = [&](int row, int col, work_real value) {
      to(transposed ? col : row, transposed ? row : col) = value;
    };
    if (k > 0) {
      work_real const* const from = scene.memory.grams + scene.of_pair(variant, at);
      for_square(block, [&](int row, int col) { put(row, col, from[row * panel_width + col]); });
      return;
    }
    // In the first step, items scale and shift what they read.
    work_real const shift = shift_of(variant, scene.n());
    for_square(block, [&](int col, int row) {
      std::int64_t const low = at.i * panel_width + row;
      std::int64_t const high = at.j * panel_width + col;
      work_real value = work_real(low == high);
      if (low < scene.n() && high < scene.n()) {
        std::int64_t const above = low < high ? low : high;
        value = scene.product(above, low < high ? high : low) * scene.scale(low);
        value = value * scene.scale(high) + (low == high ? shift : 0);
      }
      put(row, col, value);
    });
  }
};

/// The triangles' inverses X. Each row is computed by substitution, so that X R = I up to rounding
/// errors of |X| |R|, on which CD.R2 relies. (By columns, R X would have such errors, and X R
/// errors of |X| |R| |X| |R|.) An item is a variant and a row panel i. It solves X_ij R_jj = -(the
/// sum of X_ik R_kj over i <= k < j), from the diagonal to the right. Rows are scaled as B's
/// columns were. The other half of the items counts the chains of the panels.
template <class Real>
struct invert_kernel {
  static constexpr bool persistent = false;
  static constexpr bool overlaps_previous = true;
  static constexpr int max_threads = tall_threads;

  struct scratch {
    /// The squares of X that are known, transposed.
    square<work_real> found[most_panels];
    square<work_real> right;
    square<work_real> work;
    square<work_real> product;
    work_real over[panel_width];
    forecast_scratch forecast;
  };

  cholesky_scene<Real> scene;

  GRIDLOOM_FN int inverses() const { return variants * scene.panels(); }
  GRIDLOOM_FN int items() const { return 2 * inverses(); }

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    block.wait_for_previous_launch();
    for (int item = block.index(); item < items(); item += block.count()) {
      int const panel = item % scene.panels();
      if (item < inverses())
        take(block, item / scene.panels(), panel, shared);
      else
        count(block, item / scene.panels() - variants, panel, shared.forecast);
      block.sync();
    }
  }

 private:
  template <class Block>
  GRIDLOOM_FN void count(Block const& block, int variant, int panel,
                         forecast_scratch& shared) const {
    panels::load_square(block,
                        scene.memory.triangles + scene.of_pair(variant, block_pair{panel, panel}),
                        shared.triangle);
    work_real const chains =
        count_chains(block, panels::least_length(scene.matrix.rows, scene.matrix.cols), shared);
    if (block.thread_rank() != 0) return;
    int const hidden = hidden_columns(shared.triangle, shift_of(variant, scene.n()));
    scene.memory.chains[variant * scene.panels() + panel] = chains + chains * hidden / panel_width;
  }

  template <class Block>
  GRIDLOOM_FN void take(Block const& block, int variant, int i, scratch& shared) const {
    auto const& memory = scene.memory;
    load_transposed(block, memory.diagonal_inverses + scene.of_diagonal(variant, i),
                    shared.found[i]);
    for (int j = i + 1; j < scene.panels(); ++j) {
      for_square(block, [&](int row, int col) { shared.work(row, col) = 0; });
      for (int k = i; k <= j; ++k) {
        block.sync();
        panels::load_square(block, memory.triangles + scene.of_pair(variant, {k, j}), shared.right);
        block.sync();
        if (k == j) break;
        panels::transposed_product(block, shared.found[k], shared.right, shared.product);
        block.sync();
        add_square(block, -1, shared.product, shared.work);
      }
      for (int c = block.thread_rank(); c < panel_width; c += block.num_threads())
        shared.over[c] = 1 / shared.right(c, c);
      panels::solve_rows(
          block, shared.right, [&](int c) { return shared.over[c]; }, 0, panel_width, shared.work,
          shared.product);
      transpose(block, shared.product, shared.found[j]);
    }
    block.sync();
    for (int row = block.thread_rank(); row < panel_width; row += block.num_threads()) {
      work_real sum = 0;
      for (int col = i * panel_width; col < scene.panels() * panel_width; ++col) {
        work_real const entry = shared.found[col / panel_width](col % panel_width, row);
        sum += std::abs(entry);
      }
      memory.row_sums[(variant * scene.panels() + i) * panel_width + row] = sum;
    }
    for (int j = i; j < scene.panels(); ++j)
      for_square(block, [&](int row, int col) {
        memory.inverses[scene.of_pair(variant, {i, j}) + row * panel_width + col] =
            shared.found[j](col, row) * scene.scale(std::int64_t{i} * panel_width + row);
      });
  }
};

}  // namespace gridloom::tiled_qr
