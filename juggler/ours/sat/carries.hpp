#pragma once
// The summed area table in one launch without tasks. Each tile computes its own sums before it
// waits. For tile (i, j), whose own sums are T:
//
//  left(r)  = the sum of row r to the left of the tile   passes along the row of tiles
//  above(c) = the last row of sums of the tile above     passes down the column of tiles
//  S(r, c)  = above(c) + left(0) + ... + left(r) + T(r, c)
//
// A tile receives numbers, adds sums of its rows and columns, and passes the results on. It
// computed these sums before it waited, so passing on takes no pass over the tile. This order is
// from Merrill and Garland's scan (2016) and from Emoto et al. (2017). They look back over several
// tiles. Here each tile waits for its neighbour's word (grid/carries.hpp), in the order of
// diagonals.
//
// Each pixel and each sum moves once: 8 bytes per element. The words that tiles pass on take 16
// bytes per row of a tile and stay in the L2 cache.

#include <memory>

#include "apps/grid/diagonals.hpp"
#include "apps/sat/app.hpp"
#include "gridloom/async_copy.hpp"
#include "juggler/executor.hpp"
#include "juggler/ours/grid/carries.hpp"
#include "juggler/ours/lane_sum.hpp"
#include "juggler/rivals/sat/look_back.hpp"

namespace gridloom::juggler::sat {

inline constexpr int largest_carried_tile = 128;

struct carries_kernel {
  static constexpr bool persistent = true;
  static constexpr int max_threads = most_threads;
  /// As many blocks as fit in the shared memory of an H200's multiprocessor. While one waits or
  /// adds up, others load and store.
  static constexpr int min_blocks = 3;
  /// Elements per access, and number of rows that a warp adds up at once.
  static constexpr int width = 4;
  static constexpr int band = 8;
  struct scratch {
    alignas(16) std::uint32_t tile[largest_carried_tile * largest_carried_tile];
    /// For each row: the sum of its pixels in the tile.
    std::uint32_t row_sum[largest_carried_tile];
    std::uint32_t left[largest_carried_tile];
    std::uint32_t above[largest_carried_tile];
    /// For each column: the sum over all rows of the tile's pixels up to that column.
    std::uint32_t col_sum[largest_carried_tile];
    std::uint32_t ticket;
  };

  table_ref table;
  /// Words that tiles pass on: one per row of the image, and one per column.
  carry_word* of_rows;
  carry_word* of_cols;
  tile_tickets tickets;
  std::uint32_t run;
  std::uint32_t* executed;
  watchdog_ref dog;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    direct_memory memory;
    watch patience(dog, block.index());
    std::uint32_t const made =
        draw_tiles(block, memory, patience, table.cut, tickets, run, shared.ticket,
                   [&](diagonal_cursor const& at, auto const& draw) {
                     load(block, at, shared);
                     add_up(block, shared);
                     bool const late = !trade(block, memory, patience, at, shared);
                     if (block.any(late)) {
                       if (block.thread_rank() == 0)
                         patience.note(wait_kind::neighbour, at.number(), run, run);
                       return false;
                     }
                     leave_below(block, memory, at, shared);
                     draw();
                     store(block, at, shared);
                     return true;
                   });
    if (block.thread_rank() == 0) executed[block.index()] = made;
  }

 private:
  using piece = strip<width, band>::piece;

  /// How the threads of a block share a tile: warps take bands of rows.
  template <thread_group Block>
  struct shares {
    int lanes;
    int warps;
    /// The calling thread's warp. A partial warp has no bands.
    int warp;
    int lane;
    GRIDLOOM_FN explicit shares(Block const& block)
        : lanes(block.num_threads() < 32 ? block.num_threads() : 32),
          warps(block.num_threads() / lanes),
          warp(block.thread_rank() / lanes),
          lane(block.thread_rank() % lanes) {}
  };

  template <thread_group Block>
  GRIDLOOM_FN void load(Block const& block, diagonal_cursor const& at, scratch& shared) const {
    int const tile = table.cut.tile;
    int const rank = block.thread_rank();
    std::uint32_t const* const from =
        table.pixels + std::int64_t{at.number()} * table.cut.tile_cells();
    if (tile % width == 0) {
      auto const* const pieces = reinterpret_cast<piece const*>(from);
      auto* const to = reinterpret_cast<piece*>(shared.tile);
      for (int k = rank; k < tile * tile / width; k += block.num_threads())
        copy_async(to + k, pieces + k);
      end_copy_group();
    } else {
      for (int k = rank; k < tile * tile; k += block.num_threads()) shared.tile[k] = from[k];
    }
    for (int k = rank; k < tile; k += block.num_threads()) shared.row_sum[k] = 0;
    wait_for_copies<0>();
    block.sync();
  }

  /// Computes the tile's own sums for each band of rows, and the sums of rows and columns.
  template <thread_group Block>
  GRIDLOOM_FN void add_up(Block const& block, scratch& shared) const {
    int const tile = table.cut.tile;
    shares<Block> const own(block);
    if (own.warp < own.warps) {
      if (tile % width == 0) {
        add_bands<strip<width, band>>(block.warp(), own, shared);
      } else {
        add_bands<strip<1, band>>(block.warp(), own, shared);
      }
    }
    block.sync();
    for (int c = block.thread_rank(); c < tile; c += block.num_threads()) {
      std::uint32_t sum = 0;
      for (int row = 0; row < tile; row += band) sum += shared.tile[last_of(row) * tile + c];
      shared.col_sum[c] = sum;
    }
  }
  template <class Strip, warp_group Warp, class Shares>
  GRIDLOOM_FN void add_bands(Warp const& warp, Shares const& of, scratch& shared) const {
    int const tile = table.cut.tile;
    for (int row = of.warp * band; row < tile; row += of.warps * band) {
      for (int first = 0; first < tile; first += of.lanes * Strip::width) {
        int const col = first + of.lane * Strip::width;
        Strip own;
        own.load(shared.tile, tile, row, col);
        own.add_along_rows(warp, shared.row_sum, tile, row);
        own.add_along_columns();
        own.store(shared.tile, tile, row, col, {});
        // Makes `row_sum` visible to all lanes.
        warp.sync();
      }
    }
  }
  [[nodiscard]] GRIDLOOM_FN int last_of(int row) const {
    int const tile = table.cut.tile;
    return row + band < tile ? row + band - 1 : tile - 1;
  }

