#pragma once
// The calls of CUB for device_algorithms. A build without CUDA calls none of them.

#include <cstddef>
#include <cstdint>

namespace gridloom::mhive::rcm::levels::cuda {

/// Bytes of scratch for arrays of up to `most` elements.
std::size_t scratch_bytes(std::size_t most);
void exclusive_sum(void* scratch, std::size_t scratch_bytes, std::uint32_t const* from,
                   std::uint32_t* to, std::size_t n, void* stream);

}  // namespace gridloom::mhive::rcm::levels::cuda
