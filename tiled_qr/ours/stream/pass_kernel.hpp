#pragma once
// Makes one pass over the rows. It makes the reflectors of the last chain, applies them to the
// columns to their right, and computes the Gram matrix of the next chain.
//
// A block computes some partial sums, each over chunks of rows. For each chunk it goes through the
// column panels from left to right. The reflectors and the next chain's panel stay in shared
// memory. While the block works on one column panel, the next one is copied. The rules of order are
// those of memory.hpp.

#include "ours/panel/products.hpp"
#include "ours/stream/cross_sum.hpp"
#include "ours/stream/memory.hpp"
#include "ours/stream/rows.hpp"

namespace gridloom::tiled_qr::panels {

template <class Real>
struct pass_kernel {
  static constexpr bool persistent = false;
  static constexpr bool overlaps_previous = true;
  static constexpr int max_threads = 256;
  static constexpr int min_blocks = 2;

  using tile = panel_tile<work_real, chunk_rows>;

  struct scratch {
    tile reflectors;
    tile next;
    tile others[2];
    square<work_real> to_reflectors;
    square<work_real> taken[2];
  };

  stream_scene<Real> scene;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    block.wait_for_previous_launch();  // ST.R1
    stream_progress const at = scene.progress();
    int const panels = scene.panels();
    if (at.panel > panels) return;
    pass_shape const shape{at, panels, scene.col_panels()};
    stream_chunks const chunks(shape.sum_from, scene.matrix.rows, chunk_rows, scene.blocks);
    if (block.index() >= chunks.active) return;
    if (shape.has_reflectors) load_square(block, scene.memory.to_reflectors, shared.to_reflectors);
    for (int sum = block.index(); sum < chunks.active; sum += block.count()) {
      run<Block> mine{*this,
                      block,
                      shared,
                      at,
                      shape,
                      sum,
                      {block, scene.partial(0, sum), true},
                      {block, scene.partial(1, sum), true}};
      int const first = chunks.first + sum;  // ST.R2
      mine.begin_reflectors(first);
      for (int chunk = first; chunk < chunks.end; chunk += chunks.active)
        mine.take(chunk, chunk + chunks.active < chunks.end ? chunk + chunks.active : -1,
                  chunk == first);
      mine.finish();
    }
  }

 private:
  /// The work of a pass, derived from the progress of the factorisation.
  struct pass_shape {
    bool has_reflectors;
    /// Whether another chain follows, and whether it belongs to another panel.
    bool has_next;
    bool next_is_new;
    /// First row that the next chain's sums cover, and first row that the pass changes.
    std::int64_t sum_from;
    std::int64_t update_from;
    /// Number of column panels to the right of the next chain's panel.
    int others;

    GRIDLOOM_FN pass_shape(stream_progress const& at, int panels, int col_panels)
        : has_reflectors(at.has_chain()),
          has_next(at.panel < panels),
          next_is_new(has_next && (!at.has_chain() || at.first == 0)),
          sum_from(std::int64_t{at.panel} * panel_width + at.first),
          update_from(has_reflectors ? std::int64_t{at.done_panel() + 1} * panel_width : 0),
          others(has_next ? col_panels - 1 - at.panel : 0) {}
  };

  template <class Block>
  struct run {
    pass_kernel const& self;
    Block const& block;
    scratch& shared;
    stream_progress at;
    pass_shape shape;
    int own_sum;
    cross_sum of_reflectors;
    cross_sum next_sum;

    /// Starts to copy the rows of a chunk that become reflectors. Rows of the top square, which the
    /// chain kernel writes (ST.R2), are zeros in the tile.
    GRIDLOOM_FN void begin_reflectors(int chunk) {
      if (shape.has_reflectors && chunk >= 0)
        load_chunk(block, self.scene.matrix,
                   place(at.done_panel(), std::int64_t{chunk} * chunk_rows, shape.update_from),
                   shared.reflectors);
      end_copy_group();
    }

    /// Processes one chunk; `then` is the chunk after it, or -1.
    GRIDLOOM_FN void take(int chunk, int then, bool is_first) {
      std::int64_t const begin = std::int64_t{chunk} * chunk_rows;
      if (shape.next_is_new) begin_other(-1, begin);
      end_copy_group();
      begin_other(0, begin);
      end_copy_group();
      wait_for_copies<2>();
      block.sync();
      if (shape.has_reflectors) make_reflectors(begin);
      wait_for_copies<1>();
      block.sync();
      if (shape.has_next) {
        if (shape.next_is_new && shape.has_reflectors) update(-1, begin);
        save_top(begin);
        next_sum.add(block, shared.next, shared.next);  // ST.R4
        for (int other = 0; other < shape.others; ++other) take_other(other, begin, is_first);
      }
      block.sync();
      begin_reflectors(then);
    }

