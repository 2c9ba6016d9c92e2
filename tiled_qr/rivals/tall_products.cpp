#include "rivals/tall_products.hpp"

#include <cblas.h>
#include <lapacke.h>

#include <algorithm>

#include "check/of_precision.hpp"

namespace gridloom::tiled_qr {

namespace {

template <class T>
class host_products final : public tall_products<T> {
 public:
  host_products(std::int64_t rows, std::int64_t cols) : m_(int_size(rows)), n_(int_size(cols)) {}

  void gram(T const* a, T* g) override {
    of_precision<T>(cblas_sgemm, cblas_dgemm)(CblasColMajor, CblasTrans, CblasNoTrans, n_, n_, m_,
                                              1, a, m_, a, m_, 0, g, n_);
  }
  void factor(T* g, int* info) override {
    // Uses the upper triangle, and reads nothing below it.
    *info =
        of_precision<T>(LAPACKE_spotrf_work, LAPACKE_dpotrf_work)(LAPACK_COL_MAJOR, 'U', n_, g, n_);
    for (std::int64_t j = 0; j < n_; ++j) std::fill(g + j * n_ + j + 1, g + (j + 1) * n_, T{0});
  }
  void solve(T const* r, T* a) override {
    of_precision<T>(cblas_strsm, cblas_dtrsm)(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans,
                                              CblasNonUnit, m_, n_, 1, r, n_, a, m_);
  }
  void combine(T const* s, T* r) override {
    of_precision<T>(cblas_strmm, cblas_dtrmm)(CblasColMajor, CblasLeft, CblasUpper, CblasNoTrans,
                                              CblasNonUnit, n_, n_, 1, s, n_, r, n_);
  }
  [[nodiscard]] std::size_t bytes() const override { return 0; }

 private:
  int m_;
  int n_;
};

}  // namespace

template <class T>
std::unique_ptr<tall_products<T>> make_host_products(std::int64_t rows, std::int64_t cols) {
  return std::make_unique<host_products<T>>(rows, cols);
}

template std::unique_ptr<tall_products<float>> make_host_products(std::int64_t, std::int64_t);
template std::unique_ptr<tall_products<double>> make_host_products(std::int64_t, std::int64_t);

}  // namespace gridloom::tiled_qr
