#pragma once
// Thread groups: the interface that schedulers and task bodies use.
//
// A worker is a thread block on CUDA and one host thread on the host, which acts as a block of one
// thread. Code loops from `thread_rank()` in steps of `num_threads()` and separates its phases by
// `sync()`. It must not depend on the number of threads or on warps that run in lockstep. The terms
// are those of CUDA cooperative groups.

#include <concepts>
#include <cstdint>

#include "gridloom/host_waiting.hpp"
#include "gridloom/portable.hpp"

#if defined(__CUDACC__)
#include <cooperative_groups.h>
#endif

namespace gridloom {

/// A group of threads that can synchronise.
///
/// - `thread_rank()` is 0 to `num_threads() - 1` and distinct within the group.
/// - `sync()` is called by all threads of the group. Each then sees all earlier writes.
/// - `index()` is 0 to `count() - 1`: the number of the group among those of its kind.
/// - `pause(attempt)` is called by a thread that waits, after its `attempt`-th unsuccessful look.
///   Later attempts pause for longer.
template <class Group>
concept thread_group = requires(Group const group, unsigned attempt) {
  { group.thread_rank() } -> std::convertible_to<int>;
  { group.num_threads() } -> std::convertible_to<int>;
  { group.index() } -> std::convertible_to<int>;
  { group.count() } -> std::convertible_to<int>;
  group.sync();
  group.pause(attempt);
};

/// A group of at most 32 threads that can exchange values in registers.
///
/// - `ballot(p)`: bit r is set where the thread of rank r passed true.
/// - `any(p)`: whether any thread passed true.
/// - `shuffle(v, r)`: the value that the thread of rank r passed.
///
/// Each of these is called by all threads of the group.
template <class Group>
concept warp_group = thread_group<Group> && requires(Group const group, std::uint32_t value) {
  { group.ballot(true) } -> std::same_as<std::uint32_t>;
  { group.any(true) } -> std::same_as<bool>;
  { group.shuffle(value, 0) } -> std::same_as<std::uint32_t>;
};

/// A group of one thread: a lane with its own task, the leader of a block, or a host worker.
class thread_of_one {
 public:
  /// Largest number of threads of such a group.
  static constexpr int max_threads = 1;
  GRIDLOOM_FN thread_of_one(int index, int count) : index_(index), count_(count) {}
  GRIDLOOM_FN int thread_rank() const { return 0; }
  GRIDLOOM_FN int num_threads() const { return 1; }
  GRIDLOOM_FN int index() const { return index_; }
  GRIDLOOM_FN int count() const { return count_; }
  GRIDLOOM_FN void sync() const {}
  GRIDLOOM_FN void pause(unsigned attempt) const {
#if defined(__CUDA_ARCH__)
    // Most waits are shorter than the shortest sleep. Long waits should leave the memory to others.
    if (attempt > 64) __nanosleep(100);
#else
    give_way(attempt);
#endif
  }
  GRIDLOOM_FN std::uint32_t ballot(bool p) const { return p ? 1U : 0U; }
  GRIDLOOM_FN bool any(bool p) const { return p; }
  template <class T>
  GRIDLOOM_FN T shuffle(T value, int) const {
    return value;
  }
  /// The warp of this thread: the thread itself.
  GRIDLOOM_FN thread_of_one warp() const { return *this; }
  /// The part with up to `Threads` threads that contains this thread: the thread itself.
  template <int Threads>
  GRIDLOOM_FN thread_of_one part() const {
    return *this;
  }
  /// The tile of `Warps` warps that contains this thread: the thread itself.
  template <int Warps>
  GRIDLOOM_FN thread_of_one tile() const {
    return *this;
  }

