// Replaces cuda_cusolver.cpp in builds without CUDA.

#include "cusolver.hpp"
#include "gridloom/error.hpp"

namespace gridloom::mhive::rcm {

bool has_cusolver() { return false; }

std::unique_ptr<order_arm> make_cusolver_arm(arm_setup const& /*setup*/) {
  throw unsupported("cusolver: expected a build with CUDA, got one without");
}

}  // namespace gridloom::mhive::rcm
