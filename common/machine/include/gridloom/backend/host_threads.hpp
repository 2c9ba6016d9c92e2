#pragma once
// Threads that the host backend keeps between launches.
//
// A loop over kernels may launch every few microseconds, which is less than it takes to wake a
// thread. So idle threads look for the next launch for a while before they sleep. Blocks go to the
// threads that are awake, including the caller. A launch waits for a thread only if that thread has
// begun a block, or if blocks wait for each other.

#include <functional>
#include <memory>

namespace gridloom {

class host_threads {
 public:
  /// Largest number of blocks in one run.
  static constexpr int most_blocks = 1024;

  host_threads();
  ~host_threads();
  /// Runs body(0) on the calling thread and body(1) .. body(n - 1) on any threads. Returns when all
  /// these calls have returned. Blocks may wait for each other, because there is a thread for each
  /// block. Called by one thread at a time. The body must not throw.
  void run(int n, std::function<void(int)> const& body);

 private:
  class pool;
  std::unique_ptr<pool> pool_;
};

}  // namespace gridloom
