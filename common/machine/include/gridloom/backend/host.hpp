#pragma once
// Host backend: a worker is a host thread. Offers the same names as backend/cuda.hpp.

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

/// Runs kernels on host threads. Not to be used by two threads at once.
class host_backend {
 public:
  /// More workers than cores are legal (they take turns); beyond this bound they are refused.
  static constexpr int max_workers = host_threads::most_blocks;

  device_properties properties() const;
  void make_current() {}

  void* allocate(std::size_t bytes);
  static void release(void* memory) noexcept { std::free(memory); }
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
  kernel_facts facts(int /*threads*/) const {
    return {};
  }

  /// Runs the kernel once on `shape.blocks` workers and returns when all are done; `shape.threads`
  /// has no effect. The peers of a persistent kernel may wait for each other, see host_threads.
  template <class Kernel>
  void launch(launch_shape shape, Kernel const& kernel) {
    if (recording_ != nullptr) {
      recording_->push_back([this, shape, kernel] { run(shape, kernel); });
      return;
    }
    run(shape, kernel);
  }
  /// The host has one lane: launches follow each other.
  template <class Kernel>
  void launch_beside(int /*lane*/, launch_shape shape, Kernel const& kernel) {
    launch(shape, kernel);
  }
  void begin_lanes(int /*lanes*/) {}
  void join_lanes(int /*lanes*/) {}
  static void* lane_stream(int /*lane*/) { return nullptr; }

  /// Workers for a kernel beside another one of so many.
  template <class Kernel>
  int resident_beside(int /*threads*/, int others) const {
    return max_workers - others;
  }
  /// Runs two kernels at the same time, each worker of both on a thread of its own; returns when all
  /// are done. Not in a recording.
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

  /// Collects the launches that `body` makes, to be replayed by `replay`.
  template <class Body, class... Arguments>
  launch_sequence record(Body&& body, Arguments... arguments) {
    auto launches = std::make_shared<std::vector<std::function<void()>>>();
    struct guard {
      host_backend& self;
      ~guard() { self.recording_ = nullptr; }
    } const until_return{*this};
    recording_ = launches.get();
    body(arguments...);
    return {launches};
  }
  /// The same; each replay repeats the launches until a kernel of theirs ends the loop.
  template <class Body>
  launch_sequence record_loop(Body&& body) {
    auto const goes_on = std::make_shared<std::uint32_t>(0);
    return repeated(record(body, loop_ref{0, goes_on.get()}), goes_on);
  }
  void replay(launch_sequence const& sequence);

  void start_timer() { started_ = std::chrono::steady_clock::now(); }
  double stop_timer_ms() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - started_)
        .count();
  }

 private:
  launch_sequence repeated(launch_sequence const& pass,
                           std::shared_ptr<std::uint32_t> const& goes_on);
  static void copy(void* to, void const* from, std::size_t bytes) {
    if (bytes != 0) std::memcpy(to, from, bytes);  // an empty vector's address may be null
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
  std::chrono::steady_clock::time_point started_;
};

/// The host has no launches from a running kernel: always an error number.
template <class Kernel>
GRIDLOOM_FN int launch_from_device(thread_of_one const& /*from*/, launch_shape /*shape*/,
                                   Kernel const& /*kernel*/) {
  return -1;
}

/// Ends a recorded loop when the pass that the calling kernel belongs to is over. Called by one
/// worker at a time.
GRIDLOOM_FN inline void end_loop(host_block const& /*from*/, loop_ref loop) { *loop.goes_on = 0; }

}  // namespace gridloom
