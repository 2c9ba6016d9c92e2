#pragma once
// The baseline of the thesis: cusolverSpXcsrsymrcmHost, which works on the host.

#include <memory>

#include "arm.hpp"

namespace gridloom::mhive::rcm {

/// Whether this build has cuSOLVER. The library also needs a CUDA device, although it does not use
/// the device.
[[nodiscard]] bool has_cusolver();

/// cuSOLVER's order, with its own start nodes. The reversed order of the arm is cuSOLVER's result.
/// The constructor makes cuSOLVER's signed 32-bit offsets and columns. Throws unsupported for a
/// build without CUDA and for graphs with 2^31 entries or more. A run has no time limit.
[[nodiscard]] std::unique_ptr<order_arm> make_cusolver_arm(arm_setup const& setup);

}  // namespace gridloom::mhive::rcm
