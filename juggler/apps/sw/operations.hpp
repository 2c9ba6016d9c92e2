#pragma once
// The integer operations of an alignment's element. This file depends on the backend. On a GPU of
// compute capability 9.0, each is one instruction (DPX and a dot product of bytes). Older devices
// and the host take several.

#include <algorithm>
#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom::juggler::sw {

/// value + the signed byte with this number, which should be constant after unrolling.
GRIDLOOM_FN inline int add_byte(std::uint32_t bytes, int number, int value) {
#if defined(__CUDA_ARCH__)
  return __dp4a(static_cast<int>(bytes), 1 << (8 * number), value);
#else
  return value + static_cast<std::int8_t>(bytes >> (8U * static_cast<unsigned>(number)));
#endif
}

GRIDLOOM_FN inline int max3_or_0(int a, int b, int c) {
#if defined(__CUDA_ARCH__)
  return __vimax3_s32_relu(a, b, c);
#else
  return std::max(std::max(a, b), std::max(c, 0));
#endif
}

GRIDLOOM_FN inline int add_max(int a, int b, int c) {
#if defined(__CUDA_ARCH__)
  return __viaddmax_s32(a, b, c);
#else
  return std::max(a + b, c);
#endif
}

GRIDLOOM_FN inline int max3(int a, int b, int c) {
#if defined(__CUDA_ARCH__)
  return __vimax3_s32(a, b, c);
#else
  return std::max(std::max(a, b), c);
#endif
}

}  // namespace gridloom::juggler::sw