    GRIDLOOM_FN void finish() {
      if (shape.has_reflectors && at.first == 0) of_reflectors.finish(block);
      if (shape.has_next) next_sum.finish(block);
    }

   private:
    GRIDLOOM_FN static chunk_place place(int panel, std::int64_t begin, std::int64_t from_row) {
      return {std::int64_t{panel} * panel_width, begin, from_row};
    }
    /// Returns the number of a column panel. `other` is -1 for the next chain's panel, 0 for the
    /// panel to its right, and so on.
    GRIDLOOM_FN int panel_of(int other) const { return at.panel + 1 + other; }
    GRIDLOOM_FN tile& tile_of(int other) {
      return other < 0 ? shared.next : shared.others[other & 1];
    }

    /// Starts to copy a column panel's rows of this chunk, and the multiples of the reflectors that
    /// are subtracted from them.
    GRIDLOOM_FN void begin_other(int other, std::int64_t begin) {
      if (other >= shape.others) return;
      load_chunk(block, self.scene.matrix, place(panel_of(other), begin, shape.sum_from),
                 tile_of(other));
      if (shape.has_reflectors)
        load_square_async(block,
                          self.scene.memory.taken + std::size_t(panel_of(other)) * square_size,
                          shared.taken[other & 1]);
    }

    GRIDLOOM_FN void take_other(int other, std::int64_t begin, bool is_first) {
      // The panel's sum so far is loaded at the same time as the tile.
      cross_sum sum(block, self.scene.partial(2 + other, own_sum), is_first);
      // The previous panel's work on the tile is done, so the tile may be overwritten.
      block.sync();
      begin_other(other + 1, begin);
      end_copy_group();
      wait_for_copies<1>();
      block.sync();
      if (shape.has_reflectors) update(other, begin);
      sum.add(block, tile_of(other), shared.next);  // ST.R4
      sum.finish(block);
    }

    /// Makes the chain's reflectors in these rows. If the panel is not finished, also applies them
    /// to the panel's other columns.
    GRIDLOOM_FN void make_reflectors(std::int64_t begin) {
      int const panel = at.done_panel();
      tile& v = shared.reflectors;
      multiply_rows(block, shared.to_reflectors, v);
      block.sync();
      round_chunk<Real>(block, v);
      store_chunk(block, v, place(panel, begin, shape.update_from), self.scene.matrix);
      if (at.first == 0) {
        of_reflectors.add(block, v, v);  // ST.R4
        return;
      }
      // The next chain is of the same panel, so its sums also cover rows of the top square.
      for (int e = block.thread_rank(); e < chunk_rows * panel_width; e += block.num_threads()) {
        int const row = e % chunk_rows;
        int const col = e / chunk_rows;
        std::int64_t const at_row = begin + row;
        std::int64_t const at_col = std::int64_t{panel} * panel_width + col;
        bool const is_above = at_row < shape.update_from;
        bool const there = at_row >= shape.sum_from && self.scene.matrix.has(at_row, at_col);
        shared.next(row, col) = !is_above ? v(row, col)
                                : there
                                    ? static_cast<work_real>(*self.scene.matrix.at(at_row, at_col))
                                    : work_real{0};
      }
    }

    /// Applies the reflectors to a column panel's rows of this chunk, and writes the rows back.
    GRIDLOOM_FN void update(int other, std::int64_t begin) {
      tile& to = tile_of(other);
      subtract_product(block, shared.reflectors, shared.taken[other & 1], 0, chunk_rows, to);
      block.sync();
      round_chunk<Real>(block, to);
      store_chunk(block, to, place(panel_of(other), begin, shape.update_from),
                  self.scene.matrix);  // ST.R2
    }

    /// Saves the next panel's top square for the chain kernel.
    GRIDLOOM_FN void save_top(std::int64_t begin) {
      std::int64_t const top = std::int64_t{at.panel} * panel_width;
      if (top < begin || top >= begin + chunk_rows) return;
      for (int e = block.thread_rank(); e < square_size; e += block.num_threads())
        self.scene.memory.top[e] =
            shared.next(static_cast<int>(top - begin) + e / panel_width, e % panel_width);
    }
  };
};

}  // namespace gridloom::tiled_qr::panels
