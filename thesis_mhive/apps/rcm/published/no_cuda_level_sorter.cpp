// Replaces cuda_level_sorter.cpp in builds without CUDA.

#include "gridloom/error.hpp"
#include "published/level_sorter.hpp"

namespace gridloom::mhive::rcm::detail {

std::unique_ptr<level_sorter<std::uint32_t>> make_cuda_sorter_32(device& /*machine*/,
                                                                 std::uint32_t /*most*/) {
  throw unsupported("CUB: expected a build with CUDA, got one without");
}

std::unique_ptr<level_sorter<std::uint64_t>> make_cuda_sorter_64(device& /*machine*/,
                                                                 std::uint32_t /*most*/) {
  throw unsupported("CUB: expected a build with CUDA, got one without");
}

}  // namespace gridloom::mhive::rcm::detail
