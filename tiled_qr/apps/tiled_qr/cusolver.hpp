#pragma once
// cuSOLVER's QR, the rival on the device.

#include <cstddef>
#include <cstdint>
#include <memory>

#include "gridloom/device.hpp"

namespace gridloom::tiled_qr {

/// Householder QR of matrices of one size, column-major without gaps, in the device's stream.
template <class T>
class cusolver_qr {
 public:
  virtual ~cusolver_qr() = default;
  /// In place; returns before it is done.
  virtual void run(T* matrix, T* taus) = 0;
  /// Throws run_error if cuSOLVER found an argument wrong.
  virtual void require_done() = 0;
  /// Of its workspace on the device.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
};

/// With its workspace. Throws unsupported where the device is no CUDA device, or the build has no
/// CUDA.
template <class T>
std::unique_ptr<cusolver_qr<T>> make_cusolver_qr(device& machine, std::int64_t rows,
                                                 std::int64_t cols);

}  // namespace gridloom::tiled_qr
