#pragma once
// Memory for large matrices. A std::vector would initialise all elements on one thread. That takes
// longer than all threads need to write the elements afterwards.

#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace gridloom::tiled_qr {

/// As std::allocator, but leaves elements uninitialised that are constructed without a value.
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

/// A vector whose elements stay uninitialised after its constructor or resize() was called with
/// only a size.
template <class T>
using host_vector = std::vector<T, unset_allocator<T>>;

}  // namespace gridloom::tiled_qr
