#pragma once
// Tells a GPU compiler that a reference is to shared memory. In a function that is not inlined, the
// compiler cannot know.

#include "gridloom/portable.hpp"

namespace gridloom::tiled_qr {

/// Returns the same object. Without this call, the compiler assumes that a reference argument may
/// point to any kind of memory. Then it does not read ahead, and does not use the instructions for
/// shared memory.
template <class Object>
GRIDLOOM_FN Object& in_shared(Object& object) {
#if defined(__CUDA_ARCH__)
  return *static_cast<Object*>(__cvta_shared_to_generic(__cvta_generic_to_shared(&object)));
#else
  return object;
#endif
}

}  // namespace gridloom::tiled_qr
