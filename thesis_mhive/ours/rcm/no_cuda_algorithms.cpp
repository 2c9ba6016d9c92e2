// Stubs for builds without CUDA, where no device calls them.

#include <stdexcept>

#include "cuda_algorithms.hpp"

namespace gridloom::mhive::rcm::levels::cuda {

std::size_t scratch_bytes(std::size_t) { throw std::logic_error("built without CUDA"); }
void exclusive_sum(void*, std::size_t, std::uint32_t const*, std::uint32_t*, std::size_t, void*) {
  throw std::logic_error("built without CUDA");
}

}  // namespace gridloom::mhive::rcm::levels::cuda