  /// Reads the numbers from the left and from above, and passes row sums to the next tile on the
  /// right. Rows come first, because they wait for no column. Returns false when time is up.
  template <thread_group Block, class Memory>
  [[nodiscard]] GRIDLOOM_FN bool trade(Block const& block, Memory& memory, watch& patience,
                                       diagonal_cursor const& at, scratch& shared) const {
    int const tile = table.cut.tile;
    for (int k = block.thread_rank(); k < 2 * tile; k += block.num_threads()) {
      bool const is_row = k < tile;
      int const place = is_row ? k : k - tile;
      carry_line const line =
          is_row ? line_at(run, at.cols(), at.col()) : line_at(run, at.rows(), at.row());
      carry_word* const word = is_row ? of_rows + std::int64_t{at.row()} * tile + place
                                      : of_cols + std::int64_t{at.col()} * tile + place;
      std::uint32_t number = 0;
      if (!line.take(memory, block, patience, word, number)) return false;
      if (is_row) {
        line.leave(memory, word, number + shared.row_sum[place]);
        shared.left[place] = number;
      } else {
        shared.above[place] = number;
      }
    }
    return true;
  }
  /// Passes on the table's row at the tile's lower edge. The block has synchronised since trade().
  template <thread_group Block, class Memory>
  GRIDLOOM_FN void leave_below(Block const& block, Memory& memory, diagonal_cursor const& at,
                               scratch const& shared) const {
    int const tile = table.cut.tile;
    std::uint32_t const to_left = sum_left(block.warp(), tile, shared);
    carry_line const line = line_at(run, at.rows(), at.row());
    // The loop of trade() again, so each thread writes the words that it has read (CA.R2).
    for (int k = block.thread_rank(); k < 2 * tile; k += block.num_threads()) {
      int const c = k - tile;
      if (c < 0) continue;
      line.leave(memory, of_cols + std::int64_t{at.col()} * tile + c,
                 shared.above[c] + to_left + shared.col_sum[c]);
    }
  }
  /// The sum of `left` over the first `rows` rows.
  template <warp_group Warp>
  GRIDLOOM_FN static std::uint32_t sum_left(Warp const& warp, int rows, scratch const& shared) {
    std::uint32_t sum = 0;
    for (int r = warp.thread_rank(); r < rows; r += warp.num_threads()) sum += shared.left[r];
    return sum_of_lanes(warp, sum);
  }

  template <thread_group Block>
  GRIDLOOM_FN void store(Block const& block, diagonal_cursor const& at,
                         scratch const& shared) const {
    shares<Block> const own(block);
    if (own.warp >= own.warps) return;
    std::uint32_t* const to = table.sums + std::int64_t{at.number()} * table.cut.tile_cells();
    if (table.cut.tile % width == 0) {
      store_rows<strip<width, 1>>(block.warp(), own, to, shared);
    } else {
      store_rows<strip<1, 1>>(block.warp(), own, to, shared);
    }
  }
  /// Each warp writes several bands, one below the other.
  template <class Strip, warp_group Warp, class Shares>
  GRIDLOOM_FN void store_rows(Warp const& warp, Shares const& of, std::uint32_t* to,
                              scratch const& shared) const {
    int const tile = table.cut.tile;
    int const bands = (tile + band - 1) / band;
    int const rows = (bands + of.warps - 1) / of.warps * band;
    int const begin = of.warp * rows;
    int const end = begin + rows < tile ? begin + rows : tile;
    if (begin >= tile) return;
    std::uint32_t const to_left = sum_left(warp, begin, shared);
    for (int col = of.lane * Strip::width; col < tile; col += of.lanes * Strip::width) {
      typename Strip::piece base;
      GRIDLOOM_UNROLL
      for (int x = 0; x < Strip::width; ++x) base.of[x] = shared.above[col + x] + to_left;
      for (int row = 0; row < begin; row += band) {
        Strip last;
        last.load(shared.tile, tile, last_of(row), col);
        base = Strip::sum(base, last.rows[0]);
      }
      for (int first = begin; first < end; first += band) {
        Strip last{};
        GRIDLOOM_UNROLL
        for (int k = 0; k < band; ++k) {
          if (first + k >= end) break;
          Strip own;
          own.load(shared.tile, tile, first + k, col);
          GRIDLOOM_UNROLL
          for (int x = 0; x < Strip::width; ++x) base.of[x] += shared.left[first + k];
          own.store(to, tile, first + k, col, base);
          last = own;
        }
        base = Strip::sum(base, last.rows[0]);
      }
    }
  }
};

/// A run computes the whole table. Throws unsupported if a tile exceeds a block's shared memory.
[[nodiscard]] std::unique_ptr<executor> make_carries(device& machine,
                                                     execution_settings const& settings,
                                                     table_ref const& table);

}  // namespace gridloom::juggler::sat
