#include "juggler/rivals/sat/look_back.hpp"

// Rules of order, cited where they are served:
// LB.R1. A flag holds its run, and says which of its tile's numbers are written. The block
//        synchronises between writing the numbers and releasing the flag. The thread that acquires
//        the flag does so before its block synchronises.
//
// Tiles are drawn by diagonals, so all waiting ends (DG.R1 of diagonals.hpp).

#include <string>
#include <utility>

#include "apps/grid/diagonals.hpp"
#include "apps/grid/one_pass.hpp"
#include "gridloom/atomic.hpp"

namespace gridloom::juggler::sat {

namespace {

/// Sums of tiles along one direction, `tile` numbers per tile.
struct chain_ref {
  /// Array of `tile` numbers per tile: the sums of the tile alone.
  std::uint32_t* own;
  /// Array of `tile` numbers per tile: the sums from the image's border to the end of the tile.
  std::uint32_t* whole;
  /// One word per tile: 4 × run + 1 if `own` is written, 4 × run + 2 if both arrays are.
  std::uint32_t* flags;
};

struct look_back_kernel {
  static constexpr bool persistent = true;
  static constexpr int max_threads = most_threads;
  /// As many blocks as fit in the shared memory of an H200's multiprocessor.
  static constexpr int min_blocks = 3;
  static constexpr int width = 4;
  struct scratch {
    alignas(16) std::uint32_t tile[largest_look_back_tile * largest_look_back_tile];
    /// For each row: the sum in the tile, and the sum to the left of the tile.
    std::uint32_t row_sum[largest_look_back_tile];
    std::uint32_t left[largest_look_back_tile];
    /// For each column, the sum of all pixels up to it: in the tile's rows, and in all rows above.
    std::uint32_t col_sum[largest_look_back_tile];
    std::uint32_t above[largest_look_back_tile];
    std::uint32_t ticket;
    std::uint32_t flag;
  };

