#pragma once
// The kernels between two passes. They add up the sums of all blocks, and make the chain from the
// result.
//
// Columns to the right of the panel are treated like the panel's own. A column's products with the
// panel, and its entries beside the panel's top square, determine R's entries in the column. They
// also determine the multiple of each reflector that is subtracted from it. So the next pass
// updates all columns, and no column is read only for a sum.

#include "gridloom/notice.hpp"
#include "ours/panel/reflectors.hpp"
#include "ours/stream/memory.hpp"

namespace gridloom::tiled_qr::panels {

/// Adds up the partial sums of the last pass. An item is `entries` entries of a slot; the threads
/// of a block also share the partial sums of an entry.
template <class Real>
struct sum_kernel {
  static constexpr bool persistent = false;
  static constexpr bool overlaps_previous = true;
  static constexpr int max_threads = 256;
  static constexpr int entries = 32;
  static constexpr int shares = max_threads / entries;
  static constexpr int items_of_slot = square_size / entries;

  struct scratch {
    work_real parts[shares][entries];
  };

  stream_scene<Real> scene;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    block.wait_for_previous_launch();  // ST.R1
    stream_progress const at = scene.progress();
    if (at.panel > scene.panels()) return;
    // Slot 0 is unused as long as no reflectors are finished (see stream_memory).
    int const first_slot = at.panel == 0 ? 1 : 0;
    int const slots = at.panel < scene.panels() ? 1 + scene.col_panels() - at.panel : 1;
    std::int64_t const sum_from = std::int64_t{at.panel} * panel_width + at.first;
    int const active = stream_chunks(sum_from, scene.matrix.rows, chunk_rows, scene.blocks).active;
    for (int item = first_slot * items_of_slot + block.index(); item < slots * items_of_slot;
         item += block.count())
      add_up(block, item, active, shared);
  }

 private:
  template <class Block>
  GRIDLOOM_FN void add_up(Block const& block, int item, int active, scratch& shared) const {
    int const slot = item / items_of_slot;
    int const first = item % items_of_slot * entries;
    for (int e = block.thread_rank(); e < entries * shares; e += block.num_threads()) {
      int const share = e / entries;
      int const entry = first + e % entries;
      work_real sum = 0;
#if defined(__CUDA_ARCH__)
#pragma unroll 8
#endif
      for (int from = share; from < active; from += shares)
        sum += scene.partial(slot, from)[entry];  // ST.R4
      shared.parts[share][e % entries] = sum;
    }
    block.sync();
    for (int e = block.thread_rank(); e < entries; e += block.num_threads()) {
      work_real sum = 0;
      for (auto const& part : shared.parts) sum += part[e];
      scene.sum(slot)[first + e] = sum;
    }
    block.sync();
  }
};

/// Item 0 makes the chain, advances the progress, and tells the host which panel is next. Item 1
/// makes T of the panel that the last pass has finished, if any. Item 2 + i updates column panel i
/// + 1 to the right of the chain's panel. Each block that needs the chain computes it again, which
/// is faster than waiting for another block.
template <class Real>
struct chain_kernel {
  static constexpr bool persistent = false;
  static constexpr bool overlaps_previous = true;
  static constexpr int max_threads = 256;
  /// Number of items besides those for the panels to the right.
  static constexpr int own_items = 2;

  struct scratch {
    chain_scratch<work_real> chain;
    square<work_real> sums;
    square<work_real> top;
    square<work_real> taken;
    work_real taus[panel_width];
    work_real over_pivots[panel_width];
  };

