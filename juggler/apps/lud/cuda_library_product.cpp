#include <cublas_v2.h>
#include <cuda_runtime.h>

#include "apps/lud/library_executor.hpp"
#include "apps/lud/library_product.hpp"

namespace gridloom::juggler::lud {

namespace {

class product_executor final : public library_executor {
 public:
  product_executor(device& machine, std::int64_t rows, double const* a, double* product)
      : rows_(static_cast<int>(rows)), a_(a), product_(product) {
    require_success(cublasCreate(&handle_), "cublasCreate");
    require_success(cublasSetStream(handle_, static_cast<cudaStream_t>(machine.stream())),
                    "cublasSetStream");
  }
  ~product_executor() override { static_cast<void>(cublasDestroy(handle_)); }

  void run(trace_ref) override {
    double const one = 1, none = 0;
    require_success(cublasDgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, rows_, rows_, rows_, &one, a_,
                                rows_, a_, rows_, &none, product_, rows_),
                    "cublasDgemm");
  }

 private:
  cublasHandle_t handle_ = nullptr;
  int rows_;
  double const* a_;
  double* product_;
};

}  // namespace

std::unique_ptr<executor> make_library_product(device& machine, std::int64_t rows, double const* a,
                                               double* product) {
  if (machine.is_host()) throw unsupported("cuBLAS needs a GPU; this machine is host threads");
  return std::make_unique<product_executor>(machine, rows, a, product);
}

}  // namespace gridloom::juggler::lud
