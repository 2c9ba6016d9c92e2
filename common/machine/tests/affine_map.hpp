#pragma once
// The map x -> factor · x + offset modulo 2^32. Composition is associative but not commutative, so
// a reduction that mixes up the order of its threads gives a wrong result. A map is too large for a
// shuffle.

#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom::test {

struct affine_map {
  std::uint32_t factor;
  std::uint32_t offset;
  bool operator==(affine_map const&) const = default;
};

/// Applies `a`, then `b`.
struct compose_maps {
  GRIDLOOM_FN affine_map operator()(affine_map a, affine_map b) const {
    return {a.factor * b.factor, a.offset * b.factor + b.offset};
  }
};

}  // namespace gridloom::test
