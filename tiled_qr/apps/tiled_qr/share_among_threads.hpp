#pragma once
// Independent calls on several host threads, for rivals that are quickest so.

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace gridloom::tiled_qr {

/// Calls f(0) to f(count - 1) by `threads` threads, the caller's among them, each of which takes the
/// next number when it has done one. Returns when all are done; the first exception is thrown again.
/// Starts the threads anew at each call, some ten microseconds each.
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

}  // namespace gridloom::tiled_qr
