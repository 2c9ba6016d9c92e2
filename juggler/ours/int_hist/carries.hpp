#pragma once
// Integral histograms in one launch without tasks, with the method of sat/carries.hpp. Before a
// tile waits, it counts its own rows and columns for all bins. Then each warp reads the neighbours'
// numbers for its bins and passes on this tile's numbers. Finally all threads write the tile's
// counts.
//
// Each pixel and each count moves once: 1 + 4 × bins bytes per pixel. The words of a tile's border
// take 16 bytes per row and bin, and stay in the L2 cache. In tiles of 32 and 64 rows, a warp
// writes at least whole lines of 128 bytes.

#include <memory>

#include "apps/grid/diagonals.hpp"
#include "apps/int_hist/app.hpp"
#include "apps/int_hist/bits.hpp"
#include "juggler/executor.hpp"
#include "juggler/ours/grid/carries.hpp"
#include "juggler/ours/lane_sum.hpp"

namespace gridloom::juggler::int_hist {

inline constexpr int largest_carried_tile = 64;
/// The number of bit words for which a block has shared memory.
inline constexpr int most_carried_words = 4096;

[[nodiscard]] constexpr bool fits_carries(int tile, int bins) {
  return tile <= largest_carried_tile && words_of_row(tile) * tile * bins <= most_carried_words;
}

struct carries_kernel {
  static constexpr bool persistent = true;
  static constexpr int max_threads = most_threads;
  /// As many blocks as fit in the shared memory of an H200's multiprocessor.
  static constexpr int min_blocks = 4;
  struct scratch {
    /// The bits of all bins: see bits.hpp.
    alignas(16) std::uint32_t bits[most_carried_words];
    /// At bin × tile + row: the number of the bin's pixels in that row to the left of the tile.
    alignas(16) std::uint32_t left[most_carried_words];
    /// At bin × tile + column: first the tile's own count in its last row, later the count above
    /// the tile.
    alignas(16) std::uint32_t cols[most_carried_words];
    /// For each bin: the sum of `left` over all rows.
    std::uint32_t all_left[most_bins];
    std::uint32_t ticket;
  };

  /// The application, with the pixels and counts.
  app table;
  /// Words that tiles pass on: one per bin and row of the image, and one per bin and column. A row
  /// of tiles has its words in the order of `left`.
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
    std::uint32_t const made = draw_tiles(
        block, memory, patience, table.cut, tickets, run, shared.ticket,
        [&](diagonal_cursor const& at, auto const& draw) {
          // Vector accesses need aligned rows.
          return table.cut.tile % 4 == 0 ? make<4>(block, memory, patience, at, draw, shared)
                                         : make<1>(block, memory, patience, at, draw, shared);
        });
    if (block.thread_rank() == 0) executed[block.index()] = made;
  }

 private:
  /// Makes one tile. Returns false when time is up.
  template <int Width, thread_group Block, class Memory, class Draw>
  [[nodiscard]] GRIDLOOM_FN bool make(Block const& block, Memory& memory, watch& patience,
                                      diagonal_cursor const& at, Draw const& draw,
                                      scratch& shared) const {
    int const tile = table.cut.tile;
    tile_bits const bits{shared.bits, tile, 0, table.bins, tile};
    bits.read<Width>(block, table.pixels + std::int64_t{at.number()} * table.cut.tile_cells(),
                     table.bins, [] {});
    count_columns<Width>(block, bits, shared);
    int const lanes = block.num_threads() < 32 ? block.num_threads() : 32;
    int const warps = block.num_threads() / lanes;
    // Threads of a partial warp handle no bins.
    int const own_warp = block.thread_rank() / lanes;
    bool const late = own_warp < warps &&
                      !trade(block.warp(), memory, patience, at, own_warp, warps, bits, shared);
    if (block.any(late)) {
      if (block.thread_rank() == 0) patience.note(wait_kind::neighbour, at.number(), run, run);
      return false;
    }
    draw();
    // The block has synchronised since trade().
    bits.write<Width>(
        block, shared.left, shared.cols,
        table.counts + std::int64_t{at.number()} * table.bins * table.cut.tile_cells());
    return true;
  }

