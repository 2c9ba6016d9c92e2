#pragma once
// Tells a GPU compiler that a reference is to shared memory, behind a call that is not inlined.

#include "gridloom/portable.hpp"

namespace gridloom::tiled_qr {

/// Returns the same object. For a reference argument, a compiler assumes any kind of memory. Then
/// it neither reads ahead nor uses the instructions for shared memory.
template <class Object>
GRIDLOOM_FN Object& in_shared(Object& object) {
#if defined(__CUDA_ARCH__)
  return *static_cast<Object*>(__cvta_shared_to_generic(__cvta_generic_to_shared(&object)));
#else
  return object;
#endif
}

}  // namespace gridloom::tiled_qr
