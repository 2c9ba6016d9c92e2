#pragma once
// The QR of cuSOLVER and of cuBLAS, the rivals on the device.

#include <cstddef>
#include <cstdint>
#include <memory>

#include "gridloom/device.hpp"

namespace gridloom::tiled_qr {

enum class library_method {
  /// cuSOLVER's geqrf, one call per matrix.
  cusolver,
  /// cuSOLVER's geqrf in several streams at once, one host thread each.
  cusolver_streams,
  /// cuBLAS's geqrfBatched.
  cublas_batched
};

/// Matrices of one size in device memory, column-major, one after the other without gaps.
template <class T>
struct library_batch {
  T* matrices;
  /// min(rows, cols) factors per matrix.
  T* taus;
  /// Null if no Q is formed. Otherwise room for min(rows, cols) × cols numbers per matrix. The
  /// leading rows of geqrf's output are copied there before Q overwrites them.
  T* r;
  std::int64_t rows;
  std::int64_t cols;
  std::int64_t batch;
  /// Largest number of streams of cusolver_streams.
  int streams;
};

/// A Householder QR of the library, prepared with handles and workspace, in the device's stream.
template <class T>
class library_qr {
 public:
  virtual ~library_qr() = default;
  /// Factorises in place. May return before the work is done.
  virtual void run() = 0;
  /// Throws run_error if the library reported a wrong argument.
  virtual void require_done() = 0;
  /// Bytes of workspace on the device.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
};

/// Throws unsupported if the device is no CUDA device, if the build has no CUDA, or if a size
/// exceeds the library's interface.
template <class T>
std::unique_ptr<library_qr<T>> make_library_qr(device& machine, library_method how,
                                               library_batch<T> const& of);

}  // namespace gridloom::tiled_qr
