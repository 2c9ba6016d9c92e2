// Builds without CUDA.
#include "apps/lud/library_lu.hpp"
#include "gridloom/error.hpp"

namespace gridloom::juggler::lud {

std::unique_ptr<executor> make_library_lu(device& /*machine*/, std::int64_t /*rows*/,
                                          double* /*by_columns*/) {
  throw unsupported("this build has no CUDA, so no cuSOLVER");
}

}  // namespace gridloom::juggler::lud
