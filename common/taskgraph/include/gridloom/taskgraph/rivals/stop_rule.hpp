#pragma once
// Lets all blocks of a persistent kernel leave at the same barrier when the watchdog stops the run.
// The kernel runs level by level (a level is a wave in the paper), with a barrier after each. If
// only some blocks left, the others would wait at the barrier forever. One word holds the decision.
//
// Rules of order, cited where they are served:
// SR.R1. All blocks look at the word in the same waves: in every wave, or every few waves if waves
//     are short. They load the word before the wave's tasks, so that both overlap.
// SR.R2. One thread writes the word, once. If the word changed again, blocks that look early and
//     late could leave in different waves. The word names the wave after the next look.
// SR.R3. A block leaves before the wave that the word names. A block that looks in the wave of the
//     write may or may not see it. At the next look all blocks see it, because a barrier lies in
//     between. So relaxed accesses suffice, no block leaves before that look, and all blocks leave
//     in the wave of that look.

#include <cstdint>

#include "gridloom/group.hpp"
#include "gridloom/portable.hpp"
#include "gridloom/watchdog.hpp"

namespace gridloom {

/// The arithmetic of SR.R1 to SR.R3 on numbers of waves. The word is `none` until it is written.
struct stop_rule {
  /// Number of waves between two looks at the word, at least 1.
  std::uint32_t looks_every;

  /// Whether blocks look at the word in this wave (SR.R1).
  GRIDLOOM_FN bool looks(std::uint32_t wave) const { return wave % looks_every == 0; }
  /// The wave to name in the word, if it is written during `wave` (SR.R2).
  GRIDLOOM_FN std::uint32_t named(std::uint32_t wave) const {
    return (wave / looks_every + 1) * looks_every + 1;
  }
  /// Whether to leave after a wave, if `seen` was the last value of the word (SR.R3).
  GRIDLOOM_FN static bool leaves(std::uint32_t wave, std::uint32_t seen) {
    return wave + 1 >= seen;
  }
};

/// One thread's state. The order in a wave is: look(), the wave's tasks, ask(), the barrier,
/// leaves(). Callers pass the word each time, so that no register holds its address.
class wave_stop {
 public:
  GRIDLOOM_FN explicit wave_stop(std::uint32_t looks_every) : rule_{looks_every} {}

  /// Called by all threads, in every wave from the first on.
  template <class Memory>
  GRIDLOOM_FN void look(Memory& memory, std::uint32_t const* word, std::uint32_t wave) {
    if (rule_.looks(wave)) seen_ = memory.load_relaxed(word);  // SR.R1
  }
  /// Called by all threads, in every wave. `asks` is true in the one thread that asks the watchdog.
  template <class Memory>
  GRIDLOOM_FN void ask(Memory& memory, std::uint32_t* word, bool asks, watch& patience,
                       std::uint32_t wave, std::uint32_t waves) {
    if (!asks || has_named_ || !patience.stop(memory, wait_kind::barrier, wave, wave, waves))
      return;
    has_named_ = true;
    memory.store_relaxed(word, rule_.named(wave));  // SR.R2
  }
  /// Whether to leave after the barrier that ends this wave (SR.R3).
  GRIDLOOM_FN bool leaves(std::uint32_t wave) const { return stop_rule::leaves(wave, seen_); }

 private:
  stop_rule rule_;
  bool has_named_ = false;
  std::uint32_t seen_ = 0;
};

/// Whether this thread is the one that asks the watchdog.
template <thread_group Block>
GRIDLOOM_FN bool is_first_of_grid(Block const& block) {
  return block.index() == 0 && block.thread_rank() == 0;
}

}  // namespace gridloom
