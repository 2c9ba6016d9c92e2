#include "juggler/rivals/jacobi/temporal.hpp"

// Rules of order, cited where they are served:
// TP.R1. A tile's word holds the run and the last step whose border it has written. The block
//        synchronises between writing the border and releasing the word. A thread that acquires the
//        word does so before its own block synchronises.
// TP.R2. The borders of consecutive steps have separate places. A tile overwrites the border of
//        step s with that of step s + 2 after all neighbours have announced s + 1. They do so after
//        reading s.
// TP.R3. All tiles are resident, and a tile waits only for its neighbours' last step. So the tile
//        that is farthest behind never waits. The watchdog bounds the waiting as well.

#include <string>
#include <utility>

#include "apps/grid/one_pass.hpp"
#include "gridloom/atomic.hpp"

namespace gridloom::juggler::jacobi {

namespace {

enum side : int { top, bottom, left, right, sides };

struct temporal_kernel {
  static constexpr bool persistent = true;
  static constexpr int max_threads = 512;
  static constexpr int pitch = largest_kept_tile + 2;
  struct scratch {
    /// The tile and the cells around it, for the current step and for the next one.
    double cells[2][pitch * pitch];
  };

  field_ref field;
  /// Array of eight borders per tile: four sides of two steps (TP.R2).
  double* borders;
  /// Array of one word per tile (TP.R1).
  std::uint64_t* written;
  std::uint32_t run;
  std::uint32_t* executed;
  watchdog_ref dog;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    direct_memory memory;
    watch patience(dog, block.index());
    tiling const& cut = field.cut;
    int const tile = cut.tile;
    int const rank = block.thread_rank();
    tile_place const of{static_cast<std::int32_t>(block.index() / cut.tile_cols()),
                        static_cast<std::int32_t>(block.index() % cut.tile_cols())};
    inner_range const inner = inner_of(cut, of);
    double* const own = field.cells + cut.begin(of.i, of.j);
    for (int k = rank; k < tile * tile; k += block.num_threads())
      at(shared, 0, k / tile, k % tile) = at(shared, 1, k / tile, k % tile) = own[k];
    block.sync();
    bool late = false;
    for (int step = 0; step < field.steps && !late; ++step) {
      late = trade(block, memory, patience, of, step, shared);
      if (late) break;
      compute(block, inner, step % 2, shared);
      block.sync();
    }
    for (int k = rank; k < tile * tile; k += block.num_threads())
      own[k] = at(shared, field.steps % 2, k / tile, k % tile);
    if (rank == 0) executed[block.index()] = late ? 0 : 1;
  }

 private:
  GRIDLOOM_FN static double& at(scratch& shared, int which, int row, int col) {
    return shared.cells[which][(row + 1) * pitch + col + 1];
  }
  /// Cell k along a side, from the left or the top. `out` is 0 in the tile and 1 outside.
  GRIDLOOM_FN double& at_side(scratch& shared, int which, int of, int k, int out) const {
    int const last = field.cut.tile - 1;
    if (of == top) return at(shared, which, -out, k);
    if (of == bottom) return at(shared, which, last + out, k);
    if (of == left) return at(shared, which, k, -out);
    return at(shared, which, k, last + out);
  }
  GRIDLOOM_FN double* border(std::int64_t number, int step, int of) const {
    return borders + ((number * 2 + step % 2) * sides + of) * field.cut.tile;
  }
  /// The number of the neighbour at a side, or -1.
  GRIDLOOM_FN std::int64_t neighbour(tile_place of, int at) const {
    std::int64_t const i = of.i + (at == bottom ? 1 : 0) - (at == top ? 1 : 0);
    std::int64_t const j = of.j + (at == right ? 1 : 0) - (at == left ? 1 : 0);
    bool const is = i >= 0 && i < field.cut.tile_rows() && j >= 0 && j < field.cut.tile_cols();
    return is ? field.cut.number(i, j) : -1;
  }

