#pragma once
// What a kernel tells the host while those launched after it run. A copy would come after all of them and find
// the device idle by the time that the host has looked and launched more: some 13 µs on an H200, a fifth of a
// chain of panels (streamed_panels.hpp). So the kernel writes to host memory.
//
// V1. Number and news are one word in one access: neither is seen without the other. Nothing else becomes
//     visible by it. The host decides by it what to launch, and the stream orders that.
// V2. Kernels that tell through one board follow each other, so numbers only grow, and who waits for one may
//     find a later one.

#include <atomic>
#include <cstdint>

#include "gridloom/device.hpp"

#if defined(__CUDACC__)
#include <cuda/atomic>
#endif

namespace gridloom::tiled_qr {

/// A kernel's right to tell something once. Trivially copyable.
struct notice {
  std::uint64_t* word = nullptr;
  std::uint32_t number = 0;

  /// By one thread of one block. Without a word nobody listens.
  GRIDLOOM_FN void tell(std::int32_t news) const {
    if (word == nullptr) return;
    auto const whole = std::uint64_t{number} << 32 | static_cast<std::uint32_t>(news);
#if defined(__CUDA_ARCH__)
    cuda::atomic_ref<std::uint64_t, cuda::thread_scope_system>(*word).store(
        whole, cuda::std::memory_order_relaxed);  // V1
#else
    std::atomic_ref<std::uint64_t>(*word).store(whole, std::memory_order_relaxed);  // V1
#endif
  }
};

/// What was heard, and by which notice.
struct heard {
  std::uint32_t number;
  std::int32_t news;
};

/// Of one device; used by one thread.
class notice_board {
 public:
  /// `last`: the number before the first notice's.
  explicit notice_board(device& machine, std::uint32_t last = 0);

  /// For the kernel that is launched next. Numbers count up, past the largest to 0.
  notice next() { return {word_.data(), ++last_}; }
  /// Number of the last notice handed out.
  std::uint32_t last() const { return last_; }
  /// Waits until notice `number` or a later one is told, and returns the latest. Errors of kernels surface
  /// here. Throws run_error where all launches have ended and none has told it.
  heard wait(std::uint32_t number) const;

 private:
  heard look() const;
  /// Whether `number` or a later one was heard.
  static bool is_reached(heard const& now, std::uint32_t number) {
    return static_cast<std::int32_t>(now.number - number) >= 0;
  }

  device* machine_;
  buffer<std::uint64_t> word_;
  std::uint32_t last_;
};

}  // namespace gridloom::tiled_qr
