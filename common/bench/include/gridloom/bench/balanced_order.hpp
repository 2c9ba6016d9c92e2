#pragma once
// In which order the arms of an experiment run. A fixed order would give whatever comes with the
// position (clocks that ramp up, a device that warms, caches the predecessor filled) to always the
// same arm. The rows of a Williams design cancel both effects (Williams: "Experimental designs
// balanced for the estimation of residual effects of treatments", 1949).

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gridloom {

/// The arms 0 .. arms - 1 in the order in which they run in this repetition; the seed names them
/// anew. For n arms, in any n repetitions from a multiple of n, every arm takes every position
/// exactly once. In n repetitions (n even) or 2n (n odd) from a multiple of that, every arm also
/// runs directly after every other equally often: once or twice. So with an even number of
/// repetitions two arms are balanced, with a multiple of 6 three, of 4 four, of 10 five. No arms
/// give an empty order.
[[nodiscard]] std::vector<std::size_t> balanced_order(std::size_t arms, std::size_t repetition,
                                                      std::uint64_t seed);

}  // namespace gridloom
