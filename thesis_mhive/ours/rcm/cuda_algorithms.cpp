#include "cuda_algorithms.hpp"

#include <algorithm>
#include <cub/device/device_scan.cuh>

#include "gridloom/backend/cuda.hpp"

namespace gridloom::mhive::rcm::levels::cuda {

std::size_t scratch_bytes(std::size_t most) {
  auto* const words = static_cast<std::uint32_t*>(nullptr);
  // Tries all sizes, because the longest array does not always need the most scratch: CUB treats
  // short arrays differently.
  std::size_t needed = 1;
  for (std::size_t wanted = 1; wanted < 2 * most; wanted *= 2) {
    auto const n = static_cast<std::int64_t>(std::min(wanted, most));
    std::size_t sum = 0;
    GRIDLOOM_CUDA_TRY(cub::DeviceScan::ExclusiveSum(nullptr, sum, words, words, n));
    needed = std::max(needed, sum);
  }
  return needed;
}

void exclusive_sum(void* scratch, std::size_t scratch_bytes, std::uint32_t const* from,
                   std::uint32_t* to, std::size_t n, void* stream) {
  GRIDLOOM_CUDA_TRY(cub::DeviceScan::ExclusiveSum(scratch, scratch_bytes, from, to,
                                                  static_cast<std::int64_t>(n),
                                                  static_cast<cudaStream_t>(stream)));
}

}  // namespace gridloom::mhive::rcm::levels::cuda