  /// Exchanges border cells with the neighbouring tiles. Returns whether time is up.
  template <thread_group Block, class Memory>
  GRIDLOOM_FN bool trade(Block const& block, Memory& memory, watch& patience, tile_place of,
                         int step, scratch& shared) const {
    int const rank = block.thread_rank();
    int const tile = field.cut.tile;
    std::int64_t const number = field.cut.number(of.i, of.j);
    std::uint64_t const wanted = std::uint64_t{run} << 32U | static_cast<std::uint32_t>(step + 1);
    for (int k = rank; k < sides * tile; k += block.num_threads())
      border(number, step, k / tile)[k % tile] =
          at_side(shared, step % 2, k / tile, k % tile, 0);  // TP.R2
    block.sync();
    if (rank == 0) memory.store_release(written + number, wanted);  // TP.R1
    bool late = false;
    for (int side = rank; side < sides; side += block.num_threads()) {
      std::int64_t const other = neighbour(of, side);
      for (unsigned attempt = 0; other >= 0 && !late; ++attempt) {
        std::uint64_t const seen = memory.load_acquire(written + other);  // TP.R1
        if (seen >= wanted) break;
        late = patience.stop(memory, wait_kind::neighbour, static_cast<std::uint32_t>(other), seen,
                             wanted);
        block.pause(attempt);
      }
    }
    if (block.any(late)) return true;  // TP.R1
    for (int k = rank; k < sides * tile; k += block.num_threads()) {
      int const side = k / tile;
      std::int64_t const other = neighbour(of, side);
      // The neighbour's opposite side touches this one: its top is below this tile's bottom.
      if (other >= 0)
        at_side(shared, step % 2, side, k % tile, 1) = border(other, step, side ^ 1)[k % tile];
    }
    block.sync();
    return false;
  }

  /// Computes one step, from one of the two arrays of cells to the other.
  template <thread_group Block>
  GRIDLOOM_FN static void compute(Block const& block, inner_range const& inner, int from,
                                  scratch& shared) {
    int const threads = block.num_threads();
    int const lanes = threads < 32 ? threads : 32;
    int const warps = threads / lanes;
    int const band = block.thread_rank() / lanes;
    // Threads of a partial last warp have no rows.
    if (band >= warps) return;
    for (int row = inner.first_row + band; row < inner.last_row; row += warps) {
      for (int col = inner.first_col + block.thread_rank() % lanes; col < inner.last_col;
           col += lanes) {
        at(shared, 1 - from, row, col) =
            mean_of(at(shared, from, row - 1, col), at(shared, from, row, col - 1),
                    at(shared, from, row, col + 1), at(shared, from, row + 1, col));
      }
    }
  }
};

}  // namespace

std::unique_ptr<executor> make_temporal(device& machine, execution_settings const& settings,
                                        field_ref const& field) {
  tiling const& cut = field.cut;
  if (cut.tile > largest_kept_tile)
    throw unsupported("temporal keeps tiles of at most " + std::to_string(largest_kept_tile) +
                      " rows, got --tile " + std::to_string(cut.tile));
  execution_settings all = settings;
  all.workers = 0;
  require_in_range(all, temporal_kernel::max_threads);
  int const most = machine.resident_blocks<temporal_kernel>(settings.threads);
  if (cut.tiles() > most)
    throw unsupported("temporal needs one resident block per tile, " + std::to_string(cut.tiles()) +
                      "; this device holds " + std::to_string(most));
  all.workers = static_cast<int>(cut.tiles());
  word_store words(machine);
  temporal_kernel const kernel{field,
                               words.make<double>(cut.tiles() * 2 * sides * cut.tile),
                               words.make<std::uint64_t>(cut.tiles()),
                               0,
                               nullptr,
                               {}};
  return std::make_unique<one_pass<temporal_kernel>>(
      machine, all, static_cast<std::uint64_t>(cut.tiles()), std::move(words), kernel);
}

}  // namespace gridloom::juggler::jacobi
