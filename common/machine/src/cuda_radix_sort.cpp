#include <algorithm>
#include <cub/device/device_radix_sort.cuh>

#include "gridloom/backend/cuda.hpp"
#include "radix_sort.hpp"

namespace gridloom::detail {

std::size_t cuda_radix_sort_bytes(std::size_t most) {
  auto* const keys = static_cast<std::uint64_t*>(nullptr);
  auto* const values = static_cast<std::uint32_t*>(nullptr);
  // Shorter arrays may need more memory than longer ones, because CUB sorts them by other methods.
  std::size_t needed = 1;
  for (std::size_t wanted = 1; wanted < 2 * most; wanted *= 2) {
    auto const n = static_cast<std::int64_t>(std::min(wanted, most));
    std::size_t bytes = 0;
    GRIDLOOM_CUDA_TRY(
        cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, keys, values, values, n));
    needed = std::max(needed, bytes);
  }
  return needed;
}

void cuda_radix_sort(void* scratch, std::size_t scratch_bytes, std::uint64_t const* keys,
                     std::uint64_t* keys_to, std::uint32_t const* values, std::uint32_t* values_to,
                     std::size_t n, int bits, void* stream) {
  GRIDLOOM_CUDA_TRY(cub::DeviceRadixSort::SortPairs(
      scratch, scratch_bytes, keys, keys_to, values, values_to, static_cast<std::int64_t>(n), 0,
      // CUB's result for 0 bits is not defined.
      std::max(bits, 1), static_cast<cudaStream_t>(stream)));
}

}  // namespace gridloom::detail
