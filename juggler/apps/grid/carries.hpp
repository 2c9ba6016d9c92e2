#pragma once
// Numbers that pass from tile to tile in one direction, without tasks: one for each row or column.
// Each is in a word that shows by itself whether it was written.
//
// Rules, cited where they are served:
// CA.R1. A word holds a number and its step, which are accessed together on a GPU: a thread that
//        sees the step has the number, without a fence. Nothing else is ordered by it.
// CA.R2. A line of tiles has one word for each row or column. The tile at a place waits for the
//        step of the place before, and puts its own number into the same word; no other thread
//        reads the former number. The same thread does both.
// CA.R3. Steps rise from tile to tile and from run to run, so nothing is reset. (2^32 of them would
//        bring one back.)
//
// Tiles are drawn by diagonals, so all waiting ends (DG.R1 of diagonals.hpp).

#include <cstdint>

#include "gridloom/atomic.hpp"
#include "gridloom/watchdog.hpp"

namespace gridloom::juggler {

using carry_word = tagged<std::uint32_t>;

/// A tile's place in a line of tiles, with which a thread takes and passes on numbers.
struct carry_line {
  /// The first step of the run.
  std::uint32_t first_step;
  /// The tile's place in the line.
  std::uint32_t place;

  /// Takes over the number from the tile before, 0 for the first tile. Returns false when time is
  /// up.
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
  /// Takes over the numbers of all places from `at` on, and calls then(at, number) for each.
  /// Several words are read together, which takes less time than one wait for each. `Places` has
  /// at_end(), get() and advance().
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
