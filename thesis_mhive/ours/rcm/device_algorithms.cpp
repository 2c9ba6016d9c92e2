#include "device_algorithms.hpp"

#include <numeric>

#include "cuda_algorithms.hpp"

namespace gridloom::mhive::rcm::levels {

device_algorithms::device_algorithms(device& machine, std::size_t most)
    : machine_{&machine}, sorter_{machine, most} {
  if (!machine.is_host()) scratch_ = machine.allocate<std::byte>(cuda::scratch_bytes(most));
}

void device_algorithms::exclusive_sum(std::uint32_t const* from, std::uint32_t* to, std::size_t n) {
  if (machine_->is_host()) {
    std::exclusive_scan(from, from + n, to, 0U);
    return;
  }
  cuda::exclusive_sum(scratch_.data(), scratch_.bytes(), from, to, n, machine_->stream());
}

}  // namespace gridloom::mhive::rcm::levels
