#pragma once
// What a task says that it reads or writes, and which storage that is. OpenMP's dependences are
// between storage locations, so a section is looked at as bytes: two pointers into one array, or
// pointers of two types to one address, name the same storage where their bytes are the same.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace gridloom::juggler {

/// Elements array[begin] to array[begin + length - 1], as in `depend(in: array[begin:length])`. The
/// address is a name and is not read. `begin` may be negative where the pointer lies inside an array.
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

/// Addresses first to last - 1; never empty.
struct byte_range {
  std::uintptr_t first;
  std::uintptr_t last;

  friend bool operator==(byte_range const&, byte_range const&) = default;
};

/// Why a section is no storage, or "": a length below 1, addresses that no memory has.
[[nodiscard]] std::string objection_to(array_section const& section);
/// The bytes of a section to which there is no objection.
[[nodiscard]] byte_range bytes_of(array_section const& section);

/// Arrays whose extent is known. Used by one thread. Cost: the logarithm of their number.
class declared_arrays {
 public:
  /// Throws usage_error for an empty array and for one that overlaps another; the same bytes may be
  /// declared again. `name` is for messages.
  void declare(array_section const& whole, std::string name);

  /// How a section leaves its array, or "". Its array is the declared one into which its pointer
  /// points; a section that has none must not overlap a declared array in part.
  [[nodiscard]] std::string objection_to(array_section const& section) const;

 private:
  struct extent {
    std::uintptr_t last;
    std::string name;
  };
  using arrays = std::map<std::uintptr_t, extent>;

  /// The first array, by addresses, that ends behind this one.
  [[nodiscard]] arrays::const_iterator ends_behind(std::uintptr_t address) const;

  /// By their first address; they are disjoint.
  arrays arrays_;
};

}  // namespace gridloom::juggler
