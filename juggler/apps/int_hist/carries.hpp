#pragma once
// Integral histograms in one launch without tasks, as sat/carries.hpp has it for one table: what each
// row and column of a tile counts by itself is there before the tile waits, for all bins. Then warps
// take over what the neighbours have left for their bins, and hand on what follows; then all threads
// write the tile's counts.
//
// A tile is kept as bits: for each bin and row a word, or two, of the columns that have a pixel of the
// bin. So what a row counts up to a column are the bits up to it, and no thread waits for another one
// while it goes down some columns and writes them.
//
// It moves each pixel and each count once: 1 + 4 × bins bytes a pixel. Words of a tile's border are 16
// bytes for a row of a bin, and stay in the L2 cache. Four columns are one access, so a warp writes
// whole lines of 128 bytes or more in tiles of 32 and 64 rows.

#include <memory>

#include "apps/grid/carries.hpp"
#include "apps/grid/diagonals.hpp"
#include "apps/int_hist/app.hpp"
#include "juggler/executor.hpp"
#include "juggler/lane_sum.hpp"

namespace gridloom::juggler::int_hist {

inline constexpr int largest_carried_tile = 64;
/// Words of bits that a block keeps.
inline constexpr int most_carried_words = 4096;

/// Columns whose bits are one word.
inline constexpr int word_columns = 32;
/// Of a row of a bin.
[[nodiscard]] GRIDLOOM_FN constexpr int words_of_row(int tile) {
  return (tile + word_columns - 1) / word_columns;
}

[[nodiscard]] constexpr bool fits_carries(int tile, int bins) {
  return tile <= largest_carried_tile && words_of_row(tile) * tile * bins <= most_carried_words;
}

struct carries_kernel {
  static constexpr bool persistent = true;
  static constexpr int max_threads = most_threads;
  /// As many as shared memory has room for on an H200.
  static constexpr int min_blocks = 4;
  struct scratch {
    /// At ((bin × words of a row + word) × tile + row): the columns that have a pixel of the bin.
    alignas(16) std::uint32_t bits[most_carried_words];
    /// Of each row of each bin, at (bin × tile + row): what is to its left.
    alignas(16) std::uint32_t left[most_carried_words];
    /// Of each column: its own count and those before it in the tile; then the last count above.
    alignas(16) std::uint32_t cols[most_carried_words];
    /// Of each bin: all of `left`.
    std::uint32_t all_left[most_bins];
    std::uint32_t ticket;
  };

  /// Of the application: pixels and counts.
  app table;
  /// One for each row of the image and each bin, and for each column; in the order of `left` for each
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
    std::uint32_t const made = draw_tiles(
        block, memory, table.cut, tickets, run, shared.ticket,
        [&](diagonal_cursor const& at, auto const& draw) {
          // Accesses of several elements need rows that begin at multiples of them.
          return table.cut.tile % 4 == 0 ? make<4>(block, memory, patience, at, draw, shared)
                                         : make<1>(block, memory, patience, at, draw, shared);
        });
    if (block.thread_rank() == 0) executed[block.index()] = made;
  }

 private:
  /// Elements that are one access: of some columns, or of some rows below each other.
  template <int Width>
  struct alignas(4 * Width) piece {
    std::uint32_t of[Width];
  };

  /// One tile. False when time is up.
  template <int Width, thread_group Block, class Memory, class Draw>
  [[nodiscard]] GRIDLOOM_FN bool make(Block const& block, Memory& memory, watch& patience,
                                      diagonal_cursor const& at, Draw const& draw,
                                      scratch& shared) const {
    load<Width>(block, memory, at, shared);
    count_columns<Width>(block, shared);
    int const lanes = block.num_threads() < 32 ? block.num_threads() : 32;
    int const warps = block.num_threads() / lanes;
    int const own_warp = block.thread_rank() / lanes;  // one with fewer lanes takes no bins
    bool const late =
        own_warp < warps && !trade(block.warp(), memory, patience, at, own_warp, warps, shared);
    if (block.any(late)) {
      if (block.thread_rank() == 0) patience.note(wait_kind::neighbour, at.number(), run, run);
      return false;
    }
    draw();
    write<Width>(block, at, shared);
    return true;
  }

