#include "cuda_algorithms.hpp"

#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "gridloom/backend/cuda.hpp"

namespace gridloom::mhive::rcm::levels::cuda {

std::size_t scratch_bytes(std::size_t most) {
  auto* const words = static_cast<std::uint32_t*>(nullptr);
  auto* const keys = static_cast<std::uint64_t*>(nullptr);
  // What the longest array needs is not always the most: CUB has other ways for short ones.
  std::size_t needed = 1;
  for (std::size_t wanted = 1; wanted < 2 * most; wanted *= 2) {
    auto const n = static_cast<std::int64_t>(std::min(wanted, most));
    std::size_t sum = 0;
    std::size_t sort = 0;
    GRIDLOOM_CUDA_TRY(cub::DeviceScan::ExclusiveSum(nullptr, sum, words, words, n));
    GRIDLOOM_CUDA_TRY(cub::DeviceRadixSort::SortPairs(nullptr, sort, keys, keys, words, words, n));
    needed = std::max({needed, sum, sort});
  }
  return needed;
}

void exclusive_sum(void* scratch, std::size_t scratch_bytes, std::uint32_t const* from,
                   std::uint32_t* to, std::size_t n, void* stream) {
  GRIDLOOM_CUDA_TRY(cub::DeviceScan::ExclusiveSum(scratch, scratch_bytes, from, to,
                                                  static_cast<std::int64_t>(n),
                                                  static_cast<cudaStream_t>(stream)));
}

void sort_pairs(void* scratch, std::size_t scratch_bytes, std::uint64_t const* keys,
                std::uint64_t* keys_to, std::uint32_t const* values, std::uint32_t* values_to,
                std::size_t n, int bits, void* stream) {
  GRIDLOOM_CUDA_TRY(cub::DeviceRadixSort::SortPairs(scratch, scratch_bytes, keys, keys_to, values,
                                                    values_to, static_cast<std::int64_t>(n), 0,
                                                    bits, static_cast<cudaStream_t>(stream)));
}

}  // namespace gridloom::mhive::rcm::levels::cuda
