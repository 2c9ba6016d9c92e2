#pragma once
// Several arrays in one allocation of device memory. On a GPU, each allocation and each copy costs
// some microseconds, whatever its size.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "gridloom/device.hpp"

namespace gridloom {

/// Offsets of consecutive arrays, each at the beginning of a cache line.
class packing {
 public:
  /// Adds an array of n elements and returns its offset in bytes.
  template <class T>
  std::size_t add(std::size_t n) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= line_bytes);
    std::size_t const at = bytes_;
    bytes_ = (at + n * sizeof(T) + line_bytes - 1) / line_bytes * line_bytes;
    return at;
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

/// The arrays on the host, not initialised. The caller fills them and copies them at once.
class packed_image {
 public:
  explicit packed_image(packing const& parts)
      : bytes_(parts.bytes()),
        lines_(std::make_unique_for_overwrite<line[]>(bytes_ / line_bytes)) {}

  template <class T>
  [[nodiscard]] T* at(std::size_t offset) {
    return reinterpret_cast<T*>(reinterpret_cast<std::byte*>(lines_.get()) + offset);
  }
  template <class T>
  void set(std::size_t offset, std::vector<T> const& values) {
    std::copy(values.begin(), values.end(), at<T>(offset));
  }
  [[nodiscard]] std::span<std::byte const> bytes() const {
    return {reinterpret_cast<std::byte const*>(lines_.get()), bytes_};
  }

 private:
  struct line {
    alignas(line_bytes) std::byte bytes[line_bytes];
  };
  std::size_t bytes_;
  std::unique_ptr<line[]> lines_;
};

/// A view of a part of a buffer. The buffer must outlive it.
inline buffer<std::byte> part_of(buffer<std::byte> const& whole, std::size_t offset,
                                 std::size_t bytes) {
  return {whole.data() + offset, bytes, [](void*) noexcept {}};
}

}  // namespace gridloom
