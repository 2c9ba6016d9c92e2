#pragma once
// Random durations of tasks. A duration depends only on a seed and on the task's number. So all
// algorithms on a graph run the same tasks, and no duration is stored.

#include <array>
#include <cmath>
#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom {

/// Distributions with mean 1. `uniform`: 0 to 2. `rare_long`: one task in a hundred is 50 times as
/// long as the others.
enum class task_durations : std::uint32_t { constant, uniform, exponential, rare_long };

inline constexpr std::array<char const*, 4> task_durations_names{"constant", "uniform",
                                                                 "exponential", "rare-long"};

/// Duration of a task as a multiple of the mean. Host and device may differ in the last digit.
GRIDLOOM_FN inline float duration_of(task_durations kind, std::uint32_t seed, std::uint32_t task) {
  if (kind == task_durations::constant) return 1.0F;
  // A 32-bit finaliser, applied twice, gives neighbouring seeds and tasks unrelated numbers.
  std::uint32_t x = task + 2654435769U * seed;
  for (int turn = 0; turn < 2; ++turn) {
    x = (x ^ (x >> 16)) * 2246822507U;
    x = (x ^ (x >> 13)) * 3266489909U;
    x = (x ^ (x >> 16)) + 2654435769U;
  }
  // `u` is in (0, 1).
  float const u = (static_cast<float>(x >> 9) + 0.5F) * (1.0F / 8388608.0F);
  if (kind == task_durations::uniform) return 2.0F * u;
  if (kind == task_durations::exponential) return -std::log(u);
  constexpr float usual = 1.0F / (0.99F + 0.01F * 50.0F);
  return u < 0.01F ? 50.0F * usual : usual;
}

}  // namespace gridloom
