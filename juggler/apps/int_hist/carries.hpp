#pragma once
// Integral histograms in one launch without tasks, as sat/carries.hpp has it for one table: what each
// row and column of a tile counts by itself is there before the tile waits, for all bins. Then a warp
// takes bins: it gets what its neighbours have left for a bin, hands on what follows, and writes the
// bin's counts, for which the tile's pixels are looked at once more in shared memory.
//
// It moves each pixel and each count once: 1 + 4 × bins bytes a pixel. Words of a tile's border are 16
// bytes for a row of a bin, and stay in the L2 cache. A warp writes whole lines of 128 bytes or more
// in tiles of 32 and 64 rows.

#include <memory>

#include "apps/grid/carries.hpp"
#include "apps/int_hist/app.hpp"
#include "juggler/executor.hpp"

namespace gridloom::juggler::int_hist {

inline constexpr int largest_carried_tile = 64;
/// Rows of a tile × bins that a block keeps.
inline constexpr int most_carried_counts = 4096;

[[nodiscard]] constexpr bool fits_carries(int tile, int bins) {
  return tile <= largest_carried_tile && tile * bins <= most_carried_counts;
}

struct carries_kernel {
  static constexpr bool persistent = true;
  static constexpr int max_threads = most_threads;
  static constexpr int min_blocks = 4;
  struct scratch {
    /// The bin of each pixel.
    alignas(8) std::uint8_t bin_of[largest_carried_tile * largest_carried_tile];
    /// Of each row of each bin, at (bin × tile + row): its own count; then what is to its left.
    std::uint32_t rows[most_carried_counts];
    /// Of each column: its own count; then the last count above.
    std::uint32_t cols[most_carried_counts];
    std::uint32_t ticket;
  };

  /// Of the application: pixels and counts.
  app table;
  /// One for each row of the image and each bin, and for each column; in the order of `rows` for each
  /// row of tiles.
  carry_word* of_rows;
  carry_word* of_cols;
  tile_tickets tickets;
  std::uint32_t run;
  /// One a worker: tiles that it made.
  std::uint32_t* executed;
  watchdog_ref dog;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    direct_memory memory;
    watch patience(dog, block.index());
    tiling const& cut = table.cut;
    int const lanes = block.num_threads() < 32 ? block.num_threads() : 32;
    int const warps = block.num_threads() / lanes;
    int const own_warp = block.thread_rank() / lanes;  // one with fewer lanes takes no bins
    std::uint32_t made = 0;
    bool const leads = block.thread_rank() == 0;
    diagonal_cursor at(cut.tile_rows(), cut.tile_cols(), 0);
    if (leads && block.index() == 0) tickets.prepare_next(memory, run);
    if (leads) shared.ticket = tickets.draw(memory, run);
    block.sync();
    std::uint32_t drawn = 0;
    for (;;) {
      at.advance(static_cast<std::int32_t>(shared.ticket - drawn));
      drawn = shared.ticket;
      if (at.at_end()) break;
      load(block, at, shared);
      count_borders(block, shared);
      bool late = false;
      if (own_warp < warps) {
        // All of them are handed on before the first is written.
        late = !trade(block.warp(), memory, patience, at, own_warp, warps, shared);
      }
      if (block.any(late)) {
        if (leads)
          patience.note(wait_kind::neighbour,
                        static_cast<std::uint32_t>(cut.number(at.row(), at.col())), run, run);
        break;
      }
      // Its answer is not waited for before the tile is stored.
      std::uint32_t const next = leads ? tickets.draw(memory, run) : 0;
      if (own_warp < warps) {
        for (int bin = own_warp; bin < table.bins; bin += warps)
          write(block.warp(), at, bin, shared);
      }
      ++made;
      if (leads) shared.ticket = next;
      block.sync();  // nobody reads the tile any more
    }
    if (leads) executed[block.index()] = made;
  }

