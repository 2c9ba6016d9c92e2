// Products by cuBLAS, through its 64-bit interface. We set its workspace, so that the same product
// gives the same bits in every run.
#include <cublas_v2.h>

#include <string>
#include <type_traits>

#include "gridloom/error.hpp"
#include "ours/blocked/gemm.hpp"

namespace gridloom::tiled_qr {

namespace {

void require(cublasStatus_t status, char const* call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw run_error(std::string(call) + ": expected success, got " + cublasGetStatusString(status));
}

template <class Real>
class cuda_gemm final : public gemm<Real> {
 public:
  cuda_gemm(device& machine, void* stream)
      : workspace_(machine.allocate<unsigned char>(cuda_gemm_bytes)) {
    require(cublasCreate(&handle_), "cublasCreate");
    require(cublasSetStream(handle_, static_cast<cudaStream_t>(stream)), "cublasSetStream");
    require(cublasSetWorkspace(handle_, workspace_.data(), workspace_.size()),
            "cublasSetWorkspace");
  }
  cuda_gemm(cuda_gemm const&) = delete;
  cuda_gemm& operator=(cuda_gemm const&) = delete;
  ~cuda_gemm() override {
    if (handle_ != nullptr) static_cast<void>(cublasDestroy(handle_));
  }

  void transposed_product(std::int64_t rows, std::int64_t cols, std::int64_t depth,
                          gemm_operand<Real const> left, gemm_operand<Real const> right,
                          gemm_operand<Real> out) override {
    multiply(CUBLAS_OP_T, rows, cols, depth, Real{1}, left, right, Real{0}, out);
  }
  void add_transposed_product(std::int64_t rows, std::int64_t cols, std::int64_t depth,
                              gemm_operand<Real const> left, gemm_operand<Real const> right,
                              gemm_operand<Real> out) override {
    multiply(CUBLAS_OP_T, rows, cols, depth, Real{1}, left, right, Real{1}, out);
  }
  void subtract_product(std::int64_t rows, std::int64_t cols, std::int64_t depth,
                        gemm_operand<Real const> left, gemm_operand<Real const> right,
                        gemm_operand<Real> out) override {
    multiply(CUBLAS_OP_N, rows, cols, depth, Real{-1}, left, right, Real{1}, out);
  }
  [[nodiscard]] std::size_t bytes() const override { return workspace_.bytes(); }

 private:
  void multiply(cublasOperation_t left_op, std::int64_t rows, std::int64_t cols, std::int64_t depth,
                Real alpha, gemm_operand<Real const> left, gemm_operand<Real const> right,
                Real beta, gemm_operand<Real> out) {
    if constexpr (std::is_same_v<Real, double>) {
      require(cublasDgemm_64(handle_, left_op, CUBLAS_OP_N, rows, cols, depth, &alpha, left.data,
                             left.leading, right.data, right.leading, &beta, out.data, out.leading),
              "cublasDgemm");
    } else {
      require(cublasSgemm_64(handle_, left_op, CUBLAS_OP_N, rows, cols, depth, &alpha, left.data,
                             left.leading, right.data, right.leading, &beta, out.data, out.leading),
              "cublasSgemm");
    }
  }

  buffer<unsigned char> workspace_;
  cublasHandle_t handle_ = nullptr;
};

}  // namespace

template <class Real>
std::unique_ptr<gemm<Real>> make_cuda_gemm(device& machine, void* stream) {
  return std::make_unique<cuda_gemm<Real>>(machine, stream);
}

template std::unique_ptr<gemm<float>> make_cuda_gemm(device&, void*);
template std::unique_ptr<gemm<double>> make_cuda_gemm(device&, void*);

}  // namespace gridloom::tiled_qr
