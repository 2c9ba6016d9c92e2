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
  std::string backend;                 ///< "host" or "cuda"
  std::string name;                    ///< processor or GPU, as the system calls it
  int multiprocessors = 0;             ///< SMs; hardware threads on the host
  int max_threads = 1;                 ///< of one block
  int threads_per_multiprocessor = 1;  ///< that it holds at once
  double ticks_per_ns = 1;             ///< of `now_ticks()`
  std::size_t l2_bytes = 0;            ///< 0 if not known
  std::size_t memory_bytes = 0;
  std::string driver;   ///< empty on the host
  std::string runtime;  ///< CUDA runtime; empty on the host
  std::string bus_id;   ///< PCI address of the GPU, as NVML takes it; empty on the host
};

/// What the compiler made of a kernel; zeros on the host.
struct kernel_facts {
  int threads = 0;  ///< of a block
  int registers = 0;
  int local_bytes = 0;  ///< spilled, a thread
  int shared_bytes = 0;
  int blocks_per_multiprocessor = 0;  ///< that run at once
};

/// Launches recorded once and replayed as a whole: a CUDA graph, or a list of calls on the host.
struct launch_sequence {
  std::shared_ptr<void> launches;
};

/// What kernels end a recorded loop by, with `end_loop`. Belongs to the sequence it was recorded
/// in.
struct loop_ref {
  unsigned long long condition = 0;  // of a CUDA graph
  std::uint32_t* goes_on = nullptr;  // on the host
};

/// An empty scratch, for kernels that need none.
struct no_scratch {};

}  // namespace gridloom
