#pragma once
// Memory for as many numbers as a large matrix has. A std::vector sets its elements when it is made,
// by one thread, which takes longer than all the threads that write them afterwards.

#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace gridloom::tiled_qr {

/// As std::allocator, but leaves elements unset that have no value of their own.
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

/// Whose elements are unset after a constructor or resize() with a size alone.
template <class T>
using host_vector = std::vector<T, unset_allocator<T>>;

}  // namespace gridloom::tiled_qr
