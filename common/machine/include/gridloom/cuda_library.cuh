#pragma once
// Handles, streams and statuses of CUDA's libraries. Only sources of CUDA builds include it. They
// link the libraries whose handles they use.

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusolverDn.h>

#include <string>
#include <type_traits>

#include "gridloom/device.hpp"
#include "gridloom/error.hpp"

namespace gridloom {

/// Throws run_error unless `status` is 0, which means success in all libraries.
template <class Status>
requires std::is_enum_v<Status>
void require_success(Status status, char const* call) {
  if (static_cast<int>(status) == 0) return;
  throw run_error(std::string(call) + ": expected success, got status " +
                  std::to_string(static_cast<int>(status)));
}

template <class T>
inline constexpr cudaDataType cuda_type_of = std::is_same_v<T, double> ? CUDA_R_64F : CUDA_R_32F;

inline cudaStream_t stream_of(device const& machine) {
  return static_cast<cudaStream_t>(machine.stream());
}

/// cuSOLVER in one stream.
class cusolver_handle {
 public:
  explicit cusolver_handle(cudaStream_t stream) {
    require_success(cusolverDnCreate(&handle_), "cusolverDnCreate");
    require_success(cusolverDnCreateParams(&parameters_), "cusolverDnCreateParams");
    require_success(cusolverDnSetStream(handle_, stream), "cusolverDnSetStream");
  }
  cusolver_handle(cusolver_handle const&) = delete;
  cusolver_handle& operator=(cusolver_handle const&) = delete;
  ~cusolver_handle() {
    if (parameters_ != nullptr) static_cast<void>(cusolverDnDestroyParams(parameters_));
    static_cast<void>(cusolverDnDestroy(handle_));
  }
  [[nodiscard]] cusolverDnHandle_t get() const { return handle_; }
  [[nodiscard]] cusolverDnParams_t parameters() const { return parameters_; }

 private:
  cusolverDnHandle_t handle_ = nullptr;
  cusolverDnParams_t parameters_ = nullptr;
};

/// cuBLAS in one stream.
class cublas_handle {
 public:
  explicit cublas_handle(cudaStream_t stream) {
    require_success(cublasCreate(&handle_), "cublasCreate");
    require_success(cublasSetStream(handle_, stream), "cublasSetStream");
  }
  cublas_handle(cublas_handle const&) = delete;
  cublas_handle& operator=(cublas_handle const&) = delete;
  ~cublas_handle() { static_cast<void>(cublasDestroy(handle_)); }
  [[nodiscard]] cublasHandle_t get() const { return handle_; }

 private:
  cublasHandle_t handle_ = nullptr;
};

}  // namespace gridloom
