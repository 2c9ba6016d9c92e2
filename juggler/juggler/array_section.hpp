#pragma once
// The array section that a task reads or writes, and its storage. OpenMP's dependences are between
// storage locations, so a section is a range of bytes. Two sections overlap if they share bytes,
// even if their pointers or types differ.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace gridloom::juggler {

/// Elements array[begin] to array[begin + length - 1], as in `depend(in: array[begin:length])`.
/// Only the address matters; the memory is not read. `begin` may be negative if the pointer points
/// inside an array.
struct array_section {
  void const* array;
  std::size_t element_bytes;
  std::int64_t begin;
  std::int64_t length;
};

template <class T>
array_section section_of(T const* array, std::int64_t begin, std::int64_t length) {
  return {array, sizeof(T), begin, length};
}

/// An array that is cut into tiles of `length` elements. Made by dag_builder::declare_tiles().
struct tiled_array {
  void const* array;
  std::size_t element_bytes;
  std::int64_t length;
  /// In its tile_map.
  std::size_t number;

  [[nodiscard]] array_section tile(std::int64_t index) const {
    return {array, element_bytes, index * length, length};
  }
};

/// Addresses `first` to `last` - 1; never empty.
struct byte_range {
  std::uintptr_t first;
  std::uintptr_t last;

  friend bool operator==(byte_range const&, byte_range const&) = default;
};

/// Finds the bytes of a section. Returns false if the length is below 1 or the addresses overflow.
[[nodiscard]] inline bool find_bytes(array_section const& section, byte_range& range) {
  std::int64_t end = 0;
  std::int64_t offset = 0;
  std::uintptr_t bytes = 0;
  return section.length >= 1 && section.element_bytes != 0 &&
         !__builtin_add_overflow(section.begin, section.length, &end) &&
         !__builtin_mul_overflow(section.begin, section.element_bytes, &offset) &&
         !__builtin_add_overflow(reinterpret_cast<std::uintptr_t>(section.array), offset,
                                 &range.first) &&
         !__builtin_mul_overflow(section.length, section.element_bytes, &bytes) &&
         !__builtin_add_overflow(range.first, bytes, &range.last);
}
/// Says why find_bytes() returns false; "" if it returns true.
[[nodiscard]] std::string objection_to(array_section const& section);
/// The bytes of a valid section.
[[nodiscard]] byte_range bytes_of(array_section const& section);

/// Arrays with a known extent. Used by one thread. Cost: logarithmic in the number of arrays,
/// constant for the four arrays used last.
class declared_arrays {
 public:
  /// Returns whether the array is new: declaring the same bytes again is allowed. Throws usage_error
  /// for an empty array, and for one that overlaps another. Messages use `name`.
  bool declare(array_section const& whole, std::string name);

  /// Returns how a section leaves its array, or "" if it is valid. Its array is the declared array
  /// that contains its pointer. A section without such an array must not overlap a declared array
  /// in part.
  [[nodiscard]] std::string objection_to(array_section const& section) const;
  /// True if the bytes certainly stay in the section's array. If false, objection_to() decides.
  [[nodiscard]] bool known_to_hold(array_section const& section, byte_range bytes) const {
    auto const pointer = reinterpret_cast<std::uintptr_t>(section.array);
    for (byte_range const& array : recent_) {
      if (pointer >= array.first && pointer < array.last)
        return bytes.first >= array.first && bytes.last <= array.last;
    }
    return arrays_.empty();
  }

 private:
  struct extent {
    std::uintptr_t last;
    std::string name;
  };
  using arrays = std::map<std::uintptr_t, extent>;

  /// The array with the lowest address that ends after this address.
  [[nodiscard]] arrays::const_iterator ends_behind(std::uintptr_t address) const;
  void remember(byte_range array) const;

  /// Disjoint arrays; the key is the first address.
  arrays arrays_;
  /// The arrays used last, for known_to_hold(). Unused entries are empty ranges.
  mutable std::array<byte_range, 4> recent_{};
  mutable std::size_t oldest_ = 0;
};

}  // namespace gridloom::juggler
