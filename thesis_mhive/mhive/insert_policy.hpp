#pragma once
// Insert policies, which say where the search for a slot of the waiting storage starts (chapter
// 5.2). A task type that may wait for dependencies names its policy by `using insert_policy = ...`.
// A policy is one of these structs, or another one with the same function. An application may know
// a place where few other tasks search.

#include <cstdint>
#include <cstring>
#include <type_traits>

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

/// Starts at a hash of the work item's bytes, so that a task starts at the same slot in every run.
/// The item must have no padding, because its bytes are undefined. It must have no floating-point
/// numbers either, because the compiler cannot tell them from padding.
struct hashed_insert {
  template <class Item>
  GRIDLOOM_FN static std::uint32_t start(Item const& item, std::uint32_t /*salt*/) {
    static_assert(std::has_unique_object_representations_v<Item>,
                  "hashed_insert needs a work item without padding and floating-point numbers");
    unsigned char bytes[sizeof(Item)];
    memcpy(bytes, &item, sizeof(Item));
    // The hash is FNV-1a.
    std::uint32_t hash = 2166136261U;
    for (unsigned char const byte : bytes) hash = (hash ^ byte) * 16777619U;
    return detail::spread(hash);
  }
};

}  // namespace gridloom::mhive
