#pragma once
// What both backends speak of: shapes, properties, recorded launches.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace gridloom {

/// Blocks of a launch and threads of a block.
struct launch_shape {
  int blocks = 1;
  int threads = 1;
};

/// What a run records about the machine it ran on.
struct device_properties {
  /// "host" or "cuda".
  std::string backend;
  /// Processor or GPU, as the system calls it.
  std::string name;
  /// On the host, hardware threads.
  int multiprocessors = 0;
  /// Of one block.
  int max_threads = 1;
  /// That it holds at once.
  int threads_per_multiprocessor = 1;
  /// 90 means 9.0; 0 on the host.
  int compute_capability = 0;
  /// Of `now_ticks()`.
  double ticks_per_ns = 1;
  /// 0 if not known.
  std::size_t l2_bytes = 0;
  std::size_t memory_bytes = 0;
  /// Empty on the host.
  std::string driver;
  /// Of CUDA; empty on the host.
  std::string runtime;
  /// PCI address of the GPU, as NVML takes it; empty on the host.
  std::string bus_id;
};

/// What the compiler made of a kernel; zeros on the host.
struct kernel_facts {
  /// Of a block.
  int threads = 0;
  int registers = 0;
  /// Spilled, of a thread.
  int local_bytes = 0;
  int shared_bytes = 0;
  /// That run at once.
  int blocks_per_multiprocessor = 0;
};

/// Launches recorded once and replayed as a whole: a CUDA graph, or a list of calls on the host.
struct launch_sequence {
  std::shared_ptr<void> launches;
};

/// By this a kernel ends a recorded loop: see `end_loop`. Belongs to the sequence it was recorded
/// in.
struct loop_ref {
  /// Of a CUDA graph.
  unsigned long long condition = 0;
  /// On the host: 0 ends the loop.
  std::uint32_t* goes_on = nullptr;
};

/// An empty scratch, for kernels that need none.
struct no_scratch {};

}  // namespace gridloom
