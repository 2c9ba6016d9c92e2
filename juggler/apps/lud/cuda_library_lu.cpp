// cuSOLVER's getrf by its 64-bit interface; without an array of pivots it exchanges no rows.
#include <cuda_runtime.h>
#include <cusolverDn.h>

#include <string>
#include <vector>

#include "apps/lud/library_lu.hpp"
#include "gridloom/error.hpp"

namespace gridloom::juggler::lud {

namespace {

void require(cusolverStatus_t status, char const* call) {
  if (status == CUSOLVER_STATUS_SUCCESS) return;
  throw run_error(std::string(call) + ": expected success, got status " +
                  std::to_string(static_cast<int>(status)));
}

class handle {
 public:
  handle() {
    require(cusolverDnCreate(&handle_), "cusolverDnCreate");
    require(cusolverDnCreateParams(&parameters_), "cusolverDnCreateParams");
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

class library_executor final : public executor {
 public:
  library_executor(device& machine, std::int64_t rows, double* a)
      : machine_(&machine), rows_(rows), a_(a), info_(machine.allocate<int>(1)) {
    machine.fill_bytes(info_, 0xff);
    require(cusolverDnSetStream(handle_.get(), static_cast<cudaStream_t>(machine.stream())),
            "cusolverDnSetStream");
    std::size_t on_device = 0, on_host = 0;
    require(cusolverDnXgetrf_bufferSize(handle_.get(), handle_.parameters(), rows, rows, CUDA_R_64F,
                                        a, rows, CUDA_R_64F, &on_device, &on_host),
            "cusolverDnXgetrf_bufferSize");
    work_ = machine.allocate<unsigned char>(on_device);
    host_work_.resize(on_host);
  }

  void run(trace_ref) override {
    require(cusolverDnXgetrf(handle_.get(), handle_.parameters(), rows_, rows_, CUDA_R_64F, a_,
                             rows_, nullptr, CUDA_R_64F, work_.data(), work_.size(),
                             host_work_.data(), host_work_.size(), info_.data()),
            "cusolverDnXgetrf");
  }
  void require_done() override {
    if (int const info = machine_->copy_to_host(info_)[0]; info != 0)
      throw run_error("cuSOLVER: getrf: info " + std::to_string(info));
  }
  /// There are no tasks.
  std::uint64_t finished() override { return 0; }
  load_range loads() override { return {0, 0}; }
  std::size_t bytes() const override { return work_.bytes(); }
  /// Its own affair.
  std::size_t launches() const override { return 0; }
  int workers() const override { return 0; }
  kernel_facts facts() const override { return {}; }
  double graph_init_ms() const override { return 0; }
  double runtime_init_ms() const override { return 0; }

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
  if (machine.is_host()) throw unsupported("cuSOLVER needs a GPU; this machine is host threads");
  return std::make_unique<library_executor>(machine, rows, by_columns);
}

}  // namespace gridloom::juggler::lud
