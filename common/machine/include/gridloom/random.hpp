#pragma once
// A random number generator with the same numbers on every platform, unlike the distributions of
// <random>. SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators",
// OOPSLA 2014) suffices for shuffles and resampling. Its state is one word, so a new seed for each
// repetition is cheap. It is not for cryptography.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "gridloom/portable.hpp"

namespace gridloom {

/// Used by one thread.
class random_source {
 public:
  GRIDLOOM_FN explicit random_source(std::uint64_t seed) : state_{seed} {}

  /// Skips `words` calls of next() at the cost of one call, so that threads can share one sequence.
  GRIDLOOM_FN void skip(std::uint64_t words) { state_ += words * step; }

  /// Uniform over all 64-bit words.
  GRIDLOOM_FN std::uint64_t next() {
    state_ += step;
    std::uint64_t word = state_;
    word = (word ^ (word >> 30U)) * 0xbf58476d1ce4e5b9U;
    word = (word ^ (word >> 27U)) * 0x94d049bb133111ebU;
    return word ^ (word >> 31U);
  }

  /// Uniform over [0, bound) without modulo bias; bound must not be 0.
  std::uint64_t below(std::uint64_t bound) {
    // The lowest 2^64 mod bound words would favour small results, so they are rejected.
    std::uint64_t const biased = (0 - bound) % bound;
    std::uint64_t word = next();
    while (word < biased) word = next();
    return word % bound;
  }

  /// Uniform over [0, 1) in steps of 2^-53.
  GRIDLOOM_FN double unit() { return static_cast<double>(next() >> 11U) * 0x1p-53; }

 private:
  static constexpr std::uint64_t step = 0x9e3779b97f4a7c15U;
  std::uint64_t state_;
};

/// A uniform permutation of 0 .. count - 1 (Fisher-Yates).
inline std::vector<std::size_t> random_permutation(std::size_t count, random_source& source) {
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  for (std::size_t i = count; i > 1; --i) {
    std::swap(order[i - 1], order[static_cast<std::size_t>(source.below(i))]);
  }
  return order;
}

}  // namespace gridloom
