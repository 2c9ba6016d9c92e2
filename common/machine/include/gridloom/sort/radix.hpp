#pragma once
// Radix sort of keys with values in device memory: CUB's DeviceRadixSort on CUDA, std::stable_sort
// on the host.

#include <cstddef>
#include <cstdint>

#include "gridloom/device.hpp"

namespace gridloom {

/// Owner of the memory for sorting up to `most` pairs. Belongs to one device and one thread.
class radix_sorter {
 public:
  radix_sorter(device& machine, std::size_t most);

  /// Sorts by the lowest `bits` bits of the keys. The sort is stable. `keys_to` and `values_to`
  /// must not overlap `keys` and `values`, which keep their contents. The sort is ordered with
  /// launches.
  void sort(std::uint64_t const* keys, std::uint64_t* keys_to, std::uint32_t const* values,
            std::uint32_t* values_to, std::size_t n, int bits);

  [[nodiscard]] std::size_t bytes() const { return scratch_.bytes(); }

 private:
  device* machine_;
  buffer<unsigned char> scratch_;
};

}  // namespace gridloom
