#pragma once
// How host workers wait. They give way: they spin briefly, then yield where workers share a core,
// then take naps that grow with the wait. So a busy machine, or more workers than cores, costs a
// small factor. A waiter polls its word also while it naps: writers need not notify, and pay
// nothing.

#include <atomic>
#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom {

/// Says how many workers run together from now on: waits take into account whether these are more
/// than cores. Called by whoever starts them.
void expect_host_workers(int workers);

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
