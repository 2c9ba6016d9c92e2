#pragma once
// A grid that is one thread block cluster: its blocks run at the same time, close to each other,
// and reach each other's shared memory. Only this header depends on how each backend does this. On
// the host a block is a thread, and ordinary memory replaces shared memory.
//
// Clusters need compute capability 9.0. On older devices a cluster of one block is a plain launch.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "gridloom/atomic.hpp"
#include "gridloom/device.hpp"
#include "gridloom/error.hpp"

namespace gridloom {

/// Largest number of blocks of a cluster. More than 8 are not portable, but Hopper supports them.
inline constexpr int most_cluster_blocks = 16;
inline int most_cluster_blocks_of(device_properties const& machine) {
  bool const has_clusters = machine.backend == "host" || machine.compute_capability >= 90;
  return has_clusters ? most_cluster_blocks : 1;
}

/// The reason why a cluster cannot have this many blocks; empty if it can.
inline std::string why_no_cluster(device_properties const& machine, int blocks) {
  int const most = most_cluster_blocks_of(machine);
  if (blocks <= most) return {};
  return "a cluster of " + machine.name + " has at most " + std::to_string(most) + " blocks, got " +
         std::to_string(blocks) + " (--workers)";
}

/// Number of elements of the memory that `own_part` needs: `n` per block on the host, none on CUDA.
inline std::size_t slots_of_parts(device const& machine, int blocks, std::size_t n) {
  return machine.is_host() ? static_cast<std::size_t>(blocks) * n : 0;
}

/// An array of `n` elements that belongs to the block and that the other blocks of the cluster can
/// access. On CUDA it is `local`, in the block's shared memory. On the host it is a part of `all`.
template <class Block, class T>
GRIDLOOM_FN T* own_part([[maybe_unused]] Block block, [[maybe_unused]] T* local,
                        [[maybe_unused]] T* all, [[maybe_unused]] std::size_t n) {
#if defined(__CUDA_ARCH__)
  return local;
#else
  return all + static_cast<std::size_t>(block.index()) * n;
#endif
}

/// Returns `p`, which is equal in all lanes of the warp. The compiler cannot see that the result
/// equals `p`, so it keeps the result in registers. Otherwise it would compute the address of the
/// block's shared memory again at each write.
template <class Warp, class T>
GRIDLOOM_FN T* kept([[maybe_unused]] Warp warp, T* p) {
#if defined(__CUDA_ARCH__)
  auto const address = reinterpret_cast<unsigned long long>(p);
  return reinterpret_cast<T*>(warp.shuffle(address, 0));
#else
  return p;
#endif
}

/// Address of a word of the block's own part, in as few registers as the backend allows.
class own_word {
 public:
  own_word() = default;
#if defined(__CUDA_ARCH__)
  GRIDLOOM_FN explicit own_word(std::uint64_t const* word)
      : address_(static_cast<std::uint32_t>(__cvta_generic_to_shared(word))) {}
#else
  GRIDLOOM_FN explicit own_word(std::uint64_t const* word) : word_(word) {}
#endif

  /// Each word is read and written in one relaxed access. Only the cluster sees the writes.
  template <class Memory>
  GRIDLOOM_FN std::uint64_t load(Memory& memory) const {
#if defined(__CUDA_ARCH__)
    memory.before(access::load, nullptr);
    std::uint64_t result = 0;
#if __CUDA_ARCH__ >= 900
    asm volatile("ld.relaxed.cluster.shared::cta.b64 %0, [%1];"
                 : "=l"(result)
                 : "r"(address_)
                 : "memory");
#else
    asm volatile("ld.volatile.shared.b64 %0, [%1];" : "=l"(result) : "r"(address_) : "memory");
#endif
    return result;
#else
    return memory.load_relaxed(word_);
#endif
  }

 private:
#if defined(__CUDA_ARCH__)
  std::uint32_t address_ = 0;
#else
  std::uint64_t const* word_ = nullptr;
#endif
};

template <class Memory>
GRIDLOOM_FN void store_own(Memory& memory, std::uint64_t* word, std::uint64_t value) {
#if defined(__CUDA_ARCH__)
  memory.before(access::store, word);
  auto const address = static_cast<std::uint32_t>(__cvta_generic_to_shared(word));
#if __CUDA_ARCH__ >= 900
  asm volatile("st.relaxed.cluster.shared::cta.b64 [%0], %1;" ::"r"(address), "l"(value)
               : "memory");
#else
  asm volatile("st.volatile.shared.b64 [%0], %1;" ::"r"(address), "l"(value) : "memory");
#endif
#else
  memory.store_relaxed(word, value);
#endif
}
/// Writes `value` to the element of block `rank` that has the same place in its part as `own` in
/// the caller's part. `own_rank` is the caller's rank. A part has `n` elements.
template <class Memory>
GRIDLOOM_FN void store_in_block(Memory& memory, [[maybe_unused]] int rank,
                                [[maybe_unused]] int own_rank, std::uint64_t* own,
                                [[maybe_unused]] std::size_t n, std::uint64_t value) {
#if !defined(__CUDA_ARCH__)
  memory.store_relaxed(own + (rank - own_rank) * static_cast<std::ptrdiff_t>(n), value);
#elif __CUDA_ARCH__ >= 900
  memory.before(access::store, own);
  // The access uses a generic address, because a register holds its upper half already.
  std::uint64_t* there = nullptr;
  asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(own), "r"(rank));
  asm volatile("st.relaxed.cluster.b64 [%0], %1;" ::"l"(there), "l"(value) : "memory");
#else
  // Without this compute capability, a cluster has one block.
  static_cast<void>(memory);
#endif
}