 private:
  template <thread_group Block>
  GRIDLOOM_FN void load(Block const& block, diagonal_cursor const& at, scratch& shared) const {
    int const tile = table.cut.tile;
    std::uint8_t const* const from = table.pixels + table.cut.begin(at.row(), at.col());
    for (int k = block.thread_rank(); k < tile * tile; k += block.num_threads())
      shared.bin_of[k] = static_cast<std::uint8_t>(from[k] * table.bins >> 8);
    for (int k = block.thread_rank(); k < tile * table.bins; k += block.num_threads())
      shared.rows[k] = shared.cols[k] = 0;
    block.sync();
  }
  /// The tile's own rows and columns; a thread has one to itself.
  template <thread_group Block>
  GRIDLOOM_FN void count_borders(Block const& block, scratch& shared) const {
    int const tile = table.cut.tile;
    for (int k = block.thread_rank(); k < 2 * tile; k += block.num_threads()) {
      if (k < tile) {
        for (int r = 0; r < tile; ++r) ++shared.cols[shared.bin_of[r * tile + k] * tile + k];
      } else {
        int const r = k - tile;
        // Each row begins somewhere else, so that lanes read from different banks.
        int c = 4 * r % tile;
        for (int n = 0; n < tile; ++n) {
          ++shared.rows[shared.bin_of[r * tile + c] * tile + r];
          c = c + 1 == tile ? 0 : c + 1;
        }
      }
    }
    block.sync();
  }

  /// Takes what is to the left and above for the warp's bins, and hands on what follows. False when time
  /// is up.
  template <warp_group Warp, class Memory>
  [[nodiscard]] GRIDLOOM_FN bool trade(Warp const& warp, Memory& memory, watch& patience,
                                       diagonal_cursor const& at, int own_warp, int warps,
                                       scratch& shared) const {
    tiling const& cut = table.cut;
    int const tile = cut.tile;
    int const lane = warp.thread_rank();
    int const lanes = warp.num_threads();
    // All numbers of the warp, bin after bin: the k-th is at `place_of(k)`.
    int const own_bins = own_warp < table.bins ? (table.bins - own_warp - 1) / warps + 1 : 0;
    auto const place_of = [&](int k) { return (own_warp + k / tile * warps) * tile + k % tile; };
    carry_word* const left = of_rows + std::int64_t{at.row()} * table.bins * tile;
    carry_word* const above = of_cols + std::int64_t{at.col()} * table.bins * tile;
    carry_line const along_row = line_at(run, cut.tile_cols(), at.col());
    carry_line const along_col = line_at(run, cut.tile_rows(), at.row());

    bool const has_left = along_row.take_each(
        memory, warp, patience, lane, own_bins * tile, lanes,
        [&](int k) { return left + place_of(k); },
        [&](int k, std::uint32_t number) {
          std::uint32_t& own = shared.rows[place_of(k)];
          along_row.leave(memory, left + place_of(k), number + own);
          own = number;
        });
    warp.sync();  // all of `rows` is there
    for (int bin = own_warp; bin < table.bins; bin += warps) add_before(warp, bin, shared);
    warp.sync();
    bool const has_above =
        has_left && along_col.take_each(
                        memory, warp, patience, lane, own_bins * tile, lanes,
                        [&](int k) { return above + place_of(k); },
                        [&](int k, std::uint32_t number) {
                          std::uint32_t& own = shared.cols[place_of(k)];
                          along_col.leave(memory, above + place_of(k), number + own);
                          own = number;
                        });
    return has_above;
  }
  /// Makes of each column's own count what it adds to the last count above: also what is to its left, in
  /// the tile and before it.
  template <warp_group Warp>
  GRIDLOOM_FN void add_before(Warp const& warp, int bin, scratch& shared) const {
    int const tile = table.cut.tile;
    int const lanes = warp.num_threads();
    std::uint32_t to_left = 0;
    for (int r = warp.thread_rank(); r < tile; r += lanes) to_left += shared.rows[bin * tile + r];
    std::uint32_t before = sum_of_lanes(warp, to_left);
    for (int first = 0; first < tile; first += lanes) {
      int const c = first + warp.thread_rank();
      std::uint32_t const up_to = sum_up_to(warp, c < tile ? shared.cols[bin * tile + c] : 0);
      if (c < tile) shared.cols[bin * tile + c] = before + up_to;
      before += warp.shuffle(up_to, lanes - 1);
    }
  }

