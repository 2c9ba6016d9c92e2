#include "rivals/lapack.hpp"

#include <cblas.h>
#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "check/largest.hpp"
#include "check/of_precision.hpp"
#include "check/power_of_two.hpp"
#include "gridloom/error.hpp"

// Functions of OpenBLAS, which the cblas.h of another BLAS does not declare.
extern "C" {
void openblas_set_num_threads(int);
int openblas_get_num_threads(void);
}

namespace gridloom::tiled_qr {

int set_lapack_threads(int threads) {
  openblas_set_num_threads(threads > 0 ? threads : all_threads());
  return openblas_get_num_threads();
}

std::string blas_core() { return openblas_get_corename(); }

template <class T>
void lapack_geqrf(std::int64_t rows, std::int64_t cols, T* a, T* taus) {
  lapack_int const m = int_size(rows);
  lapack_int const n = int_size(cols);
  lapack_int const info =
      of_precision<T>(LAPACKE_sgeqrf, LAPACKE_dgeqrf)(LAPACK_COL_MAJOR, m, n, a, m, taus);
  if (info != 0) throw run_error("LAPACK: geqrf returned " + std::to_string(info));
}

template <class T>
void lapack_orgqr(std::int64_t rows, std::int64_t cols, T* a, T const* taus) {
  lapack_int const m = int_size(rows);
  lapack_int const n = int_size(std::min(rows, cols));
  lapack_int const info =
      of_precision<T>(LAPACKE_sorgqr, LAPACKE_dorgqr)(LAPACK_COL_MAJOR, m, n, n, a, m, taus);
  if (info != 0) throw run_error("LAPACK: orgqr returned " + std::to_string(info));
}

template <class T>
void lapack_gels(std::int64_t rows, std::int64_t cols, T* a, std::int64_t columns, T* b) {
  lapack_int const m = int_size(rows);
  lapack_int const n = int_size(cols);
  lapack_int const k = int_size(columns);
  lapack_int const info =
      of_precision<T>(LAPACKE_sgels, LAPACKE_dgels)(LAPACK_COL_MAJOR, 'N', m, n, k, a, m, b, m);
  if (info != 0) throw run_error("LAPACK: gels returned " + std::to_string(info));
}

template <class T>
double lapack_condition(std::int64_t n, T const* triangle, std::int64_t lead) {
  lapack_int const size = int_size(n);
  lapack_int const rows = int_size(lead);
  T over = 0;
  lapack_int const info = of_precision<T>(LAPACKE_strcon, LAPACKE_dtrcon)(
      LAPACK_COL_MAJOR, '1', 'U', 'N', size, triangle, rows, &over);
  if (info != 0 || !(over > 0)) return std::numeric_limits<double>::infinity();
  return 1 / static_cast<double>(over);
}

template <class T>
std::vector<T> lapack_diagonal(std::int64_t rows, std::int64_t cols, std::vector<T> a) {
  // LAPACK scales its vectors but not its matrix products, which lose the digits of very small
  // numbers.
  T const largest = largest_of(std::span<T const>(a));
  int const exponent = std::isfinite(largest) ? exponent_to_safe(largest) : 0;
  auto const up = power_of_two<T>::of(exponent);
  auto const down = power_of_two<T>::of(-exponent);
  if (exponent != 0)
    for (T& x : a) x = up.times(x);
  auto const vectors = static_cast<std::size_t>(std::min(rows, cols));
  std::vector<T> taus(vectors);
  lapack_geqrf(rows, cols, a.data(), taus.data());
  std::vector<T> diagonal(vectors);
  for (std::size_t k = 0; k < vectors; ++k)
    diagonal[k] = down.times(a[k * static_cast<std::size_t>(rows) + k]);
  return diagonal;
}

template void lapack_geqrf<float>(std::int64_t, std::int64_t, float*, float*);
template void lapack_geqrf<double>(std::int64_t, std::int64_t, double*, double*);
template void lapack_orgqr<float>(std::int64_t, std::int64_t, float*, float const*);
template void lapack_orgqr<double>(std::int64_t, std::int64_t, double*, double const*);
template void lapack_gels<float>(std::int64_t, std::int64_t, float*, std::int64_t, float*);
template void lapack_gels<double>(std::int64_t, std::int64_t, double*, std::int64_t, double*);
template double lapack_condition<float>(std::int64_t, float const*, std::int64_t);
template double lapack_condition<double>(std::int64_t, double const*, std::int64_t);
template std::vector<float> lapack_diagonal<float>(std::int64_t, std::int64_t, std::vector<float>);
template std::vector<double> lapack_diagonal<double>(std::int64_t, std::int64_t,
                                                     std::vector<double>);

}  // namespace gridloom::tiled_qr
