#pragma once
// Host backend: a worker is a host thread. Offers the same names as backend/cuda.hpp.

#include <barrier>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "gridloom/backend/types.hpp"
#include "gridloom/error.hpp"
#include "gridloom/group.hpp"

namespace gridloom {

/// Runs kernels on host threads. Not to be used by two threads at once.
class host_backend {
 public:
  /// More workers than cores are legal (they take turns); beyond this bound they are refused.
  static constexpr int max_workers = 1024;

  device_properties properties() const;

  void* allocate(std::size_t bytes);
  static void release(void* memory) noexcept { std::free(memory); }
  void copy_to_device(void* to, void const* from, std::size_t bytes) { copy(to, from, bytes); }
  void copy_to_host(void* to, void const* from, std::size_t bytes) { copy(to, from, bytes); }
  void fill_bytes(void* to, int byte, std::size_t bytes) { std::memset(to, byte, bytes); }
  void synchronize() {}

  template <class Kernel>
  int resident_blocks(int /*threads*/) const {
    return max_workers;
  }

  /// Runs the kernel once on `shape.blocks` workers and returns when all are done; `shape.threads`
  /// has no effect. The peers of a persistent kernel may wait for each other: each has a thread of
  /// its own.
  template <class Kernel>
  void launch(launch_shape shape, Kernel const& kernel) {
    if (recording_ != nullptr) {
      recording_->push_back([shape, kernel] { run(shape, kernel); });
      return;
    }
    run(shape, kernel);
  }

  /// Collects the launches that `body` makes, to be replayed by `replay`.
  template <class Body>
  launch_sequence record(Body&& body) {
    auto launches = std::make_shared<std::vector<std::function<void()>>>();
    struct guard {
      host_backend& self;
      ~guard() { self.recording_ = nullptr; }
    } const until_return{*this};
    recording_ = launches.get();
    body();
    return {launches};
  }
  void replay(launch_sequence const& sequence);

  void start_timer() { started_ = std::chrono::steady_clock::now(); }
  double stop_timer_ms() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - started_)
        .count();
  }

 private:
  static void copy(void* to, void const* from, std::size_t bytes) {
    if (bytes != 0) std::memcpy(to, from, bytes);  // an empty vector's address may be null
  }

  template <class Kernel>
  static void run(launch_shape shape, Kernel const& kernel) {
    std::barrier<> grid(shape.blocks);
    auto const worker = [&](int index) {
      typename Kernel::scratch scratch;
      kernel(host_block(index, shape.blocks, &grid), scratch);
    };
    std::vector<std::jthread> threads;
    threads.reserve(static_cast<std::size_t>(shape.blocks));
    for (int index = 1; index < shape.blocks; ++index) threads.emplace_back(worker, index);
    worker(0);
  }

  std::vector<std::function<void()>>* recording_ = nullptr;
  std::chrono::steady_clock::time_point started_;
};

}  // namespace gridloom
