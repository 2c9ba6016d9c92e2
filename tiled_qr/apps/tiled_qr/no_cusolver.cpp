// Builds without CUDA.
#include "cusolver.hpp"
#include "gridloom/error.hpp"

namespace gridloom::tiled_qr {

template <class T>
std::unique_ptr<cusolver_qr<T>> make_cusolver_qr(device& /*machine*/, std::int64_t /*rows*/,
                                                 std::int64_t /*cols*/) {
  throw unsupported("this build has no CUDA, so no cuSOLVER");
}

template std::unique_ptr<cusolver_qr<float>> make_cusolver_qr(device&, std::int64_t, std::int64_t);
template std::unique_ptr<cusolver_qr<double>> make_cusolver_qr(device&, std::int64_t, std::int64_t);

}  // namespace gridloom::tiled_qr
