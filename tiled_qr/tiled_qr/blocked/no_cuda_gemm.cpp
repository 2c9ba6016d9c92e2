#include "gridloom/error.hpp"
#include "tiled_qr/blocked/gemm.hpp"

namespace gridloom::tiled_qr {

template <class Real>
std::unique_ptr<gemm<Real>> make_cuda_gemm(device& /*machine*/, int /*lane*/) {
  throw unsupported("cuBLAS: expected a build with CUDA, got one without");
}

template std::unique_ptr<gemm<float>> make_cuda_gemm(device&, int);
template std::unique_ptr<gemm<double>> make_cuda_gemm(device&, int);

}  // namespace gridloom::tiled_qr
