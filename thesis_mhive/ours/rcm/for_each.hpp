#pragma once
// A kernel that calls a function for each of many numbers.

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "gridloom/device.hpp"
#include "gridloom/each.hpp"

namespace gridloom::mhive::rcm::levels {

/// Calls body(i) for i from 0 to n - 1, with one thread for each i.
template <class Body>
struct for_each_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;
  static constexpr int max_threads = 256;

  std::uint32_t n;
  Body body;

  template <class Block>
  GRIDLOOM_FN void operator()(Block const& block, scratch&) const {
    gridloom::for_each(block, n, body);
  }
};

/// Returns a launch for `threads` threads; on the host, with that many workers.
inline launch_shape shape_for(device const& machine, std::uint64_t threads, int workers) {
  constexpr int block = 256;
  constexpr std::uint64_t most = 1U << 20U;
  if (machine.is_host()) return {std::max(workers, 1), block};
  return {static_cast<int>(std::clamp<std::uint64_t>((threads + block - 1) / block, 1, most)),
          block};
}

/// `Machine` is a template parameter, because a device's launches exist only in sources that nvcc
/// compiles.
template <class Machine, class Body>
void for_each(Machine& machine, std::uint32_t n, int workers, Body const& body) {
  if (n != 0) machine.launch(shape_for(machine, n, workers), for_each_kernel<Body>{n, body});
}

/// Calls body with the number of words of a record as a constant.
template <class Body>
void with_words(int words, Body&& body) {
  if (words == 8) return body(std::integral_constant<int, 8>{});
  if (words == 16) return body(std::integral_constant<int, 16>{});
  body(std::integral_constant<int, 32>{});
}

}  // namespace gridloom::mhive::rcm::levels
