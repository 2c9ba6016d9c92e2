#pragma once
// Radix sort of keys with values in a device's memory: CUB's DeviceRadixSort on CUDA, a stable sort
// of the standard library on the host. Outside what this repository is for, so a library's.

#include <cstddef>
#include <cstdint>

#include "gridloom/device.hpp"

namespace gridloom {

/// Memory for sorting up to `most` pairs; belongs to one device and one thread.
class radix_sorter {
 public:
  radix_sorter(device& machine, std::size_t most);

  /// Sorts by the lowest `bits` bits of the keys; pairs with equal ones stay in order. `keys_to`
  /// and `values_to` must be other memory than `keys` and `values`, which stay as they are. In line
  /// with launches.
  void sort(std::uint64_t const* keys, std::uint64_t* keys_to, std::uint32_t const* values,
            std::uint32_t* values_to, std::size_t n, int bits);

  [[nodiscard]] std::size_t bytes() const { return scratch_.bytes(); }

 private:
  device* machine_;
  buffer<unsigned char> scratch_;
};

}  // namespace gridloom
