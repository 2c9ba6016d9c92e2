#include <cblas.h>

#include <string>
#include <type_traits>

#include "gridloom/error.hpp"
#include "ours/blocked/gemm.hpp"

namespace gridloom::tiled_qr {

namespace {

/// Converts a size for CBLAS. OpenBLAS itself computes offsets of entries in 64 bits.
int count(std::int64_t n) {
  constexpr std::int64_t most = (std::int64_t{1} << 31U) - 1;
  if (n > most) throw unsupported("CBLAS: expected sizes below 2^31, got " + std::to_string(n));
  return static_cast<int>(n);
}

template <class Real>
void multiply(CBLAS_TRANSPOSE left_op, std::int64_t rows, std::int64_t cols, std::int64_t depth,
              Real alpha, gemm_operand<Real const> left, gemm_operand<Real const> right, Real beta,
              gemm_operand<Real> out) {
  if constexpr (std::is_same_v<Real, double>) {
    cblas_dgemm(CblasColMajor, left_op, CblasNoTrans, count(rows), count(cols), count(depth), alpha,
                left.data, count(left.leading), right.data, count(right.leading), beta, out.data,
                count(out.leading));
  } else {
    cblas_sgemm(CblasColMajor, left_op, CblasNoTrans, count(rows), count(cols), count(depth), alpha,
                left.data, count(left.leading), right.data, count(right.leading), beta, out.data,
                count(out.leading));
  }
}

template <class Real>
class host_gemm final : public gemm<Real> {
 public:
  void transposed_product(std::int64_t rows, std::int64_t cols, std::int64_t depth,
                          gemm_operand<Real const> left, gemm_operand<Real const> right,
                          gemm_operand<Real> out) override {
    multiply(CblasTrans, rows, cols, depth, Real{1}, left, right, Real{0}, out);
  }
  void add_transposed_product(std::int64_t rows, std::int64_t cols, std::int64_t depth,
                              gemm_operand<Real const> left, gemm_operand<Real const> right,
                              gemm_operand<Real> out) override {
    multiply(CblasTrans, rows, cols, depth, Real{1}, left, right, Real{1}, out);
  }
  void subtract_product(std::int64_t rows, std::int64_t cols, std::int64_t depth,
                        gemm_operand<Real const> left, gemm_operand<Real const> right,
                        gemm_operand<Real> out) override {
    multiply(CblasNoTrans, rows, cols, depth, Real{-1}, left, right, Real{1}, out);
  }
  [[nodiscard]] std::size_t bytes() const override { return 0; }
};

}  // namespace

template <class Real>
std::unique_ptr<gemm<Real>> make_host_gemm() {
  return std::make_unique<host_gemm<Real>>();
}

template std::unique_ptr<gemm<float>> make_host_gemm();
template std::unique_ptr<gemm<double>> make_host_gemm();

}  // namespace gridloom::tiled_qr
