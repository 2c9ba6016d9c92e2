#pragma once
// The baseline of the thesis: cusolverSpXcsrsymrcmHost, which works on the host.

#include <memory>

#include "arm.hpp"

namespace gridloom::mhive::rcm {

/// Whether this build has cuSOLVER. cuSOLVER also needs a CUDA device, although it does not use
/// one.
[[nodiscard]] bool has_cusolver();

/// cuSOLVER's order, with its own start nodes. The reversed order of the arm is cuSOLVER's result.
/// The constructor makes its signed 32-bit offsets and columns. Throws unsupported for a build
/// without CUDA and for graphs with 2^31 entries or more. Its time has no limit.
[[nodiscard]] std::unique_ptr<order_arm> make_cusolver_arm(arm_setup const& setup);

}  // namespace gridloom::mhive::rcm
