// Products by cuBLAS, through its 64-bit interface. We set its workspace, so that the same product
// gives the same bits in every run.
#include "check/of_precision.hpp"
#include "gridloom/cuda_library.cuh"
#include "ours/blocked/gemm.hpp"

namespace gridloom::tiled_qr {

namespace {

template <class Real>
class cuda_gemm final : public gemm<Real> {
 public:
  cuda_gemm(device& machine, void* stream)
      : workspace_(machine.allocate<unsigned char>(cuda_gemm_bytes)),
        handle_(static_cast<cudaStream_t>(stream)) {
    require_success(cublasSetWorkspace(handle_.get(), workspace_.data(), workspace_.size()),
                    "cublasSetWorkspace");
  }
  [[nodiscard]] std::size_t bytes() const override { return workspace_.bytes(); }

 protected:
  void multiply(bool transposed, std::int64_t rows, std::int64_t cols, std::int64_t depth,
                Real alpha, gemm_operand<Real const> left, gemm_operand<Real const> right,
                Real beta, gemm_operand<Real> out) override {
    require_success(of_precision<Real>(cublasSgemm_64, cublasDgemm_64)(
                        handle_.get(), transposed ? CUBLAS_OP_T : CUBLAS_OP_N, CUBLAS_OP_N, rows,
                        cols, depth, &alpha, left.data, left.leading, right.data, right.leading,
                        &beta, out.data, out.leading),
                    "cublasXgemm");
  }

 private:
  buffer<unsigned char> workspace_;
  cublas_handle handle_;
};

}  // namespace

template <class Real>
std::unique_ptr<gemm<Real>> make_cuda_gemm(device& machine, void* stream) {
  return std::make_unique<cuda_gemm<Real>>(machine, stream);
}

template std::unique_ptr<gemm<float>> make_cuda_gemm(device&, void*);
template std::unique_ptr<gemm<double>> make_cuda_gemm(device&, void*);

}  // namespace gridloom::tiled_qr
