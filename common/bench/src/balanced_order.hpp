#pragma once
// The order in which the arms of a group run. In a fixed order, effects of the position (clocks
// that ramp up, a device that warms, caches that the predecessor filled) would always hit the same
// arm. The rows of a Williams design cancel both effects (Williams: "Experimental designs balanced
// for the estimation of residual effects of treatments", 1949).

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gridloom {

/// The arms 0 .. arms - 1 in the order in which they run in this repetition. The seed permutes
/// their numbers. Over n repetitions of n arms, starting at a multiple of n, every arm takes every
/// position once. Over n repetitions (n even) or 2n (n odd), every arm also runs directly after
/// every other one equally often. So two arms are balanced after an even number of repetitions,
/// three arms after a multiple of 6, four after a multiple of 4, and five after a multiple of 10.
/// Without arms the order is empty.
[[nodiscard]] std::vector<std::size_t> balanced_order(std::size_t arms, std::size_t repetition,
                                                      std::uint64_t seed);

}  // namespace gridloom
