#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <string>

#include "apps/lud/library_product.hpp"
#include "gridloom/error.hpp"

namespace gridloom::juggler::lud {

namespace {

void require(cublasStatus_t status, char const* call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw run_error(std::string(call) + ": expected success, got status " +
                  std::to_string(static_cast<int>(status)));
}

class product_executor final : public executor {
 public:
  product_executor(device& machine, std::int64_t rows, double const* a, double* product)
      : rows_(static_cast<int>(rows)), a_(a), product_(product) {
    require(cublasCreate(&handle_), "cublasCreate");
    require(cublasSetStream(handle_, static_cast<cudaStream_t>(machine.stream())),
            "cublasSetStream");
  }
  ~product_executor() override { static_cast<void>(cublasDestroy(handle_)); }

  void run(trace_ref) override {
    double const one = 1, none = 0;
    require(cublasDgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, rows_, rows_, rows_, &one, a_, rows_, a_,
                        rows_, &none, product_, rows_),
            "cublasDgemm");
  }
  void require_done() override {}
  /// There are no tasks.
  std::uint64_t finished() override { return 0; }
  load_range loads() override { return {0, 0}; }
  std::size_t bytes() const override { return 0; }
  /// Its own affair.
  std::size_t launches() const override { return 0; }
  int workers() const override { return 0; }
  kernel_facts facts() const override { return {}; }
  double graph_init_ms() const override { return 0; }
  double runtime_init_ms() const override { return 0; }

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
