// Replaces the library methods in builds without CUDA.
#include "gridloom/error.hpp"
#include "juggler/rivals/lud/library_lu.hpp"

namespace gridloom::juggler::lud {

std::unique_ptr<executor> make_library_lu(device& /*machine*/, std::int64_t /*rows*/,
                                          double* /*by_columns*/) {
  throw unsupported("cuSOLVER: expected a build with CUDA, got one without");
}

std::unique_ptr<executor> make_library_product(device& /*machine*/, std::int64_t /*rows*/,
                                               double const* /*a*/, double* /*product*/) {
  throw unsupported("cuBLAS: expected a build with CUDA, got one without");
}

std::unique_ptr<executor> make_library_update(device& /*machine*/, std::int64_t /*rows*/,
                                              int /*tile*/, double* /*a*/) {
  throw unsupported("cuBLAS: expected a build with CUDA, got one without");
}

}  // namespace gridloom::juggler::lud
