#pragma once
// Handles, streams and statuses of CUDA's libraries. Only sources of CUDA builds include it.

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusolverDn.h>

#include <string>
#include <type_traits>

#include "gridloom/device.hpp"
#include "gridloom/error.hpp"

namespace gridloom::tiled_qr {

/// Throws run_error unless `status` is 0, which means success in all libraries.
template <class Status>
requires std::is_enum_v<Status>
void require(Status status, char const* call) {
  if (static_cast<int>(status) == 0) return;
  throw run_error(std::string(call) + ": expected success, got status " +
                  std::to_string(static_cast<int>(status)));
}

template <class T>
inline constexpr cudaDataType type_of = std::is_same_v<T, double> ? CUDA_R_64F : CUDA_R_32F;

inline cudaStream_t stream_of(device const& machine) {
  return static_cast<cudaStream_t>(machine.stream());
}

class cusolver_handle {
 public:
  cusolver_handle() {
    require(cusolverDnCreate(&handle_), "cusolverDnCreate");
    require(cusolverDnCreateParams(&parameters_), "cusolverDnCreateParams");
  }
  cusolver_handle(cusolver_handle const&) = delete;
  cusolver_handle& operator=(cusolver_handle const&) = delete;
  ~cusolver_handle() {
    if (parameters_ != nullptr) static_cast<void>(cusolverDnDestroyParams(parameters_));
    static_cast<void>(cusolverDnDestroy(handle_));
  }
  void use(cudaStream_t stream) {
    require(cusolverDnSetStream(handle_, stream), "cusolverDnSetStream");
  }
  [[nodiscard]] cusolverDnHandle_t get() const { return handle_; }
  [[nodiscard]] cusolverDnParams_t parameters() const { return parameters_; }

 private:
  cusolverDnHandle_t handle_ = nullptr;
  cusolverDnParams_t parameters_ = nullptr;
};

class cublas_handle {
 public:
  cublas_handle() { require(cublasCreate(&handle_), "cublasCreate"); }
  cublas_handle(cublas_handle const&) = delete;
  cublas_handle& operator=(cublas_handle const&) = delete;
  ~cublas_handle() { static_cast<void>(cublasDestroy(handle_)); }
  void use(cudaStream_t stream) { require(cublasSetStream(handle_, stream), "cublasSetStream"); }
  [[nodiscard]] cublasHandle_t get() const { return handle_; }

 private:
  cublasHandle_t handle_ = nullptr;
};

class cuda_stream {
 public:
  cuda_stream() {
    require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
    require(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "cudaEventCreate");
  }
  cuda_stream(cuda_stream const&) = delete;
  cuda_stream& operator=(cuda_stream const&) = delete;
  ~cuda_stream() {
    static_cast<void>(cudaEventDestroy(event_));
    static_cast<void>(cudaStreamDestroy(stream_));
  }
  [[nodiscard]] cudaStream_t get() const { return stream_; }
  /// Makes later work in this stream wait for the work that `other` has queued so far.
  void begin_after(cudaStream_t other) { order(other, stream_); }
  /// Makes later work in `other` wait for the work that this stream has queued so far.
  void end_before(cudaStream_t other) { order(stream_, other); }

 private:
  void order(cudaStream_t before, cudaStream_t after) {
    require(cudaEventRecord(event_, before), "cudaEventRecord");
    require(cudaStreamWaitEvent(after, event_, 0), "cudaStreamWaitEvent");
  }

  cudaStream_t stream_ = nullptr;
  cudaEvent_t event_ = nullptr;
};

}  // namespace gridloom::tiled_qr
