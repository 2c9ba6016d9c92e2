#pragma once
// Runs independent calls on several host threads. Rivals use it where it is their fastest way, and
// checks use it for work on all elements of a matrix.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace gridloom::tiled_qr {

/// Calls f(0) to f(count - 1) on `threads` threads, including the caller's. A free thread takes the
/// next number. Returns when all threads are done, and rethrows the first exception. A thread whose
/// call throws takes no further number. Every call starts new threads, which takes about ten
/// microseconds per thread.
template <class Function>
void share_among_threads(std::int64_t count, int threads, Function const& f) {
  std::atomic<std::int64_t> next{0};
  std::exception_ptr error;
  std::mutex guard;
  auto const work = [&] {
    try {
      for (std::int64_t at = next++; at < count; at = next++) f(at);
    } catch (...) {
      std::lock_guard const lock(guard);
      if (!error) error = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (int thread = 1; thread < threads; ++thread) others.emplace_back(work);
    work();
  }
  if (error) std::rethrow_exception(error);
}

/// Returns the number of processors, for one thread on each.
inline int all_threads() {
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

/// Calls f(begin, end) for pieces of [0, count) on all threads. The pieces do not depend on the
/// number of threads.
template <class Function>
void share_range(std::size_t count, Function const& f) {
  constexpr std::size_t piece = std::size_t{1} << 18U;
  std::size_t const pieces = (count + piece - 1) / piece;
  int const threads = static_cast<int>(std::min<std::size_t>(pieces, std::size_t(all_threads())));
  share_among_threads(static_cast<std::int64_t>(pieces), threads, [&](std::int64_t number) {
    std::size_t const begin = static_cast<std::size_t>(number) * piece;
    f(begin, std::min(count, begin + piece));
  });
}

}  // namespace gridloom::tiled_qr
