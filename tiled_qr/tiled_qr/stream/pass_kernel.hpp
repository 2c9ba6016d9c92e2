#pragma once
// One pass over the rows: the reflectors of the chain before, what is left of the columns to their
// right, and the Gram matrix that the next chain is made of. A block has chunks of rows, and for each
// goes through the column panels from left to right; the panel that is next stays in shared memory.
//
// S1. A pass reads and writes rows below the finished top square only, each by one block; rows of the
//     top square were written by the chain kernel before.
// S2. Partial sums are added in the order of a block's chunks and, by the sum kernel, of the blocks.
//     So the same input gives the same bits on as many blocks.

#include "tiled_qr/panel/reflectors.hpp"
#include "tiled_qr/stream/memory.hpp"
#include "tiled_qr/stream/rows.hpp"

namespace gridloom::tiled_qr::panels {

template <class Real>
struct pass_kernel {
  static constexpr bool persistent = false;
  static constexpr bool overlaps_previous = true;
  static constexpr int max_threads = 128;
  static constexpr int min_blocks = 3;

  using tile = panel_tile<Real, chunk_rows>;

  struct scratch {
    tile reflectors;
    tile next;
    tile other;
    square<Real> to_reflectors;
    square<Real> taken;
  };

  stream_scene<Real> scene;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    block.wait_for_previous_launch();
    stream_progress const at = scene.progress();
    // A panel's rows are finished down to its own top square.
    int const panels = scene.panels();
    std::int64_t const sum_from = std::int64_t{at.panel} * panel_width + at.first;
    std::int64_t const update_from =
        at.has_chain() ? std::int64_t{at.done_panel() + 1} * panel_width : 0;
    stream_chunks const chunks(sum_from, scene.matrix.rows, chunk_rows, scene.blocks);
    if (at.panel > panels || block.index() >= chunks.active) return;
    if (at.has_chain()) load_square(block, scene.memory.to_reflectors, shared.to_reflectors);
    block.sync();
    run<Block> mine{*this, block, shared, at, sum_from, update_from};
    for (int chunk = chunks.first + block.index(); chunk < chunks.end; chunk += chunks.active)
      mine.take(std::int64_t{chunk} * chunk_rows, chunk == chunks.first + block.index());
  }

 private:
  template <class Block>
  struct run {
    pass_kernel const& self;
    Block const& block;
    scratch& shared;
    stream_progress at;
    std::int64_t sum_from;
    std::int64_t update_from;

    /// `begin`: the chunk's first row.
    GRIDLOOM_FN void take(std::int64_t begin, bool is_first) {
      stream_scene<Real> const& scene = self.scene;
      bool const has_next = at.panel < scene.panels();
      bool const has_new = has_next && (!at.has_chain() || at.first == 0);
      if (has_new) load_chunk(block, scene.matrix, at.panel, begin, sum_from, shared.next);
      if (at.has_chain()) make_reflectors(begin, is_first);
      if (!has_next) {
        block.sync();
        return;
      }
      if (has_new && at.has_chain()) update(at.panel, begin, shared.next);
      block.sync();
      save_top(begin);
      add_products(shared.next, shared.next, 1, is_first);
      for (int j = at.panel + 1; j < scene.col_panels(); ++j) {
        load_chunk(block, scene.matrix, j, begin, sum_from, shared.other);
        if (at.has_chain()) update(j, begin, shared.other);
        block.sync();
        add_products(shared.next, shared.other, 1 + j - at.panel, is_first);
        block.sync();
      }
      block.sync();
    }

    /// The chain's reflectors in these rows; also what is left of the panel's other columns, if the
    /// chain was not the panel's last.
    GRIDLOOM_FN void make_reflectors(std::int64_t begin, bool is_first) {
      int const panel = at.done_panel();
      tile& v = shared.reflectors;
      // Rows of the top square are the chain's work. They stand in the tile as zeros, which the
      // products leave as they are.
      load_chunk(block, self.scene.matrix, panel, begin, update_from, v);
      block.sync();
      multiply_rows(block, shared.to_reflectors, v);
      block.sync();
      store_chunk(block, v, panel, begin, update_from, self.scene.matrix);
      if (at.first == 0) {
        add_products(v, v, 0, is_first);
        return;
      }
      // The next chain is of the same panel, and has rows of the top square, too.
      load_chunk(block, self.scene.matrix, panel, begin, sum_from, shared.next);
      block.sync();
      for (int e = block.thread_rank(); e < chunk_rows * panel_width; e += block.num_threads()) {
        int const row = e % chunk_rows;
        if (begin + row >= update_from) shared.next(row, e / chunk_rows) = v(row, e / chunk_rows);
      }
    }

    /// Takes the reflectors from a tile of column panel j, and writes it back.
    GRIDLOOM_FN void update(int j, std::int64_t begin, tile& to) {
      load_square(block, self.scene.memory.taken + std::size_t(j) * square_size, shared.taken);
      block.sync();
      subtract_product(block, shared.reflectors, shared.taken, 0, chunk_rows, to);
      block.sync();
      store_chunk(block, to, j, begin, update_from, self.scene.matrix);
    }

    /// For the chain: the next panel's top square.
    GRIDLOOM_FN void save_top(std::int64_t begin) {
      std::int64_t const top = std::int64_t{at.panel} * panel_width;
      if (top < begin || top >= begin + chunk_rows) return;
      for (int e = block.thread_rank(); e < square_size; e += block.num_threads())
        self.scene.memory.top[e] =
            shared.next(static_cast<int>(top - begin) + e / panel_width, e % panel_width);
    }

    /// Adds leftᵀ · right to the block's part of a slot. S2
    GRIDLOOM_FN void add_products(tile const& left, tile const& right, int slot, bool is_first) {
      add_cross_products(block, left, right, is_first, self.scene.partial(slot, block.index()));
    }
  };
};

}  // namespace gridloom::tiled_qr::panels
