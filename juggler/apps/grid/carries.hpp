#pragma once
// What passes in one direction from tile to tile, without tasks: a number for each row or column, which
// the next tile along the direction takes over, and words that say themselves that they are there.
//
// Rules, cited where they are served:
// C1. A word holds a number and the step that it belongs to, which go in one access on a GPU: who
//     sees the step has the number, without a fence. Nothing else is passed on by it.
// C2. A line of tiles has one word for each row or column. The tile at a place waits for the step of
//     the place before, and puts its own number into the same word; nobody else reads the former one.
//     The same thread does both.
// C3. Steps rise from tile to tile and from run to run, so nothing is reset. (2^32 of them would bring
//     one back.)
// C4. All waiting ends. Workers stay, and draw tiles in the order of diagonals. A tile waits only for
//     those to its left and above, which are on the diagonal before. Of the tiles that are drawn and not
//     done, the first in that order waits for none that is not, and its worker comes to it: what this
//     one drew before is done. The watchdog bounds it besides.
// C5. Runs draw from two words in turns. A worker of each run sets the other one, which nobody uses
//     in it, to 0 for the next.

#include <cstdint>

#include "gridloom/atomic.hpp"
#include "gridloom/watchdog.hpp"

namespace gridloom::juggler {

using carry_word = tagged<std::uint32_t>;

/// The words that workers draw from (C5).
struct tile_tickets {
  struct alignas(line_bytes) word {
    std::uint32_t next;
  };
  /// Two.
  word* words;

  /// By one thread of a run.
  template <class Memory>
  GRIDLOOM_FN void prepare_next(Memory& memory, std::uint32_t run) const {
    memory.store_relaxed(&words[(run + 1) % 2].next, 0U);
  }
  template <class Memory>
  [[nodiscard]] GRIDLOOM_FN std::uint32_t draw(Memory& memory, std::uint32_t run) const {
    return memory.fetch_add_relaxed(&words[run % 2].next, 1U);
  }
};

/// Goes over the tiles of a grid, diagonal by diagonal from the top left, some of them at a time. There
/// are fewer than 2^31, as of tasks.
class diagonal_cursor {
 public:
  /// At the place-th of all.
  GRIDLOOM_FN diagonal_cursor(std::int64_t rows, std::int64_t cols, std::int32_t place)
      : rows_(static_cast<std::int32_t>(rows)),
        cols_(static_cast<std::int32_t>(cols)),
        place_(place) {
    settle();
  }
  [[nodiscard]] GRIDLOOM_FN bool at_end() const { return diagonal_ >= rows_ + cols_ - 1; }
  /// Of the tile.
  [[nodiscard]] GRIDLOOM_FN std::int32_t row() const { return first_row() + place_; }
  [[nodiscard]] GRIDLOOM_FN std::int32_t col() const { return diagonal_ - row(); }
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
  /// On the diagonal, from its top on.
  std::int32_t place_;
};

/// One thread's side of a line of tiles: what `place` tiles before leave to the next one.
struct carry_line {
  /// Of the run.
  std::uint32_t first_step;
  /// Of the tile among those of the line.
  std::uint32_t place;

  /// Takes over what the word has from the tile before, 0 for the first one. False when time is up.
  template <class Memory, class Group>
  [[nodiscard]] GRIDLOOM_FN bool take(Memory& memory, Group const& group, watch& patience,
                                      carry_word const* word, std::uint32_t& number) const {
    number = 0;
    if (place == 0) return true;
    for (unsigned attempt = 0; !memory.get_tagged_alone(word, first_step + place - 1, number);
         ++attempt) {  // C1, C2
      if (patience.expired(memory)) return false;
      group.pause(attempt);
    }
    return true;
  }
  /// The same for the words of `word_of(k)`, k from `first` to `end` in steps: calls then(k, number). Some
  /// are asked for together, so that it takes less than one wait each.
  template <class Memory, class Group, class Word, class Then>
  [[nodiscard]] GRIDLOOM_FN bool take_each(Memory& memory, Group const& group, watch& patience,
                                           int first, int end, int step, Word const& word_of,
                                           Then const& then) const {
    constexpr int batch = 4;
    for (int begin = first; begin < end; begin += batch * step) {
      std::uint32_t number[batch] = {};
      bool there[batch];
      GRIDLOOM_UNROLL
      for (int n = 0; n < batch; ++n) {
        int const k = begin + n * step;
        there[n] = k >= end || place == 0 ||
                   memory.get_tagged_alone(word_of(k), first_step + place - 1, number[n]);
      }
      GRIDLOOM_UNROLL
      for (int n = 0; n < batch; ++n) {
        int const k = begin + n * step;
        if (k >= end) break;
        if (!there[n] && !take(memory, group, patience, word_of(k), number[n])) return false;
        then(k, number[n]);
      }
    }
    return true;
  }
  /// Leaves it to the next one.
  template <class Memory>
  GRIDLOOM_FN void leave(Memory& memory, carry_word* word, std::uint32_t number) const {
    memory.put_tagged(word, first_step + place, number);  // C1, C2
  }
};

/// The line of a tile, of a run from 1 on, in lines of `length` tiles (C3).
[[nodiscard]] GRIDLOOM_FN inline carry_line line_at(std::uint32_t run, std::int64_t length,
                                                    std::int64_t place) {
  return {run * static_cast<std::uint32_t>(length), static_cast<std::uint32_t>(place)};
}

/// The sum of the value of this lane and of those below.
template <warp_group Warp>
[[nodiscard]] GRIDLOOM_FN std::uint32_t sum_up_to(Warp const& warp, std::uint32_t value) {
  int const lane = warp.thread_rank();
  for (int step = 1; step < warp.num_threads(); step *= 2) {
    std::uint32_t const other = warp.shuffle(value, lane < step ? lane : lane - step);
    if (lane >= step) value += other;
  }
  return value;
}
/// Of all lanes.
template <warp_group Warp>
[[nodiscard]] GRIDLOOM_FN std::uint32_t sum_of_lanes(Warp const& warp, std::uint32_t value) {
  return warp.shuffle(sum_up_to(warp, value), warp.num_threads() - 1);
}

}  // namespace gridloom::juggler