  template <int Width, thread_group Block>
  GRIDLOOM_FN void count_columns(Block const& block, tile_bits const& bits, scratch& shared) const {
    bits.for_each_piece<Width>(block, [&](int bin, int col) {
      piece<Width> count{};
      bits.go_down(
          bin, col, count, [](int) { return piece<Width>{}; }, [](piece<Width> const&) {});
      piece_at<Width>(shared.cols + bin * bits.tile + col) = count;
    });
    block.sync();
  }

  /// Visits the rows, or the columns, that a lane handles in its warp's bins.
  struct lane_places {
    int bin;
    int row;
    int tile;
    int bins;
    int lanes;
    int warps;
    GRIDLOOM_FN lane_places(int lane, int lanes_, int own_warp, int warps_, int tile_, int bins_)
        : bin(own_warp), row(lane), tile(tile_), bins(bins_), lanes(lanes_), warps(warps_) {
      settle();
    }
    [[nodiscard]] GRIDLOOM_FN bool at_end() const { return bin >= bins; }
    [[nodiscard]] GRIDLOOM_FN int get() const { return bin * tile + row; }
    GRIDLOOM_FN void advance() {
      row += lanes;
      settle();
    }
    GRIDLOOM_FN void settle() {
      while (row >= tile) {
        row -= tile;
        bin += warps;
      }
    }
  };

  /// Reads the numbers from the left and from above for the warp's bins, and passes on the tile's
  /// numbers. Returns false when time is up.
  template <warp_group Warp, class Memory>
  [[nodiscard]] GRIDLOOM_FN bool trade(Warp const& warp, Memory& memory, watch& patience,
                                       diagonal_cursor const& at, int own_warp, int warps,
                                       tile_bits const& bits, scratch& shared) const {
    int const tile = table.cut.tile;
    lane_places const places(warp.thread_rank(), warp.num_threads(), own_warp, warps, tile,
                             table.bins);
    carry_word* const to_left = of_rows + std::int64_t{at.row()} * table.bins * tile;
    carry_word* const above = of_cols + std::int64_t{at.col()} * table.bins * tile;
    carry_line const along_row = line_at(run, at.cols(), at.col());
    carry_line const along_col = line_at(run, at.rows(), at.row());

    bool const has_left = along_row.take_each(
        memory, warp, patience, to_left, places, [&](lane_places const& of, std::uint32_t number) {
          along_row.leave(memory, to_left + of.get(), number + bits.in_row(of.bin, of.row));
          shared.left[of.get()] = number;
        });
    // Waits until all lanes have written `left`.
    warp.sync();
    add_left(warp, own_warp, warps, shared);
    warp.sync();
    return has_left &&
           along_col.take_each(memory, warp, patience, above, places,
                               [&](lane_places const& of, std::uint32_t number) {
                                 std::uint32_t& own = shared.cols[of.get()];
                                 along_col.leave(memory, above + of.get(),
                                                 number + shared.all_left[of.bin] + own);
                                 own = number;
                               });
  }
  /// For each of the warp's bins, adds up `left` over all rows.
  template <warp_group Warp>
  GRIDLOOM_FN void add_left(Warp const& warp, int own_warp, int warps, scratch& shared) const {
    // The sums of several bins are independent, so they overlap.
    constexpr int batch = 4;
    int const tile = table.cut.tile;
    int const lane = warp.thread_rank();
    for (int first = own_warp; first < table.bins; first += batch * warps) {
      std::uint32_t sum[batch] = {};
      GRIDLOOM_UNROLL
      for (int n = 0; n < batch; ++n) {
        int const bin = first + n * warps;
        if (bin >= table.bins) break;
        for (int r = lane; r < tile; r += warp.num_threads()) sum[n] += shared.left[bin * tile + r];
      }
      GRIDLOOM_UNROLL
      for (int n = 0; n < batch; ++n) sum[n] = sum_of_lanes(warp, sum[n]);
      GRIDLOOM_UNROLL
      for (int n = 0; n < batch; ++n) {
        int const bin = first + n * warps;
        if (lane == 0 && bin < table.bins) shared.all_left[bin] = sum[n];
      }
    }
  }
};

/// Makes an executor; a run computes all counts. Throws unsupported if a tile or its border exceeds
/// a block's shared memory.
[[nodiscard]] std::unique_ptr<executor> make_carries(device& machine,
                                                     execution_settings const& settings,
                                                     app const& table);

}  // namespace gridloom::juggler::int_hist
