#pragma once
// Threads that the host backend keeps between launches. A loop over kernels may launch every few
// microseconds, which is less than it takes to wake a thread, and much less beside other programs.
// So they look out for the next launch for a while before they sleep, and whoever is awake runs the
// next block, the caller too: a launch waits for a thread only if that has begun a block, or if
// blocks wait for each other.

#include <functional>
#include <memory>

namespace gridloom {

class host_threads {
 public:
  /// Of one run.
  static constexpr int most_blocks = 1024;

  host_threads();
  ~host_threads();
  /// Runs body(0) on the calling thread, and body(1) .. body(n - 1) on it or on others; returns
  /// when all have returned. Blocks may wait for each other: for each that nobody has begun there
  /// is a thread that will. Not to be called by two threads at once; the body throws nothing.
  void run(int n, std::function<void(int)> const& body);

 private:
  class pool;
  std::unique_ptr<pool> pool_;
};

}  // namespace gridloom
