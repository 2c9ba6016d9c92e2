#pragma once
// A word that a kernel sends to the host while later kernels run.
//
// A copy in the stream would come after all those kernels. Then an H200 would idle for 13 µs, until
// the host had read the copy and launched more. So the kernel writes to host memory.
//
// NO.R1. A notice's number and its news are one word, which is written and read as a whole. A host
//     that hears of a notice sees what its kernel wrote to host memory before it told it with
//     release order.
// NO.R2. Kernels that use one board run one after another, so numbers only grow. A host that waits
//     for one number may find a later one.

#include <atomic>
#include <cstdint>

#include "gridloom/device.hpp"

#if defined(__CUDACC__)
#include <cuda/atomic>
#endif

namespace gridloom {

namespace detail {
#if defined(__CUDA_ARCH__)
using told_word = cuda::atomic_ref<std::uint64_t, cuda::thread_scope_system>;
namespace told = cuda::std;
#else
using told_word = std::atomic_ref<std::uint64_t>;
namespace told = std;
#endif
}  // namespace detail

/// Permission for a kernel to send one notice. Trivially copyable.
struct notice {
  std::uint64_t* word = nullptr;
  std::uint32_t number = 0;

  /// Sends the notice. Called by one thread of one block. No effect if `word` is null. No other
  /// data may depend on it.
  GRIDLOOM_FN void tell(std::int32_t news) const {
    if (word != nullptr)
      detail::told_word(*word).store(whole(news), detail::told::memory_order_relaxed);  // NO.R1
  }
  /// The same, after the caller's block has written to staging memory what the host will read.
  GRIDLOOM_FN void tell_after_writes(std::int32_t news) const {
    if (word != nullptr)
      detail::told_word(*word).store(whole(news), detail::told::memory_order_release);  // NO.R1
  }

 private:
  [[nodiscard]] GRIDLOOM_FN std::uint64_t whole(std::int32_t news) const {
    return std::uint64_t{number} << 32 | static_cast<std::uint32_t>(news);
  }
};

/// A notice that the host has read: its news and its number.
struct heard {
  std::uint32_t number;
  std::int32_t news;
};

/// The notices of one device; used by one thread.
class notice_board {
 public:
  /// `last`: one less than the number of the first notice.
  explicit notice_board(device& machine, std::uint32_t last = 0);

  /// Returns the notice for the next kernel. Numbers count up, and wrap to 0.
  notice next() { return {word_.data(), ++last_}; }
  /// Number of the last notice handed out.
  std::uint32_t last() const { return last_; }
  /// Waits until notice `number` or a later one was sent, and returns the latest. Throws the errors
  /// of kernels. Throws run_error if all launches have ended and none has sent the notice.
  /// `lanes`: the kernels may be in the first so many lanes.
  heard wait(std::uint32_t number, int lanes = 0) const;

 private:
  heard look() const;
  /// Whether `now` is notice `number` or a later one.
  static bool is_reached(heard const& now, std::uint32_t number) {
    return static_cast<std::int32_t>(now.number - number) >= 0;
  }

  device* machine_;
  buffer<std::uint64_t> word_;
  std::uint32_t last_;
};

}  // namespace gridloom
