#pragma once
// Types that both backends share: launch shapes, properties, recorded launches.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace gridloom {

/// Number of blocks of a launch, and of threads per block.
struct launch_shape {
  int blocks = 1;
  int threads = 1;
  /// Bytes of shared memory per block that nobody uses: see device::padding_for().
  std::size_t padding = 0;
};

/// Facts about the machine of a run.
struct device_properties {
  /// "host" or "cuda".
  std::string backend;
  /// Name of the processor or GPU, from the system.
  std::string name;
  /// Number of multiprocessors; on the host, number of hardware threads.
  int multiprocessors = 0;
  /// Largest number of threads in a block.
  int max_threads = 1;
  /// Number of threads that a multiprocessor holds at once.
  int threads_per_multiprocessor = 1;
  /// Compute capability: 90 means 9.0; 0 on the host.
  int compute_capability = 0;
  /// Ticks of `now_ticks()` per nanosecond.
  double ticks_per_ns = 1;
  std::size_t memory_bytes = 0;
  /// Version of the CUDA driver; empty on the host.
  std::string driver;
  /// Version of the CUDA runtime; empty on the host.
  std::string runtime;
  /// PCI address of the GPU, for NVML; empty on the host.
  std::string bus_id;
};

/// Name of the host's processor; "unknown" if the system does not give it (on Arm).
[[nodiscard]] std::string processor_name();

/// Resources of a compiled kernel; zeros on the host.
struct kernel_facts {
  /// Threads per block.
  int threads = 0;
  int registers = 0;
  /// Bytes per thread of memory for spilled registers.
  int local_bytes = 0;
  int shared_bytes = 0;
  /// Blocks that run on a multiprocessor at once.
  int blocks_per_multiprocessor = 0;
};

/// Recorded launches that are replayed as a whole: a CUDA graph, or a list of calls on the host.
struct launch_sequence {
  std::shared_ptr<void> launches;
  /// Bytes of the list on the host. The memory of a CUDA graph shows in device::free_bytes().
  std::size_t bytes = 0;
};

/// Identifies a recorded loop to `end_loop`. Valid only in the sequence that recorded the loop.
struct loop_ref {
  /// Handle of a CUDA graph's condition.
  unsigned long long condition = 0;
  /// On the host: writing 0 ends the loop.
  std::uint32_t* continues = nullptr;
};

/// The scratch of kernels that need none.
struct no_scratch {};

}  // namespace gridloom
