#pragma once
// CUDA backend: a worker is a thread block. It has the same names as backend/host.hpp. Any source
// may use the class; only sources that nvcc compiles may call `launch`.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "gridloom/backend/types.hpp"
#include "gridloom/error.hpp"
#include "gridloom/group.hpp"

#if GRIDLOOM_HAS_CUDA
#include <cuda_runtime_api.h>

namespace gridloom {

namespace detail {
/// If `status` is an error, throws run_error with the call, its file and line, and the message of
/// the CUDA runtime.
void require_success(cudaError_t status, char const* call, char const* file, int line);
/// Throws run_error unless the code can wait for the previous launch. `code_capability` is the
/// compute capability that the code was made for; 90 means 9.0.
void require_overlap(int code_capability);
}  // namespace detail

#define GRIDLOOM_CUDA_TRY(call) \
  ::gridloom::detail::require_success((call), #call, __FILE__, __LINE__)

#if defined(__CUDACC__)
namespace detail {

/// Largest block that a kernel is compiled for. A smaller block leaves more registers per thread.
template <class Kernel>
constexpr int max_threads_of() {
  if constexpr (requires { Kernel::max_threads; }) {
    return Kernel::max_threads;
  } else {
    return 1024;
  }
}

/// Number of blocks per multiprocessor that a kernel must allow. This limits its registers.
template <class Kernel>
constexpr int min_blocks_of() {
  if constexpr (requires { Kernel::min_blocks; }) {
    return Kernel::min_blocks;
  } else {
    return 1;
  }
}

/// Whether a kernel may begin while the previous launch runs (programmatic dependent launch).
template <class Kernel>
constexpr bool overlaps_previous() {
  if constexpr (requires { Kernel::overlaps_previous; }) {
    return Kernel::overlaps_previous;
  } else {
    return false;
  }
}

/// Shared memory that a launch must request. A scratch of more than 48 KiB cannot be static.
inline constexpr std::size_t most_static_scratch = 48 * 1024;
template <class Kernel>
inline constexpr std::size_t dynamic_scratch =
    sizeof(typename Kernel::scratch) > most_static_scratch ? sizeof(typename Kernel::scratch) : 0;

/// The entry point of all kernels. As a grid constant, the kernel can be passed on by reference.
/// Otherwise each thread would first copy it to its local memory.
template <class Kernel>
__global__ void __launch_bounds__(max_threads_of<Kernel>(), min_blocks_of<Kernel>())
    kernel_entry(__grid_constant__ Kernel const kernel) {
  if constexpr (dynamic_scratch<Kernel> != 0) {
    extern __shared__ __align__(16) unsigned char large_scratch[];
    kernel(cuda_block{}, *reinterpret_cast<typename Kernel::scratch*>(large_scratch));
  } else {
    __shared__ typename Kernel::scratch scratch;
    kernel(cuda_block{}, scratch);
  }
}

}  // namespace detail

/// Starts a kernel from a thread of a running kernel without waiting for it (dynamic parallelism,
/// fire-and-forget). Returns 0 or the error number of the device. Allowed only in sources that
/// gridloom_launches_from_device names in CMake.
template <class Kernel>
__device__ int launch_from_device(cuda_block const& /*from*/, launch_shape shape,
                                  Kernel const& kernel) {
  static_assert(detail::dynamic_scratch<Kernel> == 0, "a scratch of 48 KiB at most");
#if defined(__CUDACC_RDC__) && defined(__CUDA_ARCH__)
  detail::kernel_entry<Kernel>
      <<<static_cast<unsigned>(shape.blocks), static_cast<unsigned>(shape.threads), 0,
         cudaStreamFireAndForget>>>(kernel);
  return static_cast<int>(cudaGetLastError());
#else
  return -1;
#endif
}

/// Ends a recorded loop after the current pass. Called by one thread at a time.
__device__ inline void end_loop(cuda_block const& /*from*/, loop_ref loop) {
  cudaGraphSetConditional(loop.condition, 0);
}
#endif

class staged_copies;

/// Runs kernels on one GPU, in a stream with a higher priority than that of the lanes. Used by one
/// thread at a time.
class cuda_backend {
 public:
  /// Number of devices that can be used; 0 if there is no driver.
  static int device_count() noexcept;

  explicit cuda_backend(int ordinal);
  cuda_backend(cuda_backend const&) = delete;
  cuda_backend& operator=(cuda_backend const&) = delete;
  ~cuda_backend();

  device_properties properties() const;
  void make_current();

  void* allocate(std::size_t bytes);
  static void release(void* memory) noexcept;
  static std::size_t free_bytes();
  void* allocate_staging(std::size_t bytes);
  static void release_staging(void* memory) noexcept;
  /// Large copies of memory that is not pinned are staged in pinned memory by several threads.
  void copy_to_device(void* to, void const* from, std::size_t bytes);
  void copy_to_host(void* to, void const* from, std::size_t bytes);
  void copy_on_device(void* to, void const* from, std::size_t bytes);
  void fill_bytes(void* to, int byte, std::size_t bytes);
  void synchronize();
  void* stream() const { return stream_; }

  template <class Body>
  launch_sequence record(Body&& body) {
    begin_recording();
    try {
      body();
    } catch (...) {
      abandon_recording();
      throw;
    }
    return end_recording();
  }
  /// Records the launches as the body of a graph's WHILE node.
  template <class Body>
  launch_sequence record_loop(Body&& body) {
    loop_graph const loop = begin_loop_recording();
    try {
      body(loop_ref{loop.condition});
    } catch (...) {
      abandon_loop_recording();
      throw;
    }
    return end_loop_recording(loop);
  }
  void replay(launch_sequence const& recorded);
  cudaStream_t lane_stream(int lane);
  /// Makes the first `lanes` lanes wait for all earlier launches.
  void begin_lanes(int lanes);
  /// Makes later launches wait for the first `lanes` lanes.
  void join_lanes(int lanes);

  void start_timer();
  double stop_timer_ms();

#if defined(__CUDACC__)
  /// Number of blocks of this kernel that the device holds at once.
  template <class Kernel>
  int resident_blocks(int threads) const {
    int blocks = 0;
    GRIDLOOM_CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, detail::kernel_entry<Kernel>, threads, scratch_of<Kernel>()));
    return blocks * multiprocessors_;
  }