 private:
  int index_;
  int count_;
};

/// A worker of the host backend.
class host_block : public thread_of_one {
 public:
  host_block(int index, int count, host_barrier* grid) : thread_of_one(index, count), grid_(grid) {}
  GRIDLOOM_FN thread_of_one warp() const { return *this; }
  GRIDLOOM_FN thread_of_one leader() const { return *this; }
  GRIDLOOM_FN thread_of_one thread() const { return *this; }
  /// In a kernel that `overlaps_previous`: returns when the previous launch and its writes are
  /// done.
  GRIDLOOM_FN void wait_for_previous_launch() const {}
  /// Waits for all workers of a persistent launch.
  GRIDLOOM_FN void grid_sync() const {
#if !defined(__CUDA_ARCH__)
    grid_->arrive_and_wait();
#endif
  }

 private:
  host_barrier* grid_;
};

static_assert(thread_group<host_block> && warp_group<thread_of_one>);

#if defined(__CUDACC__)

/// `Threads` consecutive threads of a full warp, a power of two below 32.
template <int Threads>
class cuda_part {
  static_assert(Threads >= 1 && Threads < 32 && (Threads & (Threads - 1)) == 0);

 public:
  static constexpr int max_threads = Threads;
  __device__ int thread_rank() const { return static_cast<int>(threadIdx.x % Threads); }
  __device__ int num_threads() const { return Threads; }
  __device__ int index() const {
    return static_cast<int>(blockIdx.x * (blockDim.x / Threads) + threadIdx.x / Threads);
  }
  __device__ int count() const { return static_cast<int>(gridDim.x * (blockDim.x / Threads)); }
  // A mask of a single lane would split the warp. Then only the compiler must keep the order.
  __device__ void sync() const {
    if constexpr (Threads > 1) {
      __syncwarp(lanes());
    } else {
      asm volatile("" ::: "memory");
    }
  }
  __device__ void pause(unsigned attempt) const { thread_of_one(0, 1).pause(attempt); }
  __device__ std::uint32_t ballot(bool p) const {
    if constexpr (Threads == 1) return p ? 1U : 0U;
    return (__ballot_sync(lanes(), p) & lanes()) >> first();
  }
  __device__ bool any(bool p) const { return ballot(p) != 0; }
  template <class T>
  __device__ T shuffle(T value, int rank) const {
    if constexpr (Threads == 1) return value;
    return __shfl_sync(lanes(), value, rank, Threads);
  }
  __device__ cuda_part warp() const { return *this; }

 private:
  __device__ static unsigned first() { return threadIdx.x & 31U & ~(Threads - 1U); }
  __device__ static unsigned lanes() { return ((1U << Threads) - 1U) << first(); }
};

/// A warp. The last warp of a block may have fewer than 32 threads.
///
/// The mask always names all lanes, even in a last warp that has fewer. CUDA counts missing lanes
/// as exited, and a mask may name exited lanes. A mask computed at run time would cost tens of
/// cycles per call, because the hardware checks that all lanes pass the same mask.
class cuda_warp {
 public:
  static constexpr int max_threads = 32;
  __device__ int thread_rank() const { return static_cast<int>(threadIdx.x & 31U); }
  __device__ int num_threads() const {
    unsigned const first = threadIdx.x & ~31U;
    return static_cast<int>(blockDim.x - first < 32U ? blockDim.x - first : 32U);
  }
  __device__ int index() const {
    return static_cast<int>(blockIdx.x * warps_of_block() + threadIdx.x / 32U);
  }
  __device__ int count() const { return static_cast<int>(gridDim.x * warps_of_block()); }
  __device__ void sync() const { __syncwarp(all_lanes); }
  __device__ void pause(unsigned attempt) const { thread_of_one(0, 1).pause(attempt); }
  __device__ std::uint32_t ballot(bool p) const { return __ballot_sync(all_lanes, p); }
  __device__ bool any(bool p) const { return __any_sync(all_lanes, p) != 0; }
  template <class T>
  __device__ T shuffle(T value, int rank) const {
    return __shfl_sync(all_lanes, value, rank);
  }
  /// The minimum of the values that the threads pass, in one instruction. Used by `reduce`.
  __device__ std::uint32_t minimum(std::uint32_t value) const {
    return __reduce_min_sync(all_lanes, value);
  }
  __device__ cuda_warp warp() const { return *this; }
  /// The part of a full warp that contains the calling thread.
  template <int Threads>
  __device__ auto part() const {
    if constexpr (Threads == 32) {
      return *this;
    } else {
      return cuda_part<Threads>{};
    }
  }

