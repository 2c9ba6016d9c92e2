#pragma once
// How host workers wait: they spin briefly, then yield, then sleep for times that grow with the
// wait. If other programs need the cores, the workers sleep at once. So a busy machine, or more
// workers than cores, costs only a small factor. A waiting worker reads its word after each sleep,
// so writers need not notify it.

#include <atomic>
#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom {

/// A reusable barrier for all workers of a launch on the host.
class host_barrier {
 public:
  explicit host_barrier(int workers) : workers_(static_cast<std::uint32_t>(workers)) {}
  /// Returns when all workers have arrived. Each worker then sees what the others wrote before.
  void arrive_and_wait();

 private:
  std::uint32_t workers_;
  alignas(line_bytes) std::atomic<std::uint32_t> arrived_{0};
  alignas(line_bytes) std::atomic<std::uint32_t> meeting_{0};
};

}  // namespace gridloom
