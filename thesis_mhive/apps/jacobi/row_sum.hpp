#pragma once
// Adds up the products of a row in a fixed order. The order is the same for the serial reference
// and for workers of any size on host and GPU. So all versions give the same iterates to the bit.
//
// Up to 32 numbers are added one after the other. More numbers are distributed to 32 lanes (lane l
// gets numbers l, l + 32, ...). Each lane adds up its own numbers. Then the lanes' sums are added
// pairwise, first those that are 16 lanes apart. A row longer than a task's threshold is cut into
// segments of that length. The segments' sums are added up by the same rule.
//
// Sources that use this are compiled without contraction of a product and a sum into one operation.

#include <cstdint>

#include "gridloom/group.hpp"
#include "gridloom/portable.hpp"

namespace gridloom::mhive::jacobi {

inline constexpr std::uint32_t sum_lanes = 32;

/// Returns the sum of number(0) .. number(n - 1), by one thread.
template <class Value, class Number>
GRIDLOOM_FN Value ordered_sum(std::uint32_t n, Number const& number) {
  if (n <= sum_lanes) {
    Value sum{0};
    for (std::uint32_t i = 0; i < n; ++i) sum += number(i);
    return sum;
  }
  // On a GPU, only workers without whole warps use this function. So few registers matter more than
  // speed.
  Value lanes[sum_lanes];
  GRIDLOOM_NO_UNROLL
  for (std::uint32_t lane = 0; lane < sum_lanes; ++lane) {
    Value sum{0};
    GRIDLOOM_NO_UNROLL
    for (std::uint32_t i = lane; i < n; i += sum_lanes) sum += number(i);
    lanes[lane] = sum;
  }
  GRIDLOOM_NO_UNROLL
  for (std::uint32_t apart = sum_lanes / 2; apart > 0; apart /= 2) {
    GRIDLOOM_NO_UNROLL
    for (std::uint32_t lane = 0; lane < apart; ++lane) lanes[lane] += lanes[lane + apart];
  }
  return lanes[0];
}

/// Computes the same sum by a warp. All threads of the warp call it and get the sum.
template <class Value, warp_group Warp, class Number>
GRIDLOOM_FN Value ordered_sum(Warp const& warp, std::uint32_t n, Number const& number) {
  if (warp.num_threads() != static_cast<int>(sum_lanes) || n <= sum_lanes) {
    return ordered_sum<Value>(n, number);
  }
  auto const rank = static_cast<std::uint32_t>(warp.thread_rank());
  Value sum{0};
  for (std::uint32_t i = rank; i < n; i += sum_lanes) sum += number(i);
  for (std::uint32_t apart = sum_lanes / 2; apart > 0; apart /= 2) {
    // Both lanes of a pair add the same two numbers, so all lanes end with the sum of the first
    // lane.
    sum += warp.shuffle(sum, static_cast<int>(rank ^ apart));
  }
  return sum;
}

/// Computes the same sum by a warp, for a row that may be longer than a task's threshold of
/// `segment` numbers.
template <class Value, warp_group Warp, class Number>
GRIDLOOM_FN Value segmented_sum(Warp const& warp, std::uint32_t n, std::uint32_t segment,
                                Number const& number) {
  auto const segment_sum = [&](std::uint32_t which) {
    std::uint32_t const begin = which * segment;
    std::uint32_t const rest = n - begin;
    return ordered_sum<Value>(warp, rest < segment ? rest : segment,
                              [&](std::uint32_t i) -> Value { return number(begin + i); });
  };
  std::uint32_t const segments = (n - 1) / segment + 1;
  return segments == 1 ? segment_sum(0) : ordered_sum<Value>(segments, segment_sum);
}

/// Returns a new value of x (thesis, Eq. 7.2). As in Algorithm 7.5, the sum covers the whole row,
/// and the diagonal's product is subtracted again.
template <class Value>
GRIDLOOM_FN Value new_value(Value right_side, Value sum, Value diagonal, Value old) {
  return (right_side - sum + diagonal * old) / diagonal;
}

}  // namespace gridloom::mhive::jacobi