 private:
  static constexpr unsigned all_lanes = ~0U;
  __device__ static unsigned warps_of_block() { return (blockDim.x + 31U) / 32U; }
};

/// `Warps` consecutive warps of a block that share a named barrier. The block's size must be a
/// multiple of 32 · Warps, with at most 8 such tiles. The hardware has 16 named barriers; barrier 0
/// belongs to the block. Tiles of different sizes use different barriers.
template <int Warps>
class cuda_tile {
 public:
  __device__ int thread_rank() const { return static_cast<int>(threadIdx.x % (32U * Warps)); }
  __device__ int num_threads() const { return 32 * Warps; }
  __device__ int index() const {
    return static_cast<int>(blockIdx.x * tiles_of_block() + tile_of_block());
  }
  __device__ int count() const { return static_cast<int>(gridDim.x * tiles_of_block()); }
  __device__ void sync() const {
    asm volatile("barrier.sync %0, %1;" ::"r"(tiles_of_block() + tile_of_block()), "r"(32 * Warps)
                 : "memory");
  }
  /// Whether any thread passed true. Also acts as a barrier.
  __device__ bool any(bool p) const {
    unsigned result;
    asm volatile(
        "{ .reg .pred p, q; setp.ne.u32 p, %1, 0; barrier.red.or.pred q, %2, %3, p;"
        " selp.u32 %0, 1, 0, q; }"
        : "=r"(result)
        : "r"(static_cast<unsigned>(p)), "r"(tiles_of_block() + tile_of_block()), "r"(32 * Warps)
        : "memory");
    return result != 0;
  }
  __device__ void pause(unsigned attempt) const { thread_of_one(0, 1).pause(attempt); }
  __device__ cuda_warp warp() const { return {}; }
  /// The smaller tile that contains the calling thread.
  template <int Part>
  __device__ cuda_tile<Part> tile() const {
    static_assert(Part <= Warps);
    return {};
  }

 private:
  __device__ static unsigned tiles_of_block() { return blockDim.x / (32U * Warps); }
  __device__ static unsigned tile_of_block() { return threadIdx.x / (32U * Warps); }
};

/// A thread block.
class cuda_block {
 public:
  __device__ int thread_rank() const { return static_cast<int>(threadIdx.x); }
  __device__ int num_threads() const { return static_cast<int>(blockDim.x); }
  __device__ int index() const { return static_cast<int>(blockIdx.x); }
  __device__ int count() const { return static_cast<int>(gridDim.x); }
  __device__ void sync() const { __syncthreads(); }
  __device__ bool any(bool p) const { return __syncthreads_or(p) != 0; }
  __device__ void pause(unsigned attempt) const { thread_of_one(0, 1).pause(attempt); }
  __device__ cuda_warp warp() const { return {}; }
  /// The block as a group of one thread, for code that only the thread of rank 0 runs.
  __device__ thread_of_one leader() const { return {index(), count()}; }
  /// The calling thread as a group of one, numbered within the grid.
  __device__ thread_of_one thread() const {
    return {index() * num_threads() + thread_rank(), count() * num_threads()};
  }
  template <int Warps>
  __device__ cuda_tile<Warps> tile() const {
    return {};
  }
  /// In a kernel that `overlaps_previous`: lets the next launch begin, then returns when the
  /// previous launch is done and its results are visible.
  __device__ void wait_for_previous_launch() const {
// The backend refuses to overlap launches of code for older devices.
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
    cudaGridDependencySynchronize();
#endif
  }
  /// Waits for all blocks of a persistent launch.
  __device__ void grid_sync() const { cooperative_groups::this_grid().sync(); }
};

#endif

}  // namespace gridloom