  template <int Width, thread_group Block, class Memory>
  GRIDLOOM_FN void load(Block const& block, Memory& memory, diagonal_cursor const& at,
                        scratch& shared) const {
    struct alignas(Width) pixels {
      std::uint8_t of[Width];
    };
    constexpr int batch = 4;  // accesses of a thread that are on their way together
    int const tile = table.cut.tile;
    int const words = words_of_row(tile);
    int const rank = block.thread_rank();
    int const threads = block.num_threads();
    int const of_row = tile / Width;
    std::uint8_t const* const from =
        table.pixels + std::int64_t{at.number()} * table.cut.tile_cells();
    for (int k = rank; k < words * tile * table.bins; k += threads) shared.bits[k] = 0;
    block.sync();
    for (int begin = rank; begin < tile * of_row; begin += batch * threads) {
      pixels found[batch] = {};
      GRIDLOOM_UNROLL
      for (int n = 0; n < batch; ++n) {
        int const k = begin + n * threads;
        if (k < tile * of_row) found[n] = *reinterpret_cast<pixels const*>(from + k * Width);
      }
      GRIDLOOM_UNROLL
      for (int n = 0; n < batch; ++n) {
        int const k = begin + n * threads;
        if (k >= tile * of_row) break;
        int const row = k / of_row;
        int const col = (k - row * of_row) * Width;
        GRIDLOOM_UNROLL
        for (int x = 0; x < Width; ++x) {
          int const bin = found[n].of[x] * table.bins >> 8;
          std::uint32_t* const to =
              shared.bits + (bin * words + (col + x) / word_columns) * tile + row;
          // Each bit once, so that it is set.
          memory.fetch_add_relaxed(to, 1U << (col + x) % word_columns);
        }
      }
    }
    block.sync();
  }

  /// Calls visit(bin, column) for all pieces of a row of all bins, each by one thread.
  template <int Width, thread_group Block, class Visit>
  GRIDLOOM_FN void for_each_piece(Block const& block, Visit const& visit) const {
    int const of_row = table.cut.tile / Width;
    for (int k = block.thread_rank(); k < table.bins * of_row; k += block.num_threads()) {
      int const bin = k / of_row;
      visit(bin, (k - bin * of_row) * Width);
    }
  }
  /// Goes down the columns of a piece: adds to each one's count what a row has up to it, calls
  /// more(row, piece), which adds what each of `Width` rows has besides, and then(count) behind each row.
  template <int Width, class More, class Then>
  GRIDLOOM_FN void go_down(scratch const& shared, int bin, int col, piece<Width>& count,
                           More const& more, Then const& then) const {
    int const tile = table.cut.tile;
    int const word = col / word_columns;
    int const first_col = col % word_columns;
    std::uint32_t const* const before = shared.bits + bin * words_of_row(tile) * tile;
    for (int row = 0; row < tile; row += Width) {
      auto const here = at_rows<Width>(before + word * tile, row);
      piece<Width> up_to{};
      more(row, up_to);
      if (word != 0) {  // there are two at most
        auto const left = at_rows<Width>(before, row);
        GRIDLOOM_UNROLL
        for (int k = 0; k < Width; ++k)
          up_to.of[k] += static_cast<std::uint32_t>(count_lanes(left.of[k]));
      }
      GRIDLOOM_UNROLL
      for (int k = 0; k < Width; ++k) {
        std::uint32_t sum = up_to.of[k] + static_cast<std::uint32_t>(
                                              count_lanes(here.of[k] & lanes_below(first_col)));
        std::uint32_t const own = here.of[k] >> first_col;
        GRIDLOOM_UNROLL
        for (int x = 0; x < Width; ++x) {
          sum += own >> x & 1U;
          count.of[x] += sum;
        }
        then(count);
      }
    }
  }
  template <int Width>
  [[nodiscard]] GRIDLOOM_FN static piece<Width> at_rows(std::uint32_t const* of_bin, int row) {
    return *reinterpret_cast<piece<Width> const*>(of_bin + row);
  }

