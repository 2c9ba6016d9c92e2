#pragma once
// Large copies between a GPU and memory that is not pinned. The driver copies such memory with one
// thread, through its own pinned buffer, which is slower than the link. Here several threads fill
// or empty pinned pieces while other pieces are being transferred. The threads also share the page
// faults of fresh memory.

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "gridloom/backend/cuda.hpp"

namespace gridloom {

/// Each backend has one such object, used by the backend's thread.
class staged_copies {
 public:
  /// Smaller copies are not worth starting threads.
  static constexpr std::size_t least_bytes = std::size_t{8} << 20U;

  explicit staged_copies(int ordinal) : ordinal_(ordinal) {
    try {
      for (piece& one : pieces_) {
        GRIDLOOM_CUDA_TRY(cudaMallocHost(reinterpret_cast<void**>(&one.memory), piece_bytes));
        GRIDLOOM_CUDA_TRY(cudaEventCreateWithFlags(&one.done, cudaEventDisableTiming));
      }
    } catch (...) {
      release();
      throw;
    }
  }
  ~staged_copies() { release(); }
  staged_copies(staged_copies const&) = delete;
  staged_copies& operator=(staged_copies const&) = delete;

  /// Queues the copy on the stream. `from` may be changed after the call returns.
  void to_device(void* to, void const* from, std::size_t bytes, cudaStream_t stream) {
    by_threads([&](std::size_t thread, std::size_t threads) {
      for (std::size_t i = thread; i * piece_bytes < bytes; i += threads) {
        piece const& own = pieces_[i % num_pieces];
        std::size_t const at = i * piece_bytes;
        std::size_t const size = std::min(piece_bytes, bytes - at);
        // Waits until the last copy from this piece is done.
        GRIDLOOM_CUDA_TRY(cudaEventSynchronize(own.done));
        std::memcpy(own.memory, static_cast<std::byte const*>(from) + at, size);
        GRIDLOOM_CUDA_TRY(cudaMemcpyAsync(static_cast<std::byte*>(to) + at, own.memory, size,
                                          cudaMemcpyHostToDevice, stream));
        GRIDLOOM_CUDA_TRY(cudaEventRecord(own.done, stream));
      }
    });
  }
  /// Copies after all earlier work of the stream, and returns when the copy is done.
  void to_host(void* to, void const* from, std::size_t bytes, cudaStream_t stream) {
    by_threads([&](std::size_t thread, std::size_t threads) {
      std::size_t const own_pieces = num_pieces / threads;
      std::size_t const all = (bytes + piece_bytes - 1) / piece_bytes;
      std::size_t const own = all > thread ? (all - thread + threads - 1) / threads : 0;
      auto const size_of = [&](std::size_t i) {
        return std::min(piece_bytes, bytes - i * piece_bytes);
      };
      auto const send = [&](std::size_t k) {
        std::size_t const i = thread + k * threads;
        piece const& target = pieces_[i % num_pieces];
        GRIDLOOM_CUDA_TRY(cudaMemcpyAsync(target.memory,
                                          static_cast<std::byte const*>(from) + i * piece_bytes,
                                          size_of(i), cudaMemcpyDeviceToHost, stream));
        GRIDLOOM_CUDA_TRY(cudaEventRecord(target.done, stream));
      };
      // Earlier copies to the device may still read the pieces. The stream orders these copies.
      for (std::size_t k = 0; k < std::min(own_pieces, own); ++k) send(k);
      for (std::size_t k = 0; k < own; ++k) {
        std::size_t const i = thread + k * threads;
        piece const& source = pieces_[i % num_pieces];
        GRIDLOOM_CUDA_TRY(cudaEventSynchronize(source.done));
        std::memcpy(static_cast<std::byte*>(to) + i * piece_bytes, source.memory, size_of(i));
        if (k + own_pieces < own) send(k + own_pieces);
      }
    });
  }

  /// Whether this is host memory that is not pinned, for which staged copies are faster.
  [[nodiscard]] static bool is_pageable(void const* memory) {
    cudaPointerAttributes about{};
    GRIDLOOM_CUDA_TRY(cudaPointerGetAttributes(&about, memory));
    return about.type == cudaMemoryTypeUnregistered;
  }

 private:
  // On a server, this many threads read memory as fast as the link transfers it.
  static constexpr std::size_t most_threads = 4;
  static constexpr std::size_t piece_bytes = std::size_t{2} << 20U;
  /// A power of two, and several times the number of threads, so that each thread has several
  /// pieces in transfer.
  static constexpr std::size_t num_pieces = 16;

  struct piece {
    std::byte* memory = nullptr;
    cudaEvent_t done = nullptr;
  };
  /// Calls body(thread, threads) in several threads. Rethrows the first exception.
  void by_threads(std::function<void(std::size_t, std::size_t)> const& body) const {
    std::size_t const cores = std::max(1U, std::thread::hardware_concurrency());
    // The number of threads is a power of two, so that each piece belongs to one thread.
    std::size_t threads = 1;
    while (2 * threads <= std::min(cores, most_threads)) threads *= 2;
    std::mutex guard;
    std::exception_ptr failure;
    auto const run = [&](std::size_t thread) {
      try {
        GRIDLOOM_CUDA_TRY(cudaSetDevice(ordinal_));
        body(thread, threads);
      } catch (...) {
        std::lock_guard const lock(guard);
        if (!failure) failure = std::current_exception();
      }
    };
    std::vector<std::jthread> others;
    for (std::size_t thread = 1; thread < threads; ++thread) others.emplace_back(run, thread);
    run(0);
    // Joins the threads.
    others.clear();
    if (failure) std::rethrow_exception(failure);
  }
  void release() noexcept {
    for (piece& one : pieces_) {
      if (one.done != nullptr) (void)cudaEventDestroy(one.done);
      if (one.memory != nullptr) (void)cudaFreeHost(one.memory);
    }
  }

  int ordinal_;
  std::array<piece, num_pieces> pieces_{};
};

}  // namespace gridloom
