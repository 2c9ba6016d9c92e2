#pragma once
// The order in which the arms of a group run. Clocks ramp up, a device warms, and a run finds the
// caches as its predecessor left them. In a fixed order, these effects would always hit the same
// arm. The rows of a Williams design cancel them (Williams: "Experimental designs balanced for the
// estimation of residual effects of treatments", 1949).

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gridloom {

/// The arms 0 .. arms - 1 in the order in which they run in this repetition. The seed permutes
/// their numbers. Over n repetitions of n arms, starting at a multiple of n, every arm takes every
/// position once. Over n repetitions (n even) or 2n (n odd), every arm also runs directly after
/// every other one equally often. So n arms are balanced after a multiple of n (n even) or 2n (n
/// odd) repetitions. Without arms the order is empty.
[[nodiscard]] std::vector<std::size_t> balanced_order(std::size_t arms, std::size_t repetition,
                                                      std::uint64_t seed);

}  // namespace gridloom
