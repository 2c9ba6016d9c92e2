#pragma once
// The baseline of the thesis: cusolverSpXcsrsymrcmHost, which works on the host.

#include <memory>

#include "thesis_mhive/apps/rcm/arm.hpp"

namespace gridloom::mhive::rcm {

/// Whether this build has cuSOLVER. The library also needs a CUDA device, although it does not use
/// the device.
[[nodiscard]] bool has_cusolver();

/// Makes the arm of cuSOLVER, which chooses its own start nodes. The arm's order is cuSOLVER's
/// result before it is reversed. The constructor makes the signed 32-bit offsets and columns that
/// cuSOLVER takes. Throws unsupported for a build without CUDA, and for graphs with 2^31 entries or
/// more. A run has no time limit.
[[nodiscard]] std::unique_ptr<order_arm> make_cusolver_arm(arm_setup const& setup);

}  // namespace gridloom::mhive::rcm
