#pragma once
// A value with a tag that says whose turn it is to read or write it: the slot of a queue.
//
// On CUDA a slot of up to 16 bytes is one access: tag and value are never seen apart, and a
// consumer that sees the tag has the value. That saves it a dependent access, and the producer a
// fence between value and tag. Larger slots, and all on the host, are two accesses in order.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "gridloom/portable.hpp"

namespace gridloom {

namespace detail {

template <class T>
struct tag_and_value {
  std::uint32_t tag;
  T value;
};
template <class T>
inline constexpr std::size_t tagged_alignment = sizeof(tag_and_value<T>) > 16
                                                    ? alignof(tag_and_value<T>)
                                                    : (sizeof(tag_and_value<T>) > 8 ? 16 : 8);

}  // namespace detail

/// Written and read by `put_tagged` and its like in atomic.hpp.
template <class T>
struct alignas(detail::tagged_alignment<T>) tagged {
  static_assert(std::is_trivially_copyable_v<T>);

  std::uint32_t tag;
  T value;
};

namespace detail {

/// Whether the slot is one access here.
template <class T>
#if defined(__CUDA_ARCH__)
inline constexpr bool one_access = sizeof(tagged<T>) <= 16;
#else
inline constexpr bool one_access = false;
#endif

}  // namespace detail

}  // namespace gridloom