  /// Columns of a lane that are one access, such that a warp's are all of the tile if it can.
  template <warp_group Warp>
  GRIDLOOM_FN void write(Warp const& warp, diagonal_cursor const& at, int bin,
                         scratch& shared) const {
    int const tile = table.cut.tile;
    if (tile % 2 == 0 && tile > warp.num_threads()) {
      write_by<2>(warp, at, bin, shared);
    } else {
      write_by<1>(warp, at, bin, shared);
    }
  }
  template <int Width, warp_group Warp>
  GRIDLOOM_FN void write_by(Warp const& warp, diagonal_cursor const& at, int bin,
                            scratch& shared) const {
    struct alignas(4 * Width) piece {
      std::uint32_t of[Width];
    };
    struct alignas(Width) few_bins {
      std::uint8_t of[Width];
    };
    constexpr int batch = 4;  // rows whose pixels are asked for together
    int const tile = table.cut.tile;
    int const lane = warp.thread_rank();
    int const lanes = warp.num_threads();
    std::uint32_t* const left = shared.rows + bin * tile;
    std::uint32_t* const to = table.counts + table.begin(at.row(), at.col(), bin);
    for (int first = 0; first < tile; first += lanes * Width) {
      int const col = first + lane * Width;
      bool const has = col < tile;
      bool const goes_on = first + lanes * Width < tile;
      warp.sync();  // what is to the left of these columns is there
      piece count{};
      if (has) {
        GRIDLOOM_UNROLL
        for (int x = 0; x < Width; ++x) count.of[x] = shared.cols[bin * tile + col + x];
      }
      for (int begin = 0; begin < tile; begin += batch) {
        few_bins found[batch] = {};
        GRIDLOOM_UNROLL
        for (int k = 0; k < batch; ++k) {
          if (has && begin + k < tile)
            found[k] = *reinterpret_cast<few_bins const*>(shared.bin_of + (begin + k) * tile + col);
        }
        GRIDLOOM_UNROLL
        for (int k = 0; k < batch; ++k) {
          int const r = begin + k;
          if (r >= tile) break;
          std::uint32_t in_lanes_before = left[r];
          std::uint32_t in_row = 0;
          bool here[Width];
          GRIDLOOM_UNROLL
          for (int x = 0; x < Width; ++x) {
            here[x] = has && found[k].of[x] == bin;
            std::uint32_t const lanes_of_it = warp.ballot(here[x]);
            in_lanes_before +=
                static_cast<std::uint32_t>(count_lanes(lanes_of_it & lanes_below(lane)));
            if (goes_on) in_row += static_cast<std::uint32_t>(count_lanes(lanes_of_it));
          }
          GRIDLOOM_UNROLL
          for (int x = 0; x < Width; ++x) {
            if (here[x]) ++in_lanes_before;
            count.of[x] += in_lanes_before;
          }
          if (has) *reinterpret_cast<piece*>(to + r * tile + col) = count;
          if (!goes_on) continue;
          warp.sync();  // all have read it
          if (lane == 0) left[r] += in_row;
        }
      }
    }
  }
};

/// A run makes all counts. Throws unsupported where a tile or its border is larger than what a block keeps.
[[nodiscard]] std::unique_ptr<executor> make_carries(device& machine,
                                                     execution_settings const& settings,
                                                     app const& table);

}  // namespace gridloom::juggler::int_hist