  /// See device::padding_for().
  template <class Kernel>
  std::size_t padding_for(int threads, int most) const {
    if (resident_blocks<Kernel>(threads) <= most * multiprocessors_) return 0;
    cudaFuncAttributes attributes{};
    GRIDLOOM_CUDA_TRY(cudaFuncGetAttributes(&attributes, detail::kernel_entry<Kernel>));
    auto const limit = [&](cudaDeviceAttr of) {
      int value = 0;
      GRIDLOOM_CUDA_TRY(cudaDeviceGetAttribute(&value, of, ordinal_));
      return static_cast<std::size_t>(value);
    };
    // The least memory with which most + 1 blocks do not fit.
    std::size_t const least =
        limit(cudaDevAttrMaxSharedMemoryPerMultiprocessor) / static_cast<std::size_t>(most + 1) + 1;
    std::size_t const used =
        limit(cudaDevAttrReservedSharedMemoryPerBlock) + attributes.sharedSizeBytes;
    std::size_t const dynamic = std::max(detail::dynamic_scratch<Kernel>, least - used);
    GRIDLOOM_CUDA_TRY(cudaFuncSetAttribute(detail::kernel_entry<Kernel>,
                                           cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           static_cast<int>(dynamic)));
    return dynamic - detail::dynamic_scratch<Kernel>;
  }

  /// Registers, memory and occupancy of the kernel.
  template <class Kernel>
  kernel_facts facts(int threads) const {
    cudaFuncAttributes attributes{};
    GRIDLOOM_CUDA_TRY(cudaFuncGetAttributes(&attributes, detail::kernel_entry<Kernel>));
    return {threads, attributes.numRegs, static_cast<int>(attributes.localSizeBytes),
            static_cast<int>(attributes.sharedSizeBytes + detail::dynamic_scratch<Kernel>),
            resident_blocks<Kernel>(threads) / multiprocessors_};
  }

  /// Starts a kernel in the stream of a lane.
  template <class Kernel>
  void launch_beside(int lane, launch_shape shape, Kernel const& kernel) {
    detail::kernel_entry<Kernel>
        <<<static_cast<unsigned>(shape.blocks), static_cast<unsigned>(shape.threads),
           scratch_of<Kernel>(), lane_stream(lane)>>>(kernel);
    GRIDLOOM_CUDA_TRY(cudaGetLastError());
  }

