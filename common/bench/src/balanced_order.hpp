#pragma once
// The order in which the arms of a group run. Clocks ramp up, a device warms, and a run finds the
// caches as its predecessor left them. In a fixed order, these effects would always hit the same
// arm. The rows of a Williams design cancel them (Williams: "Experimental designs balanced for the
// estimation of residual effects of treatments", 1949).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gridloom/random.hpp"

namespace gridloom {

/// The arms 0 .. arms - 1 in the order in which they run in this repetition. The seed permutes
/// their numbers. Over n repetitions of n arms, starting at a multiple of n, every arm takes every
/// position once. Over n repetitions (n even) or 2n (n odd), every arm also runs directly after
/// every other one equally often. So n arms are balanced after a multiple of n (n even) or 2n (n
/// odd) repetitions. Without arms the order is empty.
[[nodiscard]] inline std::vector<std::size_t> balanced_order(std::size_t arms,
                                                             std::size_t repetition,
                                                             std::uint64_t seed) {
  if (arms == 0) return {};
  random_source source{seed};
  std::vector<std::size_t> const names = random_permutation(arms, source);
  std::size_t const row = repetition % arms;
  std::vector<std::size_t> order(arms);
  for (std::size_t position = 0; position < arms; ++position) {
    // The order 0, 1, n - 1, 2, n - 2, ... has the differences 1, -2, 3, ... If n is even, each
    // non-zero difference occurs once, so over all rows every ordered pair occurs once. If n is
    // odd, each difference occurs twice or never, and the reversed rows have the other differences.
    std::size_t const zigzag =
        position % 2 == 1 ? (position + 1) / 2 : (arms - position / 2) % arms;
    order[position] = names[(zigzag + row) % arms];
  }
  bool const reversed = arms % 2 == 1 && repetition / arms % 2 == 1;
  if (reversed) std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace gridloom
