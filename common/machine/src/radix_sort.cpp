#include "radix_sort.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "gridloom/sort/radix.hpp"

namespace gridloom {

radix_sorter::radix_sorter(device& machine, std::size_t most) : machine_(&machine) {
#if GRIDLOOM_HAS_CUDA
  if (!machine.is_host()) {
    scratch_ = machine.allocate<unsigned char>(detail::cuda_radix_sort_bytes(most));
  }
#endif
  static_cast<void>(most);
}

void radix_sorter::sort(std::uint64_t const* keys, std::uint64_t* keys_to,
                        std::uint32_t const* values, std::uint32_t* values_to, std::size_t n,
                        int bits) {
#if GRIDLOOM_HAS_CUDA
  if (!machine_->is_host()) {
    detail::cuda_radix_sort(scratch_.data(), scratch_.size(), keys, keys_to, values, values_to, n,
                            bits, machine_->stream());
    return;
  }
#endif
  std::uint64_t const mask = bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return (keys[a] & mask) < (keys[b] & mask);
  });
  for (std::size_t i = 0; i < n; ++i) {
    keys_to[i] = keys[order[i]];
    values_to[i] = values[order[i]];
  }
}

}  // namespace gridloom
