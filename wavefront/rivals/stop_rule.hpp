#pragma once
// When the blocks of a persistent kernel leave that goes wave by wave, a barrier after each.
//
// All of them have to leave at the same barrier, or the others wait there for ever. A word says so.
// SR.R1. Blocks look at the word in the same waves: in every wave, or where waves are short now and
//     then. They ask before the wave's tasks, so that the trip is over when the wave is.
// SR.R2. One thread writes the word, once: who looked early and who looked late would else leave in
//     different waves. It names the wave after the next one in which blocks look.
// SR.R3. A block leaves before the wave that it saw named. Who looks in the wave of the write may see it
//     or not; at the next look all see it, because a barrier lies between: relaxed accesses do. So
//     nobody leaves before that look, and all leave in its wave.

#include <cstdint>

#include "gridloom/group.hpp"
#include "gridloom/portable.hpp"
#include "gridloom/watchdog.hpp"

namespace gridloom::wavefront {

/// The arithmetic of SR.R1 to SR.R3, in numbers of waves. The word is `none` until somebody writes it.
struct stop_rule {
  /// At least 1.
  std::uint32_t looks_every;

  /// SR.R1.
  GRIDLOOM_FN bool looks(std::uint32_t wave) const { return wave % looks_every == 0; }
  /// SR.R2: what to write during a wave.
  GRIDLOOM_FN std::uint32_t named(std::uint32_t wave) const {
    return (wave / looks_every + 1) * looks_every + 1;
  }
  /// SR.R3: whether to leave after a wave, by what was seen last.
  GRIDLOOM_FN static bool leaves(std::uint32_t wave, std::uint32_t seen) {
    return wave + 1 >= seen;
  }
};

/// A thread's part in SR.R1 to SR.R3, in the order of a wave: look, the wave's tasks, ask, barrier, leaves.
/// Callers name the word each time, so that no register holds its address.
class wave_stop {
 public:
  GRIDLOOM_FN explicit wave_stop(std::uint32_t looks_every) : rule_{looks_every} {}

  /// All threads, in every wave from the first on.
  template <class Memory>
  GRIDLOOM_FN void look(Memory& memory, std::uint32_t const* word, std::uint32_t wave) {
    if (rule_.looks(wave)) seen_ = memory.load_relaxed(word);  // SR.R1
  }
  /// All threads, in every wave. `asks`: for the one of the grid that asks the watchdog.
  template <class Memory>
  GRIDLOOM_FN void ask(Memory& memory, std::uint32_t* word, bool asks, watch& patience,
                       std::uint32_t wave, std::uint32_t waves) {
    if (!asks || has_named_ || !patience.stop(memory, wait_kind::barrier, wave, wave, waves))
      return;
    has_named_ = true;
    memory.store_relaxed(word, rule_.named(wave));  // SR.R2
  }
  /// SR.R3: whether to leave after the barrier that ends this wave.
  GRIDLOOM_FN bool leaves(std::uint32_t wave) const { return stop_rule::leaves(wave, seen_); }

 private:
  stop_rule rule_;
  bool has_named_ = false;
  std::uint32_t seen_ = 0;
};

/// Whether a thread is the one that asks.
template <thread_group Block>
GRIDLOOM_FN bool is_first_of_grid(Block const& block) {
  return block.index() == 0 && block.thread_rank() == 0;
}

}  // namespace gridloom::wavefront
