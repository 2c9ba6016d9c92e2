#pragma once
// First step of a programmatic dependent launch, for kernels that read something before they wait.
// Such a kernel lets the next launch begin, reads what no launch writes, and waits for the previous
// launch. (`wait_for_previous_launch` alone does the first step, too.) If the kernel read first,
// each launch would wait for the loads of the previous one.

#include "gridloom/portable.hpp"

#if defined(__CUDACC__)
#include <cuda_runtime_api.h>
#endif

namespace gridloom {

/// Called in a kernel that `overlaps_previous`. Does nothing on the host.
GRIDLOOM_FN inline void let_next_launch_begin() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}

}  // namespace gridloom
