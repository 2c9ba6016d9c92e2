#pragma once
// Host backend: a worker is a host thread. It has the same names as backend/cuda.hpp.

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gridloom/backend/host_threads.hpp"
#include "gridloom/backend/types.hpp"
#include "gridloom/error.hpp"
#include "gridloom/group.hpp"

namespace gridloom {

/// Runs kernels on host threads. Used by one thread at a time.
class host_backend {
 public:
  /// Largest number of workers. More workers than cores are allowed. They share the cores.
  static constexpr int max_workers = host_threads::most_blocks;

  device_properties properties() const;
  void make_current() {}

  void* allocate(std::size_t bytes);
  static void release(void* memory) noexcept { std::free(memory); }
  static std::size_t free_bytes() { return 0; }
  void* allocate_staging(std::size_t bytes) { return allocate(bytes); }
  static void release_staging(void* memory) noexcept { release(memory); }
  void copy_to_device(void* to, void const* from, std::size_t bytes) { copy(to, from, bytes); }
  void copy_to_host(void* to, void const* from, std::size_t bytes) { copy(to, from, bytes); }
  void copy_on_device(void* to, void const* from, std::size_t bytes) { copy(to, from, bytes); }
  void fill_bytes(void* to, int byte, std::size_t bytes) { std::memset(to, byte, bytes); }
  void synchronize() {}
  void* stream() const { return nullptr; }

  template <class Kernel>
  int resident_blocks(int /*threads*/) const {
    return max_workers;
  }
  template <class Kernel>
  std::size_t padding_for(int /*threads*/, int /*most*/) const {
    return 0;
  }
  template <class Kernel>
  kernel_facts facts(int /*threads*/) const {
    return {};
  }

  /// Runs the kernel on `shape.blocks` workers and returns when all are done. `shape.threads` has
  /// no effect. The workers of a persistent kernel may wait for each other; see host_threads.
  template <class Kernel>
  void launch(launch_shape shape, Kernel const& kernel) {
    if (recording_ != nullptr) {
      auto const call = [this, shape, kernel] { run(shape, kernel); };
      recorded_bytes_ += sizeof(std::function<void()>) + sizeof(call);
      recording_->push_back(call);
      return;
    }
    run(shape, kernel);
  }
  /// The host has one lane, so the launches of all lanes run one after the other.
  template <class Kernel>
  void launch_beside(int /*lane*/, launch_shape shape, Kernel const& kernel) {
    launch(shape, kernel);
  }
  void begin_lanes(int /*lanes*/) {}
  void join_lanes(int /*lanes*/) {}
  static void* lane_stream(int /*lane*/) { return nullptr; }

  /// Number of workers that can run a kernel beside another one with `others` workers.
  template <class Kernel>
  int resident_beside(int /*threads*/, int others) const {
    return max_workers - others;
  }
  /// Runs two kernels at the same time, each worker on its own thread, and returns when all are
  /// done. Cannot be recorded.
  template <class First, class Second>
  void launch_together(launch_shape first_shape, First const& first, launch_shape second_shape,
                       Second const& second) {
    host_barrier first_grid(first_shape.blocks);
    host_barrier second_grid(second_shape.blocks);
    threads_.run(first_shape.blocks + second_shape.blocks, [&](int index) {
      if (index < first_shape.blocks) {
        typename First::scratch scratch;
        first(host_block(index, first_shape.blocks, &first_grid), scratch);
      } else {
        typename Second::scratch scratch;
        second(host_block(index - first_shape.blocks, second_shape.blocks, &second_grid), scratch);
      }
    });
  }

  /// Collects the launches that `body` makes, for `replay`.
  template <class Body, class... Arguments>
  launch_sequence record(Body&& body, Arguments... arguments) {
    auto launches = std::make_shared<std::vector<std::function<void()>>>();
    struct guard {
      host_backend& self;
      ~guard() { self.recording_ = nullptr; }
    } const until_return{*this};
    recording_ = launches.get();
    recorded_bytes_ = 0;
    body(arguments...);
    return {launches, recorded_bytes_};
  }
  /// Collects the launches. A replay repeats them until one of their kernels ends the loop.
  template <class Body>
  launch_sequence record_loop(Body&& body) {
    auto const continues = std::make_shared<std::uint32_t>(0);
    return repeated(record(body, loop_ref{0, continues.get()}), continues);
  }
  void replay(launch_sequence const& recorded);

  void start_timer() { started_ = std::chrono::steady_clock::now(); }
  double stop_timer_ms() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - started_)
        .count();
  }

 private:
  launch_sequence repeated(launch_sequence const& pass,
                           std::shared_ptr<std::uint32_t> const& continues);
  static void copy(void* to, void const* from, std::size_t bytes) {
    // The address of an empty vector may be null.
    if (bytes != 0) std::memcpy(to, from, bytes);
  }

  template <class Kernel>
  void run(launch_shape shape, Kernel const& kernel) {
    host_barrier grid(shape.blocks);
    threads_.run(shape.blocks, [&](int index) {
      typename Kernel::scratch scratch;
      kernel(host_block(index, shape.blocks, &grid), scratch);
    });
  }

  host_threads threads_;
  std::vector<std::function<void()>>* recording_ = nullptr;
  std::size_t recorded_bytes_ = 0;
  std::chrono::steady_clock::time_point started_;
};

/// Always returns an error number, because the host cannot launch from a running kernel.
template <class Kernel>
GRIDLOOM_FN int launch_from_device(thread_of_one const& /*from*/, launch_shape /*shape*/,
                                   Kernel const& /*kernel*/) {
  return -1;
}

/// Ends a recorded loop after the current pass. Called by one worker at a time.
GRIDLOOM_FN inline void end_loop(host_block const& /*from*/, loop_ref loop) { *loop.continues = 0; }

}  // namespace gridloom