  template <int Width, thread_group Block>
  GRIDLOOM_FN void count_columns(Block const& block, scratch& shared) const {
    for_each_piece<Width>(block, [&](int bin, int col) {
      piece<Width> count{};
      go_down<Width>(
          shared, bin, col, count, [](int, piece<Width>&) {}, [](piece<Width> const&) {});
      *reinterpret_cast<piece<Width>*>(shared.cols + bin * table.cut.tile + col) = count;
    });
    block.sync();
  }

  /// The places of a lane among the rows, or columns, of its warp's bins.
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

  /// Takes what is to the left and above for the warp's bins, and hands on what follows. False when time
  /// is up.
  template <warp_group Warp, class Memory>
  [[nodiscard]] GRIDLOOM_FN bool trade(Warp const& warp, Memory& memory, watch& patience,
                                       diagonal_cursor const& at, int own_warp, int warps,
                                       scratch& shared) const {
    int const tile = table.cut.tile;
    int const words = words_of_row(tile);
    lane_places const places(warp.thread_rank(), warp.num_threads(), own_warp, warps, tile,
                             table.bins);
    carry_word* const to_left = of_rows + std::int64_t{at.row()} * table.bins * tile;
    carry_word* const above = of_cols + std::int64_t{at.col()} * table.bins * tile;
    carry_line const along_row = line_at(run, at.cols(), at.col());
    carry_line const along_col = line_at(run, at.rows(), at.row());

    bool const has_left = along_row.take_each(
        memory, warp, patience, to_left, places, [&](lane_places const& of, std::uint32_t number) {
          std::uint32_t const* const bits = shared.bits + of.bin * words * tile + of.row;
          auto own = static_cast<std::uint32_t>(count_lanes(bits[0]));
          if (words > 1) own += static_cast<std::uint32_t>(count_lanes(bits[tile]));
          along_row.leave(memory, to_left + of.get(), number + own);
          shared.left[of.get()] = number;
        });
    warp.sync();  // all of `left` is there
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
  /// What each of the warp's bins has to the left of the tile.
  template <warp_group Warp>
  GRIDLOOM_FN void add_left(Warp const& warp, int own_warp, int warps, scratch& shared) const {
    constexpr int batch = 4;  // bins whose sums do not wait for each other
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

  /// The block has met since `trade`.
  template <int Width, thread_group Block>
  GRIDLOOM_FN void write(Block const& block, diagonal_cursor const& at,
                         scratch const& shared) const {
    int const tile = table.cut.tile;
    std::int64_t const cells = table.cut.tile_cells();
    std::uint32_t* const counts = table.counts + std::int64_t{at.number()} * table.bins * cells;
    for_each_piece<Width>(block, [&](int bin, int col) {
      std::uint32_t* to = counts + bin * cells + col;
      std::uint32_t const* const left = shared.left + bin * tile;
      piece<Width> count = at_rows<Width>(shared.cols + bin * tile, col);
      go_down<Width>(
          shared, bin, col, count,
          [&](int row, piece<Width>& up_to) { up_to = at_rows<Width>(left, row); },
          [&](piece<Width> const& now) {
            *reinterpret_cast<piece<Width>*>(to) = now;
            to += tile;
          });
    });
  }
};

/// A run makes all counts. Throws unsupported where a tile or its border is larger than what a block keeps.
[[nodiscard]] std::unique_ptr<executor> make_carries(device& machine,
                                                     execution_settings const& settings,
                                                     app const& table);

}  // namespace gridloom::juggler::int_hist
