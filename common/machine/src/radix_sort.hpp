#pragma once
// The CUDA part of sort/radix.hpp, defined in cuda_radix_sort.cpp.

#include <cstddef>
#include <cstdint>

namespace gridloom::detail {

[[nodiscard]] std::size_t cuda_radix_sort_bytes(std::size_t most);
void cuda_radix_sort(void* scratch, std::size_t scratch_bytes, std::uint64_t const* keys,
                     std::uint64_t* keys_to, std::uint32_t const* values, std::uint32_t* values_to,
                     std::size_t n, int bits, void* stream);

}  // namespace gridloom::detail
