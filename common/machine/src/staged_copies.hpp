#pragma once
// Large copies between a GPU and memory that is not pinned. The driver copies such memory with one
// thread, through its own pinned buffer, which is slower than the link. Here several threads fill
// or empty pinned pieces while other pieces are being transferred. The threads also share the page
// faults of fresh memory.

#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <functional>

namespace gridloom {

/// Each backend has one such object, used by the backend's thread.
class staged_copies {
 public:
  /// Smaller copies are not worth starting threads.
  static constexpr std::size_t least_bytes = std::size_t{8} << 20U;

  explicit staged_copies(int ordinal);
  ~staged_copies();
  staged_copies(staged_copies const&) = delete;
  staged_copies& operator=(staged_copies const&) = delete;

  /// Queues the copy on the stream. `from` may be changed after the call returns.
  void to_device(void* to, void const* from, std::size_t bytes, cudaStream_t stream);
  /// Copies after all earlier work of the stream, and returns when the copy is done.
  void to_host(void* to, void const* from, std::size_t bytes, cudaStream_t stream);

  /// Whether this is host memory that is not pinned, for which staged copies are faster.
  [[nodiscard]] static bool is_pageable(void const* memory);

 private:
  static constexpr std::size_t piece_bytes = std::size_t{2} << 20U;
  /// A power of two, and several times the number of threads, so that each thread has several
  /// pieces in transfer.
  static constexpr std::size_t num_pieces = 16;

  struct piece {
    std::byte* memory = nullptr;
    cudaEvent_t done = nullptr;
  };
  /// Calls body(thread, threads) in several threads. Rethrows the first exception.
  void by_threads(std::function<void(std::size_t, std::size_t)> const& body) const;
  void release() noexcept;

  int ordinal_;
  std::array<piece, num_pieces> pieces_{};
};

}  // namespace gridloom
