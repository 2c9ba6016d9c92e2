#pragma once
// Matrix products in device memory by the machine's library: cuBLAS on CUDA, CBLAS on the host.
// Sizes have 64 bits, but CBLAS requires each to be below 2^31.

#include <cstdint>
#include <memory>

#include "gridloom/device.hpp"

namespace gridloom::tiled_qr {

/// A column-major matrix in device memory.
template <class Real>
struct gemm_operand {
  Real* data;
  std::int64_t leading;
};

/// Queues products in a stream of a device (device::stream, device::lane_stream). Used by one
/// thread. On the host a product throws unsupported for sizes and leading dimensions beyond 2^31 -
/// 1.
template <class Real>
class gemm {
 public:
  gemm() = default;
  gemm(gemm const&) = delete;
  gemm& operator=(gemm const&) = delete;
  virtual ~gemm() = default;

  /// out = leftᵀ · right, where `out` is `rows` × `cols`, and each entry is a sum of `depth`
  /// products.
  void transposed_product(std::int64_t rows, std::int64_t cols, std::int64_t depth,
                          gemm_operand<Real const> left, gemm_operand<Real const> right,
                          gemm_operand<Real> out) {
    multiply(true, rows, cols, depth, 1, left, right, 0, out);
  }
  /// out += leftᵀ · right.
  void add_transposed_product(std::int64_t rows, std::int64_t cols, std::int64_t depth,
                              gemm_operand<Real const> left, gemm_operand<Real const> right,
                              gemm_operand<Real> out) {
    multiply(true, rows, cols, depth, 1, left, right, 1, out);
  }
  /// out -= left · right.
  void subtract_product(std::int64_t rows, std::int64_t cols, std::int64_t depth,
                        gemm_operand<Real const> left, gemm_operand<Real const> right,
                        gemm_operand<Real> out) {
    multiply(false, rows, cols, depth, -1, left, right, 1, out);
  }
  /// Bytes of the object's own memory on the device.
  [[nodiscard]] virtual std::size_t bytes() const = 0;

 protected:
  /// out = alpha · left · right + beta · out, with leftᵀ if `transposed`.
  virtual void multiply(bool transposed, std::int64_t rows, std::int64_t cols, std::int64_t depth,
                        Real alpha, gemm_operand<Real const> left, gemm_operand<Real const> right,
                        Real beta, gemm_operand<Real> out) = 0;
};

/// Bytes of cuBLAS's workspace: enough for its products, and little compared with matrices that are
/// large enough for blocks.
inline constexpr std::size_t cuda_gemm_bytes = std::size_t{4} << 20U;

/// Makes the products of CBLAS for the host.
template <class Real>
std::unique_ptr<gemm<Real>> make_host_gemm();

/// Makes the products of cuBLAS for a CUDA device. Throws unsupported in a build without CUDA.
template <class Real>
std::unique_ptr<gemm<Real>> make_cuda_gemm(device& machine, void* stream);

template <class Real>
std::unique_ptr<gemm<Real>> make_gemm(device& machine, void* stream) {
  return machine.is_host() ? make_host_gemm<Real>() : make_cuda_gemm<Real>(machine, stream);
}

}  // namespace gridloom::tiled_qr
