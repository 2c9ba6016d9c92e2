#pragma once
// Programmatic dependent launch in three steps, where a kernel has something to read in between: it
// lets the next launch begin, reads what no launch writes, and waits for the launch before it
// (`wait_for_previous_launch`, which would do the first step as well). If it read first, the launch
// of each kernel would wait for the loads of the one before. A leaf: nothing on the host.

#include "gridloom/portable.hpp"

#if defined(__CUDACC__)
#include <cuda_runtime_api.h>
#endif

namespace gridloom::wavefront {

/// In a kernel that `overlaps_previous`.
GRIDLOOM_FN inline void let_next_launch_begin() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}

}  // namespace gridloom::wavefront