  table_ref table;
  chain_ref along_rows;
  chain_ref along_columns;
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
                     auto const cols = static_cast<std::uint32_t>(at.cols());
                     std::uint32_t const number = at.number();
                     add_along_rows(block, number, shared);
                     if (!look_back(block, memory, patience, along_rows, number,
                                    static_cast<std::uint32_t>(at.col()), 1, shared.row_sum,
                                    shared.left, shared))
                       return false;
                     add_along_columns(block, shared);
                     if (!look_back(block, memory, patience, along_columns, number,
                                    static_cast<std::uint32_t>(at.row()), cols, shared.col_sum,
                                    shared.above, shared))
                       return false;
                     draw();
                     write(block, number, shared);
                     return true;
                   });
    if (block.thread_rank() == 0) executed[block.index()] = made;
  }

 private:
  /// Adds up each row of the tile separately in shared memory, and keeps the row's total.
  template <thread_group Block>
  GRIDLOOM_FN void add_along_rows(Block const& block, std::uint32_t number, scratch& shared) const {
    int const tile = table.cut.tile;
    int const threads = block.num_threads();
    int const lanes = threads < 32 ? threads : 32;
    int const warps = threads / lanes;
    int const band = block.thread_rank() / lanes;
    int const lane = block.thread_rank() % lanes;
    std::uint32_t const* const from = table.pixels + number * table.cut.tile_cells();
    for (int r = block.thread_rank(); r < tile; r += threads) shared.row_sum[r] = 0;
    block.sync();
    if (band >= warps) return;
    if (tile % width == 0) {
      add_rows<strip<width, 8>>(block.warp(), from, band, warps, lane, lanes, shared);
    } else {
      add_rows<strip<1, 8>>(block.warp(), from, band, warps, lane, lanes, shared);
    }
  }
  template <class Strip, warp_group Warp>
  GRIDLOOM_FN void add_rows(Warp const& warp, std::uint32_t const* from, int band, int warps,
                            int lane, int lanes, scratch& shared) const {
    int const tile = table.cut.tile;
    constexpr int rows = Strip::height;
    for (int row = band * rows; row < tile; row += warps * rows) {
      for (int first = 0; first < tile; first += lanes * Strip::width) {
        Strip own;
        own.load(from, tile, row, first + lane * Strip::width);
        own.add_along_rows(warp, shared.row_sum, tile, row);
        own.store(shared.tile, tile, row, first + lane * Strip::width, {});
        // Makes `row_sum` visible to all lanes.
        warp.sync();
      }
    }
  }

  /// Stores the sums of all earlier tiles of the chain in `before`. This tile is number `place` of
  /// its chain, whose tiles are `step` apart. `own` has this tile's sums. Returns false when time
  /// is up.
  template <thread_group Block, class Memory>
  GRIDLOOM_FN bool look_back(Block const& block, Memory& memory, watch& patience,
                             chain_ref const& chain, std::uint32_t number, std::uint32_t place,
                             std::uint32_t step, std::uint32_t const* own, std::uint32_t* before,
                             scratch& shared) const {
    int const tile = table.cut.tile;
    int const rank = block.thread_rank();
    std::uint32_t const partial = 4 * run + 1;
    block.sync();
    for (int k = rank; k < tile; k += block.num_threads()) {
      before[k] = 0;
      if (place != 0) chain.own[std::int64_t{number} * tile + k] = own[k];
    }
    block.sync();
    if (rank == 0 && place != 0) memory.store_release(chain.flags + number, partial);  // LB.R1
    for (std::uint32_t back = 1; back <= place; ++back) {
      std::uint32_t const other = number - back * step;
      if (rank == 0) shared.flag = wait(memory, block, patience, chain.flags + other, other);
      block.sync();  // LB.R1
      std::uint32_t const flag = shared.flag;
      if (flag == 0) return false;
      std::uint32_t const* const sums = flag == partial ? chain.own : chain.whole;
      for (int k = rank; k < tile; k += block.num_threads())
        before[k] += sums[std::int64_t{other} * tile + k];
      // Waits until all threads have read `flag`.
      block.sync();
      if (flag != partial) break;
    }
    for (int k = rank; k < tile; k += block.num_threads())
      chain.whole[std::int64_t{number} * tile + k] = before[k] + own[k];
    block.sync();
    if (rank == 0) memory.store_release(chain.flags + number, partial + 1);  // LB.R1
    return true;
  }
  /// Waits for a tile's flag of this run. Returns 0 when time is up. Called by one thread.
  template <thread_group Block, class Memory>
  GRIDLOOM_FN std::uint32_t wait(Memory& memory, Block const& block, watch& patience,
                                 std::uint32_t const* flag, std::uint32_t number) const {
    for (unsigned attempt = 0;; ++attempt) {
      std::uint32_t const seen = memory.load_acquire(flag);  // LB.R1
      if (seen / 4 == run) return seen;
      if (patience.stop(memory, wait_kind::neighbour, number, seen, 4 * run + 1)) return 0;
      block.pause(attempt);
    }
  }

  /// Adds to each row the sum to the left of the tile, and then adds up each column.
  template <thread_group Block>
  GRIDLOOM_FN void add_along_columns(Block const& block, scratch& shared) const {
    int const tile = table.cut.tile;
    for (int c = block.thread_rank(); c < tile; c += block.num_threads()) {
      std::uint32_t sum = 0;
      for (int r = 0; r < tile; ++r) {
        sum += shared.tile[r * tile + c] + shared.left[r];
        shared.tile[r * tile + c] = sum;
      }
      shared.col_sum[c] = sum;
    }
  }
  template <thread_group Block>
  GRIDLOOM_FN void write(Block const& block, std::uint32_t number, scratch& shared) const {
    int const tile = table.cut.tile;
    std::uint32_t* const to = table.sums + number * table.cut.tile_cells();
    if (tile % width == 0) {
      write_pieces<strip<width, 1>>(block, to, shared);
    } else {
      write_pieces<strip<1, 1>>(block, to, shared);
    }
  }
  template <class Strip, thread_group Block>
  GRIDLOOM_FN void write_pieces(Block const& block, std::uint32_t* to, scratch& shared) const {
    int const tile = table.cut.tile;
    int const pieces = tile / Strip::width;
    for (int k = block.thread_rank(); k < pieces * tile; k += block.num_threads()) {
      int const col = k % pieces * Strip::width;
      Strip own;
      own.load(shared.tile, tile, k / pieces, col);
      typename Strip::piece above;
      for (int x = 0; x < Strip::width; ++x) above.of[x] = shared.above[col + x];
      own.store(to, tile, k / pieces, col, above);
    }
  }
};

}  // namespace

std::unique_ptr<executor> make_look_back(device& machine, execution_settings const& settings,
                                         table_ref const& table) {
  if (table.cut.tile > largest_look_back_tile)
    throw unsupported("look_back keeps tiles of at most " + std::to_string(largest_look_back_tile) +
                      " rows, got --tile " + std::to_string(table.cut.tile));
  execution_settings const settled = gridloom::settled<look_back_kernel>(machine, settings);
  word_store words(machine);
  auto const tiles = table.cut.tiles();
  auto const chain = [&] {
    return chain_ref{words.make<std::uint32_t>(tiles * table.cut.tile),
                     words.make<std::uint32_t>(tiles * table.cut.tile),
                     words.make<std::uint32_t>(tiles)};
  };
  chain_ref const along_rows = chain();
  chain_ref const along_columns = chain();
  tile_tickets const tickets{words.make<tile_tickets::word>(2)};
  look_back_kernel const kernel{table, along_rows, along_columns, tickets, 0, nullptr, {}};
  return std::make_unique<one_pass<look_back_kernel>>(
      machine, settled, static_cast<std::uint64_t>(tiles), std::move(words), kernel);
}

}  // namespace gridloom::juggler::sat
