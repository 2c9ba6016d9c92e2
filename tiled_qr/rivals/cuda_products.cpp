// The steps of CholeskyQR by the 64-bit interfaces of cuBLAS and cuSOLVER.
#include <vector>

#include "check/of_precision.hpp"
#include "gridloom/cuda_library.cuh"
#include "ours/matrix_kernels.hpp"
#include "rivals/device_products.hpp"

namespace gridloom::tiled_qr {

namespace {

template <class T>
class cuda_products final : public tall_products<T> {
 public:
  cuda_products(device& machine, std::int64_t rows, std::int64_t cols)
      : machine_(machine),
        m_(rows),
        n_(cols),
        blas_(stream_of(machine)),
        solver_(stream_of(machine)) {
    std::size_t on_device = 0;
    std::size_t on_host = 0;
    require_success(cusolverDnXpotrf_bufferSize(solver_.get(), solver_.parameters(),
                                                CUBLAS_FILL_MODE_UPPER, n_, cuda_type_of<T>,
                                                nullptr, n_, cuda_type_of<T>, &on_device, &on_host),
                    "cusolverDnXpotrf_bufferSize");
    work_ = machine.allocate<unsigned char>(on_device);
    host_work_.resize(on_host);
  }

  void gram(T const* a, T* g) override {
    T const one = 1;
    T const zero = 0;
    require_success(
        of_precision<T>(cublasSgemm_64, cublasDgemm_64)(blas_.get(), CUBLAS_OP_T, CUBLAS_OP_N, n_,
                                                        n_, m_, &one, a, m_, a, m_, &zero, g, n_),
        "cublasXgemm");
  }
  void factor(T* g, int* info) override {
    require_success(cusolverDnXpotrf(solver_.get(), solver_.parameters(), CUBLAS_FILL_MODE_UPPER,
                                     n_, cuda_type_of<T>, g, n_, cuda_type_of<T>, work_.data(),
                                     work_.size(), host_work_.data(), host_work_.size(), info),
                    "cusolverDnXpotrf");
    clear_below(machine_, g, n_);
  }
  void solve(T const* r, T* a) override {
    T const one = 1;
    require_success(of_precision<T>(cublasStrsm_64, cublasDtrsm_64)(
                        blas_.get(), CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N,
                        CUBLAS_DIAG_NON_UNIT, m_, n_, &one, r, n_, a, m_),
                    "cublasXtrsm");
  }
  void combine(T const* s, T* r) override {
    T const one = 1;
    require_success(of_precision<T>(cublasStrmm_64, cublasDtrmm_64)(
                        blas_.get(), CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N,
                        CUBLAS_DIAG_NON_UNIT, n_, n_, &one, s, n_, r, n_, r, n_),
                    "cublasXtrmm");
  }
  [[nodiscard]] std::size_t bytes() const override { return work_.bytes(); }

 private:
  device& machine_;
  std::int64_t m_;
  std::int64_t n_;
  cublas_handle blas_;
  cusolver_handle solver_;
  buffer<unsigned char> work_;
  std::vector<unsigned char> host_work_;
};

}  // namespace

template <class T>
std::unique_ptr<tall_products<T>> make_library_products(device& machine, std::int64_t rows,
                                                        std::int64_t cols) {
  if (machine.is_host()) return make_host_products<T>(rows, cols);
  return std::make_unique<cuda_products<T>>(machine, rows, cols);
}

template std::unique_ptr<tall_products<float>> make_library_products(device&, std::int64_t,
                                                                     std::int64_t);
template std::unique_ptr<tall_products<double>> make_library_products(device&, std::int64_t,
                                                                      std::int64_t);

}  // namespace gridloom::tiled_qr
