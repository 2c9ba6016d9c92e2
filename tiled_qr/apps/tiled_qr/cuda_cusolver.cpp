// The only source that names cuSOLVER's dense part. Its 64-bit interface, for sizes of any kind.
#include <cusolverDn.h>

#include <string>
#include <type_traits>

#include "cusolver.hpp"
#include "gridloom/error.hpp"

namespace gridloom::tiled_qr {

namespace {

void require(cusolverStatus_t status, char const* call) {
  if (status == CUSOLVER_STATUS_SUCCESS) return;
  throw run_error(std::string(call) + ": expected success, got status " + std::to_string(status));
}

template <class T>
constexpr cudaDataType type_of = std::is_same_v<T, double> ? CUDA_R_64F : CUDA_R_32F;

template <class T>
class cusolver_of final : public cusolver_qr<T> {
 public:
  cusolver_of(device& machine, std::int64_t rows, std::int64_t cols)
      : machine_(machine), rows_(rows), cols_(cols), info_(machine.allocate<int>(1)) {
    require(cusolverDnCreate(&handle_), "cusolverDnCreate");
    require(cusolverDnSetStream(handle_, static_cast<cudaStream_t>(machine.stream())),
            "cusolverDnSetStream");
    require(cusolverDnCreateParams(&parameters_), "cusolverDnCreateParams");
    std::size_t on_device = 0;
    std::size_t on_host = 0;
    require(cusolverDnXgeqrf_bufferSize(handle_, parameters_, rows, cols, type_of<T>, nullptr, rows,
                                        type_of<T>, nullptr, type_of<T>, &on_device, &on_host),
            "cusolverDnXgeqrf_bufferSize");
    work_ = machine.allocate<unsigned char>(on_device);
    host_work_.resize(on_host);
  }
  cusolver_of(cusolver_of const&) = delete;
  cusolver_of& operator=(cusolver_of const&) = delete;
  ~cusolver_of() override {
    if (parameters_ != nullptr) static_cast<void>(cusolverDnDestroyParams(parameters_));
    if (handle_ != nullptr) static_cast<void>(cusolverDnDestroy(handle_));
  }

  void run(T* matrix, T* taus) override {
    require(cusolverDnXgeqrf(handle_, parameters_, rows_, cols_, type_of<T>, matrix, rows_,
                             type_of<T>, taus, type_of<T>, work_.data(), work_.size(),
                             host_work_.data(), host_work_.size(), info_.data()),
            "cusolverDnXgeqrf");
  }
  void require_done() override {
    int const info = machine_.copy_to_host(info_)[0];
    if (info != 0) throw run_error("cusolverDnXgeqrf: info " + std::to_string(info));
  }
  [[nodiscard]] std::size_t bytes() const override { return work_.bytes(); }

 private:
  device& machine_;
  std::int64_t rows_;
  std::int64_t cols_;
  cusolverDnHandle_t handle_ = nullptr;
  cusolverDnParams_t parameters_ = nullptr;
  buffer<int> info_;
  buffer<unsigned char> work_;
  std::vector<unsigned char> host_work_;
};

}  // namespace

template <class T>
std::unique_ptr<cusolver_qr<T>> make_cusolver_qr(device& machine, std::int64_t rows,
                                                 std::int64_t cols) {
  if (machine.is_host()) throw unsupported("cuSOLVER needs a CUDA device");
  return std::make_unique<cusolver_of<T>>(machine, rows, cols);
}

template std::unique_ptr<cusolver_qr<float>> make_cusolver_qr(device&, std::int64_t, std::int64_t);
template std::unique_ptr<cusolver_qr<double>> make_cusolver_qr(device&, std::int64_t, std::int64_t);

}  // namespace gridloom::tiled_qr