/// Starts a copy of a 32-bit word to the block's shared memory. `copy_async` of
/// gridloom/async_copy.hpp copies larger words.
GRIDLOOM_FN inline void copy_word_async(std::uint32_t* to_shared, std::uint32_t const* from) {
#if defined(__CUDA_ARCH__)
  auto const to = static_cast<std::uint32_t>(__cvta_generic_to_shared(to_shared));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from) : "memory");
#else
  *to_shared = *from;
#endif
}

/// Barrier of all threads of the cluster. After it, each thread sees what the others wrote before
/// it. A block may leave after this barrier if the others do not write to its part after it.
template <class Block>
GRIDLOOM_FN void cluster_sync(Block block) {
#if !defined(__CUDA_ARCH__)
  block.grid_sync();
#elif __CUDA_ARCH__ >= 900
  // One thread waits until all writes of its block have arrived. Its fence covers them all, because
  // a block barrier precedes it. In the barrier of cooperative groups, each warp waits for its own
  // writes, which takes longer.
  block.sync();
  if (block.thread_rank() == 0) asm volatile("fence.acq_rel.cluster;" ::: "memory");
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#else
  block.sync();
#endif
}

#if defined(__CUDACC__)
/// The configuration of a launch as one cluster. It holds pointers to its own members.
struct cluster_launch {
  template <class Kernel>
  cluster_launch(device const& machine, launch_shape shape, Kernel const* /*kernel*/) {
    auto const blocks = static_cast<unsigned>(shape.blocks);
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {blocks, 1, 1};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(static_cast<unsigned>(shape.threads));
    config.dynamicSmemBytes = detail::dynamic_scratch<Kernel>;
    config.stream = static_cast<cudaStream_t>(machine.stream());
    config.attrs = &attribute;
    config.numAttrs = 1;
  }
  cluster_launch(cluster_launch const&) = delete;
  cluster_launch& operator=(cluster_launch const&) = delete;

  cudaLaunchAttribute attribute{};
  cudaLaunchConfig_t config{};
};

#endif

#if defined(__CUDACC__) || !GRIDLOOM_HAS_CUDA
/// Called before the first launch of this kernel with this shape. Throws grid_error if the device
/// cannot hold all blocks close to each other. Throws unsupported if the device or the kernel's
/// code has no clusters, since a cluster's barrier would then synchronise each block alone.
template <class Kernel>
void prepare_cluster([[maybe_unused]] device& machine, [[maybe_unused]] launch_shape shape) {
#if defined(__CUDACC__)
  if (machine.is_host() || shape.blocks == 1) return;
  auto const entry = detail::kernel_entry<Kernel>;
  cudaFuncAttributes code{};
  GRIDLOOM_CUDA_TRY(cudaFuncGetAttributes(&code, entry));
  if (std::min(machine.properties().compute_capability, code.ptxVersion) < 90) {
    throw unsupported("cluster of " + std::to_string(shape.blocks) +
                      " blocks: expected a device and code of compute capability 9.0 or later");
  }
  // The query below is not enough: an H100 reported that 17 blocks fit, but did not run them.
  if (std::string const why = why_no_cluster(machine.properties(), shape.blocks); !why.empty())
    throw grid_error(why);
  GRIDLOOM_CUDA_TRY(cudaFuncSetAttribute(entry, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  GRIDLOOM_CUDA_TRY(cudaFuncSetAttribute(entry, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                         static_cast<int>(detail::dynamic_scratch<Kernel>)));
  cluster_launch const launch(machine, shape, static_cast<Kernel const*>(nullptr));
  int clusters = 0;
  // The call returns an error if the device does not support clusters of this many blocks.
  bool const known =
      cudaOccupancyMaxActiveClusters(&clusters, entry, &launch.config) == cudaSuccess;
  static_cast<void>(cudaGetLastError());
  if (!known || clusters < 1) {
    throw grid_error("cluster of " + std::to_string(shape.blocks) + " blocks of " +
                     std::to_string(shape.threads) + " threads: " + machine.properties().name +
                     " cannot run so many blocks in one cluster; use fewer");
  }
#endif
}

/// Launches the kernel with all its blocks as one cluster. Called after `prepare_cluster`.
template <class Kernel>
void launch_as_cluster(device& machine, launch_shape shape, Kernel const& kernel) {
#if defined(__CUDACC__)
  if (!machine.is_host() && shape.blocks > 1) {
    cluster_launch const launch(machine, shape, &kernel);
    GRIDLOOM_CUDA_TRY(cudaLaunchKernelEx(&launch.config, detail::kernel_entry<Kernel>, kernel));
    return;
  }
#endif
  machine.launch(shape, kernel);
}
#endif

}  // namespace gridloom
