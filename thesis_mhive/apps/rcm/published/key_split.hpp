#pragma once
// The key by which the children of a level are sorted: the parent's place in the order, then the
// child's valency (thesis, 7.3.2). The number of bits of each part is computed from the graph.
// Algorithm 7.3 uses 16 and 16.

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>

#include "gridloom/portable.hpp"

namespace gridloom::mhive::rcm {

/// Values of d_keys (order_data::keys) that are no keys (see fits).
template <std::unsigned_integral Key>
struct key_marks {
  /// The vertex is in the order, or among the children that are being sorted.
  static constexpr Key placed = 0;
  static constexpr Key untouched = std::numeric_limits<Key>::max();
};

/// Returns the number of bits for valencies up to the graph's largest.
[[nodiscard]] inline int valency_bits(std::uint32_t largest_valency) {
  return std::bit_width(largest_valency);
}

/// Whether keys of this type hold all places of this many vertices. No place has all bits set, so
/// no key equals `untouched`. No key equals `placed`, because a child has a neighbour.
template <std::unsigned_integral Key>
[[nodiscard]] inline bool fits(std::uint32_t num_vertices, int bits_of_valency) {
  int const bits = std::numeric_limits<Key>::digits - bits_of_valency;
  return bits > 32 || (bits > 0 && num_vertices <= (std::uint64_t{1} << bits) - 1);
}

/// Returns the key of a child. `place` and `valency` must fit.
template <std::unsigned_integral Key>
[[nodiscard]] GRIDLOOM_FN Key make_key(std::uint32_t place, std::uint32_t valency, int bits) {
  return (static_cast<Key>(place) << bits) | static_cast<Key>(valency);
}

}  // namespace gridloom::mhive::rcm
