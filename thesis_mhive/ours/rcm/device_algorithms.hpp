#pragma once
// Sorts and prefix sums of long arrays in device memory: by CUB on CUDA, by the standard library on
// the host.

#include <cstddef>
#include <cstdint>
#include <numeric>

#include "cuda_algorithms.hpp"
#include "gridloom/device.hpp"
#include "gridloom/sort/radix.hpp"

namespace gridloom::mhive::rcm::levels {

/// Owns the library's scratch, for arrays of up to `most` elements. Calls are queued between the
/// device's launches. Used by one thread at a time.
class device_algorithms {
 public:
  device_algorithms(device& machine, std::size_t most)
      : machine_{&machine}, sorter_{machine, most} {
    if (!machine.is_host()) scratch_ = machine.allocate<std::byte>(cuda::scratch_bytes(most));
  }

  /// Computes to[i] = from[0] + … + from[i - 1] for i below n.
  void exclusive_sum(std::uint32_t const* from, std::uint32_t* to, std::size_t n) {
    if (machine_->is_host()) {
      std::exclusive_scan(from, from + n, to, 0U);
      return;
    }
    cuda::exclusive_sum(scratch_.data(), scratch_.bytes(), from, to, n, machine_->stream());
  }

  /// Sorts pairs by key, stably, into keys_to and values_to. Keys are below 2^bits.
  void sort_pairs(std::uint64_t const* keys, std::uint64_t* keys_to, std::uint32_t const* values,
                  std::uint32_t* values_to, std::size_t n, int bits) {
    sorter_.sort(keys, keys_to, values, values_to, n, bits);
  }

  [[nodiscard]] std::size_t bytes() const { return scratch_.bytes() + sorter_.bytes(); }

 private:
  device* machine_;
  radix_sorter sorter_;
  buffer<std::byte> scratch_;
};

}  // namespace gridloom::mhive::rcm::levels