  /// Number of blocks of this kernel that fit beside `others` blocks of another kernel. The count
  /// assumes that each of those fills a multiprocessor.
  template <class Kernel>
  int resident_beside(int threads, int others) const {
    int const all = resident_blocks<Kernel>(threads);
    return all - others * (all / multiprocessors_);
  }
  /// Starts two kernels in two streams, after all earlier launches. Later launches wait for both.
  template <class First, class Second>
  void launch_together(launch_shape first_shape, First const& first, launch_shape second_shape,
                       Second const& second) {
    // CUDA loads code at its first use. Loading it later would wait for the first kernel.
    (void)facts<First>(first_shape.threads);
    (void)facts<Second>(second_shape.threads);
    begin_lanes(2);
    launch_beside(0, first_shape, first);
    launch_beside(1, second_shape, second);
    join_lanes(2);
  }

  /// Starts the kernel without waiting for it. A `persistent` kernel is launched cooperatively: all
  /// its blocks run at once, or the launch fails.
  template <class Kernel>
  void launch(launch_shape shape, Kernel const& kernel) {
    auto const blocks = static_cast<unsigned>(shape.blocks);
    auto const threads = static_cast<unsigned>(shape.threads);
    if constexpr (Kernel::persistent) {
      Kernel copy = kernel;
      void* arguments[] = {&copy};
      GRIDLOOM_CUDA_TRY(cudaLaunchCooperativeKernel(detail::kernel_entry<Kernel>, dim3(blocks),
                                                    dim3(threads), arguments, scratch_of<Kernel>(),
                                                    stream_));
    } else if constexpr (detail::overlaps_previous<Kernel>()) {
      // The capability of the code counts, not only that of the device: code made from older PTX
      // does not wait. It is queried once, because queries would slow down launches.
      static int const capability = [] {
        cudaFuncAttributes made{};
        GRIDLOOM_CUDA_TRY(cudaFuncGetAttributes(&made, detail::kernel_entry<Kernel>));
        return made.ptxVersion;
      }();
      detail::require_overlap(capability);
      cudaLaunchAttribute attribute{};
      attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
      attribute.val.programmaticStreamSerializationAllowed = 1;
      cudaLaunchConfig_t config{};
      config.gridDim = dim3(blocks);
      config.blockDim = dim3(threads);
      config.dynamicSmemBytes = scratch_of<Kernel>(shape.padding);
      config.stream = stream_;
      config.attrs = &attribute;
      config.numAttrs = 1;
      GRIDLOOM_CUDA_TRY(cudaLaunchKernelEx(&config, detail::kernel_entry<Kernel>, kernel));
    } else {
      detail::kernel_entry<Kernel>
          <<<blocks, threads, scratch_of<Kernel>(shape.padding), stream_>>>(kernel);
      GRIDLOOM_CUDA_TRY(cudaGetLastError());
    }
  }
#endif

 private:
#if defined(__CUDACC__)
  /// Dynamic shared memory of a launch in bytes. Raises the kernel's limit to this size; without
  /// scratch, padding_for() has done so.
  template <class Kernel>
  static std::size_t scratch_of(std::size_t padding = 0) {
    constexpr std::size_t bytes = detail::dynamic_scratch<Kernel>;
    if constexpr (bytes != 0) {
      GRIDLOOM_CUDA_TRY(cudaFuncSetAttribute(detail::kernel_entry<Kernel>,
                                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             static_cast<int>(bytes + padding)));
    }
    return bytes + padding;
  }
#endif
  void begin_recording();
  launch_sequence end_recording();
  void abandon_recording() noexcept;
  /// A graph with one node, whose body is being recorded.
  struct loop_graph {
    /// Holds a cudaGraph_t.
    std::shared_ptr<void> whole;
    cudaGraphConditionalHandle condition = 0;
  };
  loop_graph begin_loop_recording();
  launch_sequence end_loop_recording(loop_graph const& loop);
  void abandon_loop_recording() noexcept;
  staged_copies& staged();

  struct side_stream {
    cudaStream_t stream = nullptr;
    cudaEvent_t done = nullptr;
  };

  int ordinal_;
  int multiprocessors_ = 0;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t begin_ = nullptr;
  cudaEvent_t end_ = nullptr;
  std::vector<side_stream> lanes_;
  /// Allocated at the first large copy.
  std::unique_ptr<staged_copies> staged_;
};

}  // namespace gridloom
#endif
