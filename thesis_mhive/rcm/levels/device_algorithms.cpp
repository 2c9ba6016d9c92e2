#include "device_algorithms.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "cuda_algorithms.hpp"

namespace gridloom::mhive::rcm::levels {

device_algorithms::device_algorithms(device& machine, std::size_t most) : machine_{&machine} {
  if (!machine.is_host()) scratch_ = machine.allocate<std::byte>(cuda::scratch_bytes(most));
}

void device_algorithms::exclusive_sum(std::uint32_t const* from, std::uint32_t* to, std::size_t n) {
  if (machine_->is_host()) {
    std::exclusive_scan(from, from + n, to, 0U);
    return;
  }
  cuda::exclusive_sum(scratch_.data(), scratch_.bytes(), from, to, n, machine_->stream());
}

void device_algorithms::sort_pairs(std::uint64_t const* keys, std::uint64_t* keys_to,
                                   std::uint32_t const* values, std::uint32_t* values_to,
                                   std::size_t n, int bits) {
  if (!machine_->is_host()) {
    cuda::sort_pairs(scratch_.data(), scratch_.bytes(), keys, keys_to, values, values_to, n, bits,
                     machine_->stream());
    return;
  }
  std::vector<std::uint32_t> places(n);
  std::iota(places.begin(), places.end(), 0U);
  std::stable_sort(places.begin(), places.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
  for (std::size_t i = 0; i < n; ++i) {
    keys_to[i] = keys[places[i]];
    values_to[i] = values[places[i]];
  }
}

}  // namespace gridloom::mhive::rcm::levels
