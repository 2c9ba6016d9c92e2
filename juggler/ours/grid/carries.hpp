#pragma once
// Numbers that pass from tile to tile in one direction, without tasks: one for each row or column.
// Each number is in a word with a tag that shows whether it was written.
//
// Rules, cited where they are served:
// CA.R1. A word holds a number and, as its tag, a step. A GPU accesses both together. So a thread
//        that sees the step has the number, without a fence. No other memory is ordered by it.
// CA.R2. A line of tiles has one word for each row or column. A tile waits for the step of the tile
//        before it, and overwrites the word with its own number. No other thread reads the old
//        number, and the same thread reads and writes.
// CA.R3. Steps rise from tile to tile and from run to run, so nothing is reset. (A step recurs
//        after 2^32 others.)
//
// Tiles are drawn by diagonals, so all waiting ends (DG.R1 of diagonals.hpp).

#include <cstdint>

#include "gridloom/atomic.hpp"
#include "gridloom/watchdog.hpp"

namespace gridloom::juggler {

using carry_word = tagged<std::uint32_t>;

/// A tile's place in a line of tiles. A thread takes and passes on numbers with it.
struct carry_line {
  /// The first step of the run.
  std::uint32_t first_step;
  /// The tile's place in the line.
  std::uint32_t place;

  /// Reads the number of the tile before, or 0 for the first tile. Returns false when time is up.
  template <class Memory, class Group>
  [[nodiscard]] GRIDLOOM_FN bool take(Memory& memory, Group const& group, watch& patience,
                                      carry_word const* word, std::uint32_t& number) const {
    number = 0;
    if (place == 0) return true;
    for (unsigned attempt = 0; !memory.get_tagged_alone(word, first_step + place - 1, number);
         ++attempt) {  // CA.R1, CA.R2
      if (patience.expired(memory)) return false;
      group.pause(attempt);
    }
    return true;
  }
  /// Reads the numbers of all places from `at` on, and calls then(at, number) for each. It reads
  /// several words together, which takes less time than one wait for each. `Places` has at_end(),
  /// get() and advance().
  template <class Memory, class Group, class Places, class Then>
  [[nodiscard]] GRIDLOOM_FN bool take_each(Memory& memory, Group const& group, watch& patience,
                                           carry_word const* words, Places at,
                                           Then const& then) const {
    constexpr int batch = 4;
    while (!at.at_end()) {
      Places const begin = at;
      std::uint32_t number[batch] = {};
      bool there[batch];
      GRIDLOOM_UNROLL
      for (int n = 0; n < batch; ++n) {
        there[n] = at.at_end() || place == 0 ||
                   memory.get_tagged_alone(words + at.get(), first_step + place - 1, number[n]);
        at.advance();
      }
      at = begin;
      GRIDLOOM_UNROLL
      for (int n = 0; n < batch; ++n) {
        if (at.at_end()) return true;
        if (!there[n] && !take(memory, group, patience, words + at.get(), number[n])) return false;
        then(at, number[n]);
        at.advance();
      }
    }
    return true;
  }
  /// Passes the number to the next tile.
  template <class Memory>
  GRIDLOOM_FN void leave(Memory& memory, carry_word* word, std::uint32_t number) const {
    memory.put_tagged(word, first_step + place, number);  // CA.R1, CA.R2
  }
};

/// The carry_line of a tile in a line of `length` tiles. Runs are numbered from 1 (CA.R3).
[[nodiscard]] GRIDLOOM_FN inline carry_line line_at(std::uint32_t run, std::int64_t length,
                                                    std::int64_t place) {
  return {run * static_cast<std::uint32_t>(length), static_cast<std::uint32_t>(place)};
}

}  // namespace gridloom::juggler
