#pragma once
// Division by a constant known at run time, as one multiplication and a shift. A GPU needs two
// dozen instructions for an integer division, as many as for a scheduling step. The method is that
// of Granlund and Montgomery, "Division by invariant integers using multiplication" (PLDI 1994).

#include <bit>
#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom {

/// Divides numbers below 2^31. Built on the host, used anywhere.
class divider {
 public:
  divider() = default;
  /// `d` is 1 to 2^31 - 1.
  explicit divider(std::uint32_t d)
      // With 2^s >= d the multiplier ceil(2^(31 + s) / d) fits 32 bits, and its rounding never
      // changes a quotient.
      : shift_(31U + static_cast<std::uint32_t>(std::bit_width(d - 1))),
        multiplier_(static_cast<std::uint32_t>(((std::uint64_t{1} << shift_) + d - 1) / d)) {}

  GRIDLOOM_FN std::uint32_t quotient(std::uint32_t n) const {
    return static_cast<std::uint32_t>(std::uint64_t{n} * multiplier_ >> shift_);
  }

 private:
  std::uint32_t shift_ = 31;
  std::uint32_t multiplier_ = 0x80000000U;
};

}  // namespace gridloom
