#pragma once
// Sorts the children of a level for the CPU-GPU version (thesis, 7.3.3). The host makes the pairs,
// and the machine sorts them.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "arm.hpp"
#include "gridloom/device.hpp"

namespace gridloom::mhive::rcm {

/// Memory for one level and its sort. Used by one thread.
template <std::unsigned_integral Key>
class level_sorter {
 public:
  virtual ~level_sorter() = default;
  /// The host writes the keys here, and the values to values(). After the sort it reads the values.
  [[nodiscard]] virtual std::span<Key> keys() = 0;
  [[nodiscard]] virtual std::span<std::uint32_t> values() = 0;
  /// Sorts the values of the first `n` pairs stably by the lowest `key_bits` bits of their keys.
  /// Afterwards the keys are undefined.
  virtual void sort(std::uint32_t n, int key_bits) = 0;
  /// Bytes of device memory; 0 on the host.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
};

/// Makes a sorter for levels of up to `most` vertices: std::stable_sort on the host; on CUDA, CUB's
/// DeviceRadixSort with copies to and from the device.
[[nodiscard]] std::unique_ptr<level_sorter<std::uint32_t>> make_level_sorter_32(device& machine,
                                                                                std::uint32_t most);
[[nodiscard]] std::unique_ptr<level_sorter<std::uint64_t>> make_level_sorter_64(device& machine,
                                                                                std::uint32_t most);

namespace detail {

/// Defined in cuda_level_sorter.cpp, or in no_cuda_level_sorter.cpp for builds without CUDA.
[[nodiscard]] std::unique_ptr<level_sorter<std::uint32_t>> make_cuda_sorter_32(device& machine,
                                                                               std::uint32_t most);
[[nodiscard]] std::unique_ptr<level_sorter<std::uint64_t>> make_cuda_sorter_64(device& machine,
                                                                               std::uint32_t most);

}  // namespace detail

// The CPU-GPU version (thesis, 7.3.3): the host does everything but sorting, and the machine sorts
// the children of each level.

/// find_starts searches for the start nodes on the host, and `workers` has no effect. The parts are
/// "sort" (one task per sort, with its copies) and "host" (the rest). The arm's device memory is
/// the memory of the sort.
[[nodiscard]] std::unique_ptr<order_arm> make_cpu_gpu_arm(arm_setup const& setup);

}  // namespace gridloom::mhive::rcm
