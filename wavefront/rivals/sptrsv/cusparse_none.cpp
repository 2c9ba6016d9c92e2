#include "apps/sptrsv/solver.hpp"
#include "gridloom/error.hpp"

namespace gridloom::wavefront::sptrsv {

std::unique_ptr<solver> make_cusparse(device& /*machine*/, lower_system const& /*of*/) {
  throw unsupported("cusparse_spsv: expected a build with the CUDA toolkit, got one without");
}

}  // namespace gridloom::wavefront::sptrsv
