#include "gridloom/error.hpp"
#include "ours/blocked/gemm.hpp"

namespace gridloom::tiled_qr {

template <class Real>
std::unique_ptr<gemm<Real>> make_cuda_gemm(device& /*machine*/, void* /*stream*/) {
  throw unsupported("cuBLAS: expected a build with CUDA, got one without");
}

template std::unique_ptr<gemm<float>> make_cuda_gemm(device&, void*);
template std::unique_ptr<gemm<double>> make_cuda_gemm(device&, void*);

}  // namespace gridloom::tiled_qr
