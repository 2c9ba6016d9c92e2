#pragma once
// The baseline of the thesis: cusolverSpXcsrsymrcmHost, which works on the host.

#include <memory>

#include "arm.hpp"

namespace gridloom::mhive::rcm {

/// Whether this build has it. It also needs a CUDA device, although it does not use one.
[[nodiscard]] bool has_cusolver();

/// cuSOLVER's own order, with start nodes of its own: reversed, the arm's order is what cuSOLVER
/// returns. Its offsets and columns have 32 bits with a sign; they are made together with the arm.
/// Throws unsupported for a build without CUDA and for graphs with 2^31 entries or more.
/// Nothing bounds its time.
[[nodiscard]] std::unique_ptr<order_arm> make_cusolver_arm(arm_setup const& setup);

}  // namespace gridloom::mhive::rcm
