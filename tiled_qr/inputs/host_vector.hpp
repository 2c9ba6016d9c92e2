#pragma once
// Memory for the numbers of a large matrix. The constructor of a std::vector initialises all
// elements by one thread, which takes longer than all threads need to write them afterwards.

#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace gridloom::tiled_qr {

/// As std::allocator, but leaves elements without a given value unset.
template <class T>
struct unset_allocator : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = unset_allocator<U>;
  };
  template <class U>
  void construct(U* at) {
    ::new (static_cast<void*>(at)) U;
  }
  template <class U, class... Values>
  void construct(U* at, Values&&... values) {
    ::new (static_cast<void*>(at)) U(std::forward<Values>(values)...);
  }
};

/// A vector whose elements are not initialised by a constructor or resize() with only a size.
template <class T>
using host_vector = std::vector<T, unset_allocator<T>>;

}  // namespace gridloom::tiled_qr
