#pragma once
// Large copies between a GPU and memory that is not pinned. The driver has one thread bring such
// memory through a pinned buffer of its own, which is slower than the link; here several threads
// fill, or empty, pinned pieces while others are on their way. Pages of fresh memory are touched by
// all of them, too.

#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <functional>

namespace gridloom {

/// One a backend, whose thread calls.
class staged_copies {
 public:
  /// Below it a copy is not worth threads.
  static constexpr std::size_t least_bytes = std::size_t{8} << 20U;

  explicit staged_copies(int ordinal);
  ~staged_copies();
  staged_copies(staged_copies const&) = delete;
  staged_copies& operator=(staged_copies const&) = delete;

  /// Queued on the stream when it returns; `from` may change then.
  void to_device(void* to, void const* from, std::size_t bytes, cudaStream_t stream);
  /// Done when it returns, after what the stream had to do before.
  void to_host(void* to, void const* from, std::size_t bytes, cudaStream_t stream);

  /// Whether the memory is the host's and not pinned, so that a copy gains.
  [[nodiscard]] static bool is_pageable(void const* memory);

 private:
  static constexpr std::size_t piece_bytes = std::size_t{2} << 20U;
  /// A power of two, more than the threads, so that each has several on their way.
  static constexpr std::size_t num_pieces = 16;

  struct piece {
    std::byte* memory = nullptr;
    cudaEvent_t done = nullptr;
  };
  /// Calls body(thread, threads) by several threads and rethrows what one of them threw.
  void by_threads(std::function<void(std::size_t, std::size_t)> const& body) const;
  void release() noexcept;

  int ordinal_;
  std::array<piece, num_pieces> pieces_{};
};

}  // namespace gridloom