  stream_scene<Real> scene;
  notice next_panel;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    block.wait_for_previous_launch();  // ST.R1
    stream_progress const at = scene.progress();
    int const items = own_items + scene.col_panels() - 1;
    for (int item = block.index(); item < items; item += block.count()) {
      take(block, item, at, shared);
      block.sync();
    }
  }

 private:
  template <class Block>
  GRIDLOOM_FN void take(Block const& block, int item, stream_progress const& at,
                        scratch& shared) const {
    int const panels = scene.panels();
    if (item == 1) {
      if (at.panel <= panels && at.finished_panel()) finish_t(block, at.done_panel(), shared);
      return;
    }
    if (at.panel >= panels) {
      if (item == 0) move_on(block, {panels + 1, 0, 0, 0});
      return;
    }
    int const j = at.panel + (item == 0 ? 0 : item - 1);
    if (j >= scene.col_panels()) return;
    load_square(block, scene.sum(1), shared.chain.gram);
    load_square(block, scene.memory.top, shared.chain.top);
    if (item != 0) load_column_panel(block, at, j, shared);
    if (block.thread_rank() == 0)
      shared.chain.over_most = least_length(scene.matrix.rows, scene.matrix.cols);
    int const last = reflectors_of_gram(block, at.first, shared.chain);
    if (item == 0) {
      write_panel(block, at, last, shared);
      bool const ends = last == panel_width;
      move_on(block, {ends ? at.panel + 1 : at.panel, ends ? 0 : last, at.first, last});
    } else {
      take_column_panel(block, at, j, last, shared);
    }
  }

  template <class Block>
  GRIDLOOM_FN void move_on(Block const& block, stream_progress const& to) const {
    if (block.thread_rank() != 0) return;
    scene.memory.progress[(scene.step + 1) & 1] = to;  // ST.R3
    next_panel.tell(to.panel);
  }

  /// Writes three results of the chain: the panel's top square, the factors that turn the panel's
  /// rows into reflectors, and which columns have no reflector.
  template <class Block>
  GRIDLOOM_FN void write_panel(Block const& block, stream_progress const& at, int last,
                               scratch& shared) const {
    auto const& chain = shared.chain;
    std::int64_t const base = std::int64_t{at.panel} * panel_width;
    for (int e = block.thread_rank(); e < square_size; e += block.num_threads()) {
      int const row = e % panel_width;
      int const col = e / panel_width;
      if (row < at.first || col < at.first) continue;
      work_real const value = row > col && col < last ? chain.reflectors(col, row)
                              : row < last            ? chain.r(row, col)
                                                      : chain.top(row, col);
      if (scene.matrix.has(base + row, base + col))
        *scene.matrix.at(base + row, base + col) = static_cast<Real>(value);
    }
    for (int c = at.first + block.thread_rank(); c < last; c += block.num_threads())
      scene.memory.tau[base + c] = chain.coefficients(c, c) == 0 ? Real{0} : Real{1};
    // Rows a of the panel become rows v of the reflectors by v · U = a, with the triangle U of
    // solve_rows. So identity rows give the rows of U⁻¹, and the pass multiplies by that.
    set_identity(block, shared.top);
    solve_rows(
        block, chain.coefficients, [&](int c) { return chain.coefficients(c, c); }, at.first, last,
        shared.top, shared.taken);
    for (int e = block.thread_rank(); e < square_size; e += block.num_threads())
      scene.memory.to_reflectors[e] = shared.taken(e / panel_width, e % panel_width);
  }

  /// Loads the products of the chain's panel with panel j, and panel j's entries beside the top
  /// square. Ends without a barrier.
  template <class Block>
  GRIDLOOM_FN void load_column_panel(Block const& block, stream_progress const& at, int j,
                                     scratch& shared) const {
    std::int64_t const base = std::int64_t{at.panel} * panel_width;
    std::int64_t const first_col = std::int64_t{j} * panel_width;
    load_square(block, scene.sum(1 + j - at.panel), shared.sums);
    for (int e = block.thread_rank(); e < square_size; e += block.num_threads()) {
      int const row = e % panel_width;
      int const col = e / panel_width;
      bool const there = row >= at.first && scene.matrix.has(base + row, first_col + col);
      shared.top(col, row) =
          there ? static_cast<work_real>(*scene.matrix.at(base + row, first_col + col))
                : work_real{0};
      shared.taken(col, row) = 0;
    }
  }

  /// Computes R's rows for the loaded columns of panel j, and the multiples of each reflector that
  /// are subtracted from these columns.
  template <class Block>
  GRIDLOOM_FN void take_column_panel(Block const& block, stream_progress const& at, int j, int last,
                                     scratch& shared) const {
    std::int64_t const base = std::int64_t{at.panel} * panel_width;
    std::int64_t const first_col = std::int64_t{j} * panel_width;
    take_columns(block, shared.chain, at.first, last, shared);
    work_real* const taken = scene.memory.taken + std::size_t(j) * square_size;
    for (int e = block.thread_rank(); e < square_size; e += block.num_threads()) {
      taken[e] = shared.taken(e % panel_width, e / panel_width);
      int const row = e % panel_width;
      int const col = e / panel_width;
      if (row >= at.first && scene.matrix.has(base + row, first_col + col))
        *scene.matrix.at(base + row, first_col + col) = shared.top(col, row);
    }
  }

  /// Does two forward substitutions at once; each row of the squares is one column. Substitution
  /// with R gives R's entries. Substitution with the reflectors' top square gives the multiples.
  /// Ends with a barrier.
  template <class Block>
  GRIDLOOM_FN static void take_columns(Block const& block, chain_scratch<work_real> const& chain,
                                       int first, int last, scratch& shared) {
    warp_rows const rows(block);
    auto const warp = block.warp();
    int const lane = warp.thread_rank();
    // 1 / pivot turns a column's sum into R's entry. In a row c without a reflector, R keeps the
    // entry of the top square.
    for (int c = first + block.thread_rank(); c < last; c += block.num_threads())
      shared.over_pivots[c] = chain.coefficients(c, c) == 0
                                  ? work_real{0}
                                  : reciprocal<work_real>(chain.r(c, c)).value();
    block.sync();
    if (rows.is_even()) {
      work_real sums[rows.at_once];
      work_real top[rows.at_once];
      work_real taken[rows.at_once] = {};
      GRIDLOOM_UNROLL
      for (int v = 0; v < rows.at_once; ++v) {
        sums[v] = shared.sums(rows.row(v), lane);
        top[v] = shared.top(rows.row(v), lane);
      }
      for (int c = first; c < last; ++c) {
        work_real const factor = shared.over_pivots[c];
        work_real const of_r = chain.r(c, lane);
        work_real const reflector_value = chain.reflectors(c, lane);
        work_real above[rows.at_once];
        work_real r[rows.at_once];
        rows.shuffle_all(top, c, above);
        rows.shuffle_all(sums, c, r);
        GRIDLOOM_UNROLL
        for (int v = 0; v < rows.at_once; ++v) {
          r[v] = factor == 0 ? above[v] : r[v] * factor;
          if (lane > c) {
            sums[v] -= of_r * r[v];
            top[v] -= reflector_value * (above[v] - r[v]);
          } else if (lane == c) {
            top[v] = r[v];
            taken[v] = above[v] - r[v];
          }
        }
      }
      GRIDLOOM_UNROLL
      for (int v = 0; v < rows.at_once; ++v) {
        shared.top(rows.row(v), lane) = top[v];
        shared.taken(rows.row(v), lane) = taken[v];
      }
    } else {
      for (int col = rows.first(); col < panel_width; col += rows.step()) {
        for (int c = first; c < last; ++c) {
          work_real const factor = shared.over_pivots[c];
          work_real const above = shared.top(col, c);
          work_real const r = factor == 0 ? above : shared.sums(col, c) * factor;
          warp.sync();
          for (int to = lane; to < panel_width; to += warp.num_threads()) {
            if (to == c) {
              shared.top(col, c) = r;
              shared.taken(col, c) = above - r;
            } else if (to > c) {
              shared.sums(col, to) -= chain.r(c, to) * r;
              shared.top(col, to) -= chain.reflectors(c, to) * (above - r);
            }
          }
          warp.sync();
        }
      }
    }
    block.sync();
  }

  /// Makes T and tau of a finished panel from VᵀV. The part of VᵀV below the top square is in slot
  /// 0.
  template <class Block>
  GRIDLOOM_FN void finish_t(Block const& block, int panel, scratch& shared) const {
    std::int64_t const base = std::int64_t{panel} * panel_width;
    auto& chain = shared.chain;
    load_square(block, scene.sum(0), shared.sums);
    for (int e = block.thread_rank(); e < square_size; e += block.num_threads()) {
      int const row = e % panel_width;
      int const col = e / panel_width;
      bool const there = row > col && scene.matrix.has(base + row, base + col);
      chain.top(row, col) = there ? static_cast<work_real>(*scene.matrix.at(base + row, base + col))
                                  : work_real(row == col);
      if (row == col) chain.coefficients(row, col) = scene.memory.tau[base + col];
    }
    block.sync();
    transposed_product(block, chain.top, chain.top, chain.gram);
    block.sync();
    for (int e = block.thread_rank(); e < square_size; e += block.num_threads()) {
      int const row = e / panel_width;
      int const col = e % panel_width;
      chain.gram(row, col) += shared.sums(row, col);
    }
    block.sync();
    block_reflector(block, chain.gram, chain.coefficients, shared.taus, shared.top, chain.r);
    Real* const t = scene.memory.t + std::size_t(panel) * square_size;
    for (int e = block.thread_rank(); e < square_size; e += block.num_threads())
      t[e] = static_cast<Real>(chain.r(e % panel_width, e / panel_width));
    for (int c = block.thread_rank(); c < panel_width; c += block.num_threads())
      scene.memory.tau[base + c] = static_cast<Real>(shared.taus[c]);
  }
};

}  // namespace gridloom::tiled_qr::panels
