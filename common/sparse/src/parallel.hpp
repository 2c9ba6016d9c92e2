#pragma once
// The one parallel loop of this library: readers are bound by parsing, not by scheduling.

#include <algorithm>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace gridloom::sparse {

/// Number of threads to use: `asked`, or one a processor (at most 16) when it is 0.
inline unsigned thread_count(int asked) {
  if (asked > 0) return static_cast<unsigned>(asked);
  return std::clamp(std::thread::hardware_concurrency(), 1U, 16U);
}

/// Calls body(thread) for thread = 0 .. threads - 1 at the same time, the last on the calling
/// thread, and rethrows one of the exceptions.
template <typename Body>
void on_threads(unsigned threads, Body const& body) {
  std::mutex guard;
  std::exception_ptr failure;
  auto const guarded = [&](unsigned thread) {
    try {
      body(thread);
    } catch (...) {
      std::lock_guard const lock{guard};
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned thread = 0; thread + 1 < threads; ++thread) others.emplace_back(guarded, thread);
    guarded(threads - 1);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace gridloom::sparse
