#pragma once
// Finds segments of storage by their first address: a hash table of segment numbers with linear
// probing. The addresses stay in the segments, so a place takes only 4 bytes and many fit into a
// cache. Boost has flat hash tables from 1.81 on; Debian 12 comes with 1.74.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gridloom::juggler {

/// Number of a segment; 0 is none.
using segment_id = std::uint32_t;

/// Sebastiano Vigna's mixing step of splitmix64. Without it, addresses would collide, because they
/// are multiples of powers of two.
inline std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

/// Used by one thread, which calls clear() first. Cost: constant.
class segment_table {
 public:
  /// The segment that begins at the address, or 0. `first(id)` is the first address of a segment.
  template <class First>
  [[nodiscard]] segment_id find(std::uintptr_t address, First const& first) const {
    for (std::size_t place = home(address);; place = (place + 1) & mask_) {
      segment_id const id = ids_[place];
      if (id == 0 || (id != erased && first(id) == address)) return id;
    }
  }
  /// Inserts a segment that is not in the table. The caller has checked is_full().
  void insert(segment_id id, std::uintptr_t address) {
    std::size_t place = home(address);
    while (ids_[place] != 0 && ids_[place] != erased) place = (place + 1) & mask_;
    if (ids_[place] == 0) ++taken_;
    ids_[place] = id;
  }
  /// Removes a segment that is in the table.
  void erase(segment_id id, std::uintptr_t address) {
    std::size_t place = home(address);
    while (ids_[place] != id) place = (place + 1) & mask_;
    ids_[place] = erased;
  }
  /// Whether another insertion would make searches long.
  [[nodiscard]] bool is_full() const { return taken_ > mask_ / 8 * 5; }
  /// Empties the table and makes room for this number of segments.
  void clear(std::size_t expected) {
    std::size_t const places = std::bit_ceil(std::max<std::size_t>(64, expected * 2));
    ids_.assign(places, 0);
    mask_ = places - 1;
    taken_ = 0;
  }

 private:
  static constexpr segment_id erased = ~0U;

  [[nodiscard]] std::size_t home(std::uintptr_t address) const { return mixed(address) & mask_; }

  std::vector<segment_id> ids_;
  std::size_t mask_ = 0;
  /// Number of places that are not 0, including those of erased segments.
  std::size_t taken_ = 0;
};

}  // namespace gridloom::juggler
