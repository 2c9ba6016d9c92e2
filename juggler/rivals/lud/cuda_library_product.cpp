#include <cublas_v2.h>
#include <cuda_runtime.h>

#include "juggler/rivals/lud/library_executor.hpp"
#include "juggler/rivals/lud/library_product.hpp"

namespace gridloom::juggler::lud {

namespace {

/// result <- factor · left · right + kept · result, for matrices stored by columns. Columns are
/// `stride` elements apart.
struct product {
  std::int64_t rows, depth;
  double factor;
  double const *left, *right;
  double kept;
  double* result;
  std::int64_t stride;
};

class product_executor final : public library_executor {
 public:
  product_executor(device& machine, product const& of) : of_(of) {
    if (machine.is_host()) throw unsupported("cuBLAS: expected a CUDA device, got the host");
    require_success(cublasCreate(&handle_), "cublasCreate");
    require_success(cublasSetStream(handle_, static_cast<cudaStream_t>(machine.stream())),
                    "cublasSetStream");
  }
  ~product_executor() override { static_cast<void>(cublasDestroy(handle_)); }

  void run(trace_ref) override {
    auto const rows = static_cast<int>(of_.rows);
    auto const stride = static_cast<int>(of_.stride);
    require_success(cublasDgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, rows, rows,
                                static_cast<int>(of_.depth), &of_.factor, of_.left, stride,
                                of_.right, stride, &of_.kept, of_.result, stride),
                    "cublasDgemm");
  }

 private:
  cublasHandle_t handle_ = nullptr;
  product of_;
};

}  // namespace

std::unique_ptr<executor> make_library_product(device& machine, std::int64_t rows, double const* a,
                                               double* product) {
  return std::make_unique<product_executor>(machine,
                                            lud::product{rows, rows, 1, a, a, 0, product, rows});
}

std::unique_ptr<executor> make_library_update(device& machine, std::int64_t rows, int tile,
                                              double* a) {
  double* const right = a + rows * tile;
  return std::make_unique<product_executor>(
      machine, lud::product{rows - tile, tile, -1, a + tile, right, 1, right + tile, rows});
}

}  // namespace gridloom::juggler::lud
