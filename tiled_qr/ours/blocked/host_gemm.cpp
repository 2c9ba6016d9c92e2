#include <cblas.h>

#include "check/of_precision.hpp"
#include "ours/blocked/gemm.hpp"

namespace gridloom::tiled_qr {

namespace {

/// OpenBLAS itself computes offsets of entries in 64 bits.
int count(std::int64_t n) { return int_size(n, "CBLAS"); }

template <class Real>
class host_gemm final : public gemm<Real> {
 public:
  [[nodiscard]] std::size_t bytes() const override { return 0; }

 protected:
  void multiply(bool transposed, std::int64_t rows, std::int64_t cols, std::int64_t depth,
                Real alpha, gemm_operand<Real const> left, gemm_operand<Real const> right,
                Real beta, gemm_operand<Real> out) override {
    of_precision<Real>(cblas_sgemm, cblas_dgemm)(
        CblasColMajor, transposed ? CblasTrans : CblasNoTrans, CblasNoTrans, count(rows),
        count(cols), count(depth), alpha, left.data, count(left.leading), right.data,
        count(right.leading), beta, out.data, count(out.leading));
  }
};

}  // namespace

template <class Real>
std::unique_ptr<gemm<Real>> make_host_gemm() {
  return std::make_unique<host_gemm<Real>>();
}

template std::unique_ptr<gemm<float>> make_host_gemm();
template std::unique_ptr<gemm<double>> make_host_gemm();

}  // namespace gridloom::tiled_qr
