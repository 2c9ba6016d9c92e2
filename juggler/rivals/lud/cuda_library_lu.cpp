// Calls cuSOLVER's getrf (64-bit interface). Without an array of pivots, it exchanges no rows.
#include <cuda_runtime.h>
#include <cusolverDn.h>

#include <string>
#include <vector>

#include "juggler/rivals/lud/library_executor.hpp"
#include "juggler/rivals/lud/library_lu.hpp"

namespace gridloom::juggler::lud {

namespace {

class handle {
 public:
  handle() {
    require_success(cusolverDnCreate(&handle_), "cusolverDnCreate");
    require_success(cusolverDnCreateParams(&parameters_), "cusolverDnCreateParams");
  }
  handle(handle const&) = delete;
  handle& operator=(handle const&) = delete;
  ~handle() {
    if (parameters_ != nullptr) static_cast<void>(cusolverDnDestroyParams(parameters_));
    static_cast<void>(cusolverDnDestroy(handle_));
  }
  [[nodiscard]] cusolverDnHandle_t get() const { return handle_; }
  [[nodiscard]] cusolverDnParams_t parameters() const { return parameters_; }

 private:
  cusolverDnHandle_t handle_ = nullptr;
  cusolverDnParams_t parameters_ = nullptr;
};

class lu_executor final : public library_executor {
 public:
  lu_executor(device& machine, std::int64_t rows, double* a)
      : machine_(&machine), rows_(rows), a_(a), info_(machine.allocate<int>(1)) {
    machine.fill_bytes(info_, 0xff);
    require_success(cusolverDnSetStream(handle_.get(), static_cast<cudaStream_t>(machine.stream())),
                    "cusolverDnSetStream");
    std::size_t on_device = 0, on_host = 0;
    require_success(
        cusolverDnXgetrf_bufferSize(handle_.get(), handle_.parameters(), rows, rows, CUDA_R_64F, a,
                                    rows, CUDA_R_64F, &on_device, &on_host),
        "cusolverDnXgetrf_bufferSize");
    work_ = machine.allocate<unsigned char>(on_device);
    host_work_.resize(on_host);
  }

  void run(trace_ref) override {
    require_success(cusolverDnXgetrf(handle_.get(), handle_.parameters(), rows_, rows_, CUDA_R_64F,
                                     a_, rows_, nullptr, CUDA_R_64F, work_.data(), work_.size(),
                                     host_work_.data(), host_work_.size(), info_.data()),
                    "cusolverDnXgetrf");
  }
  void require_done() override {
    if (int const info = machine_->copy_to_host(info_)[0]; info != 0)
      throw run_error("cuSOLVER: getrf: info " + std::to_string(info));
  }
  std::size_t bytes() const override { return work_.bytes(); }

 private:
  device* machine_;
  std::int64_t rows_;
  double* a_;
  handle handle_;
  buffer<int> info_;
  buffer<unsigned char> work_;
  std::vector<unsigned char> host_work_;
};

}  // namespace

std::unique_ptr<executor> make_library_lu(device& machine, std::int64_t rows, double* by_columns) {
  if (machine.is_host()) throw unsupported("cuSOLVER: expected a CUDA device, got the host");
  return std::make_unique<lu_executor>(machine, rows, by_columns);
}

}  // namespace gridloom::juggler::lud
