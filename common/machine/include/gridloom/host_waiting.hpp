#pragma once
// How host workers wait. They give way: they spin briefly, then yield, then take naps that grow
// with the wait; beside other programs they nap at once. So a busy machine, or more workers than
// cores, costs a small factor. A waiter looks at its word again after each nap: writers need not
// notify it, and pay nothing.

#include <atomic>
#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom {

/// Where all workers of a launch on the host meet, again and again.
class host_barrier {
 public:
  explicit host_barrier(int workers) : workers_(static_cast<std::uint32_t>(workers)) {}
  /// What one worker wrote before it, all others see after it.
  void arrive_and_wait();

 private:
  std::uint32_t workers_;
  alignas(line_bytes) std::atomic<std::uint32_t> arrived_{0};
  alignas(line_bytes) std::atomic<std::uint32_t> meeting_{0};
};

}  // namespace gridloom
