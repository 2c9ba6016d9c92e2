#pragma once
// The slot of a queue: a value with a tag that says whether a producer or a consumer may access it.
//
// On CUDA a slot of up to 16 bytes is read and written in one access. So a consumer that sees the
// tag has the value. This saves the consumer a dependent access, and the producer a fence between
// value and tag. Larger slots, and all slots on the host, take two ordered accesses.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "gridloom/portable.hpp"

namespace gridloom {

namespace detail {

template <class T, class Tag>
struct tag_and_value {
  Tag tag;
  T value;
};
template <class T, class Tag>
inline constexpr std::size_t tagged_alignment = sizeof(tag_and_value<T, Tag>) > 16
                                                    ? alignof(tag_and_value<T, Tag>)
                                                    : (sizeof(tag_and_value<T, Tag>) > 8 ? 16 : 8);

}  // namespace detail

/// Accessed only by the functions for tagged slots in atomic.hpp, such as `put_tagged`.
template <class T, class Tag = std::uint32_t>
struct alignas(detail::tagged_alignment<T, Tag>) tagged {
  static_assert(std::is_trivially_copyable_v<T>);

  Tag tag;
  T value;
};

namespace detail {

/// Whether this machine reads and writes the slot in one access.
template <class T, class Tag = std::uint32_t>
#if defined(__CUDA_ARCH__)
inline constexpr bool one_access = sizeof(tagged<T, Tag>) <= 16;
#else
inline constexpr bool one_access = false;
#endif

}  // namespace detail

}  // namespace gridloom
