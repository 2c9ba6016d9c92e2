#pragma once
// The common part of rivals that run in one launch without tasks. Workers draw the tiles of a grid
// one by one, diagonal by diagonal from the top left.
//
// Rules, cited where they are served:
// DG.R1. All waiting ends if a tile waits only for tiles to its left and above. Resident workers
//        drew those tiles before it. The first unfinished tile in the order of drawing waits only
//        for finished tiles. Its worker reaches it, because everything that this worker drew before
//        is finished. The watchdog also ends the waiting, and stops workers that never wait.
// DG.R2. Runs draw from two words in turns. In each run, a worker sets the unused word to 0 for the
//        next run.

#include <cstdint>

#include "apps/grid/tiling.hpp"
#include "gridloom/group.hpp"
#include "gridloom/watchdog.hpp"

namespace gridloom::juggler {

/// The words from which workers draw (DG.R2).
struct tile_tickets {
  struct alignas(line_bytes) word {
    std::uint32_t next;
  };
  /// Two words; even and odd runs use one each (DG.R2).
  word* words;

  /// Sets the next run's word to 0. Called by one thread per run.
  template <class Memory>
  GRIDLOOM_FN void prepare_next(Memory& memory, std::uint32_t run) const {
    memory.store_relaxed(&words[(run + 1) % 2].next, 0U);
  }
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN std::uint32_t draw(Memory& memory, std::uint32_t run) const {
    return memory.fetch_add_relaxed(&words[run % 2].next, 1U);
  }
};

/// Visits the tiles of a grid, diagonal by diagonal from the top left. A step may skip tiles. There
/// are fewer than 2^31 tiles.
class diagonal_cursor {
 public:
  /// Begins at tile number `place` of this order.
  GRIDLOOM_FN diagonal_cursor(std::int64_t rows, std::int64_t cols, std::int32_t place)
      : rows_(static_cast<std::int32_t>(rows)),
        cols_(static_cast<std::int32_t>(cols)),
        place_(place) {
    settle();
  }
  [[nodiscard]] GRIDLOOM_FN bool at_end() const { return diagonal_ >= rows_ + cols_ - 1; }
  /// The grid's size in tiles.
  [[nodiscard]] GRIDLOOM_FN std::int32_t rows() const { return rows_; }
  [[nodiscard]] GRIDLOOM_FN std::int32_t cols() const { return cols_; }
  [[nodiscard]] GRIDLOOM_FN std::int32_t row() const { return first_row() + place_; }
  [[nodiscard]] GRIDLOOM_FN std::int32_t col() const { return diagonal_ - row(); }
  /// The current tile's number in the tiling, computed without a division.
  [[nodiscard]] GRIDLOOM_FN std::uint32_t number() const {
    return static_cast<std::uint32_t>(row() * cols_ + col());
  }
  GRIDLOOM_FN void advance(std::int32_t tiles) {
    place_ += tiles;
    settle();
  }

 private:
  [[nodiscard]] GRIDLOOM_FN std::int32_t first_row() const {
    return diagonal_ < cols_ ? 0 : diagonal_ - cols_ + 1;
  }
  GRIDLOOM_FN void settle() {
    while (!at_end()) {
      std::int32_t const last_row = diagonal_ < rows_ ? diagonal_ : rows_ - 1;
      std::int32_t const length = last_row - first_row() + 1;
      if (place_ < length) return;
      place_ -= length;
      ++diagonal_;
    }
  }

  std::int32_t rows_, cols_;
  std::int32_t diagonal_ = 0;
  /// The place on the diagonal, counted from its top.
  std::int32_t place_;
};

/// Draws tiles until none are left, and returns how many were made. Called by all threads of a
/// worker. make(at, draw) makes the tile at the cursor; if it returns false, the worker stops. In
/// make, the block synchronises at least once, and all threads call draw() once. An early call
/// hides the latency of the next ticket. The first thread uses `patience`; `ticket` is in shared
/// memory.
template <thread_group Block, class Memory, class Make>
GRIDLOOM_FN std::uint32_t draw_tiles(Block const& block, Memory& memory, watch& patience,
                                     tiling const& cut, tile_tickets const& tickets,
                                     std::uint32_t run, std::uint32_t& ticket, Make const& make) {
  constexpr std::uint32_t behind_all = (1U << 31U) - 1;
  bool const leads = block.thread_rank() == 0;
  if (leads && block.index() == 0) tickets.prepare_next(memory, run);  // DG.R2
  if (leads) ticket = tickets.draw(memory, run);
  block.sync();
  diagonal_cursor at(cut.tile_rows(), cut.tile_cols(), 0);
  std::uint32_t drawn = 0;
  for (std::uint32_t made = 0;; ++made) {
    std::uint32_t const own = ticket;
    at.advance(static_cast<std::int32_t>(own - drawn));
    drawn = own;
    if (at.at_end()) return made;
    std::uint32_t next = 0;
    if (!make(at, [&] { next = leads ? tickets.draw(memory, run) : 0U; })) return made;
    if (leads) {
      auto const all = static_cast<std::uint32_t>(at.rows() * at.cols());
      bool const late = patience.stop(memory, wait_kind::own_work, 0, made + 1, all);
      ticket = late ? behind_all : next;
    }
    // Waits until all threads have finished reading this tile's shared memory.
    block.sync();
  }
}

}  // namespace gridloom::juggler
