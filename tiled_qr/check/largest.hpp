#pragma once
// Finds the largest absolute value of many numbers, with all threads.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <mutex>
#include <span>

#include "check/share_among_threads.hpp"

namespace gridloom::tiled_qr {

/// Returns 0 for no numbers, and infinity if a number is not finite.
template <class T>
T largest_of(std::span<T const> values) {
  T largest = 0;
  std::mutex guard;
  share_range(values.size(), [&](std::size_t begin, std::size_t end) {
    T own = 0;
    bool finite = true;
    for (std::size_t at = begin; at < end; ++at) {
      T const x = std::abs(values[at]);
      finite = finite && x <= std::numeric_limits<T>::max();
      own = std::max(own, x);
    }
    std::lock_guard const lock(guard);
    largest = std::max(largest, finite ? own : std::numeric_limits<T>::infinity());
  });
  return largest;
}

}  // namespace gridloom::tiled_qr
