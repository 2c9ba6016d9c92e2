#pragma once
// Shared memory behind a call that is not inlined. A leaf.

#include "gridloom/portable.hpp"

namespace gridloom::tiled_qr {

/// The same object. The compiler of a GPU takes a reference that it is handed for any memory, and then
/// neither reads ahead nor uses the instructions for shared memory; this says where it lies.
template <class Object>
GRIDLOOM_FN Object& in_shared(Object& object) {
#if defined(__CUDA_ARCH__)
  return *static_cast<Object*>(__cvta_shared_to_generic(__cvta_generic_to_shared(&object)));
#else
  return object;
#endif
}

}  // namespace gridloom::tiled_qr
