#pragma once
// Insert policies, which say where the search for a slot of the waiting storage starts (chapter
// 5.2). A task type that may wait for dependencies names its policy by `using insert_policy = ...`.
// A policy is random_insert, or another struct with the same function. An application may know a
// place where few other tasks search.

#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom::mhive {

namespace detail {
/// Mixes the bits of a word, as the last step of a multiplicative hash does.
GRIDLOOM_FN inline std::uint32_t spread(std::uint32_t x) {
  x = (x ^ (x >> 16U)) * 0x7feb352dU;
  x = (x ^ (x >> 15U)) * 0x846ca68bU;
  return x ^ (x >> 16U);
}
}  // namespace detail

/// The thesis's policy: starts at a random slot. `salt` differs from call to call.
struct random_insert {
  template <class Item>
  GRIDLOOM_FN static std::uint32_t start(Item const& /*item*/, std::uint32_t salt) {
    return detail::spread(salt);
  }
};

}  // namespace gridloom::mhive
