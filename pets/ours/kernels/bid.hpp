#pragma once
// A reduction over a warp that finds the processor on which a task finishes first.

#include <cstdint>

#include "gridloom/collectives.hpp"
#include "gridloom/group.hpp"

namespace gridloom::pets {

inline constexpr std::uint32_t most_batch_processors = 128;
inline constexpr int batch_processor_bits = 7;
static_assert(most_batch_processors == 1U << batch_processor_bits);

/// A processor's bid for a task. The earliest finish wins; of equal ones, the lowest processor.
template <class Word>
struct bid {
  Word finish;
  std::uint32_t processor;

  GRIDLOOM_FN static bid none() { return {static_cast<Word>(~Word{0}), ~0U}; }
  GRIDLOOM_FN bool operator<(bid const& other) const {
    return finish < other.finish || (finish == other.finish && processor < other.processor);
  }
};

/// The best bid of a warp. Words of 32 bits hold finish and processor together.
template <class Word, warp_group Warp>
GRIDLOOM_FN bid<Word> best_of(Warp const& warp, bid<Word> own) {
  collective_scratch<std::uint32_t, 1> not_needed;
  if constexpr (sizeof(Word) == 4) {
    constexpr std::uint32_t mask = most_batch_processors - 1;
    std::uint32_t const least =
        reduce(warp, not_needed, own.finish << batch_processor_bits | (own.processor & mask),
               minimum_of{});
    return {least >> batch_processor_bits, least & mask};
  } else {
    auto const high = static_cast<std::uint32_t>(own.finish >> 32U);
    auto const low = static_cast<std::uint32_t>(own.finish);
    std::uint32_t const least_high = reduce(warp, not_needed, high, minimum_of{});
    bool const first = high == least_high;
    std::uint32_t const least_low = reduce(warp, not_needed, first ? low : ~0U, minimum_of{});
    bool const both = first && low == least_low;
    std::uint32_t const processor =
        reduce(warp, not_needed, both ? own.processor : ~0U, minimum_of{});
    return {Word{least_high} << 32U | least_low, processor};
  }
}

}  // namespace gridloom::pets
