#pragma once
// Checks that Q and R are a QR of A, by products of OpenBLAS only, without code of the
// factorisation. The measures are those of LAPACK's own tests, unless a member says otherwise. They
// are small numbers for any size, and the bound is LAPACK's, too.

#include <cstdint>
#include <span>
#include <string>

namespace gridloom::tiled_qr {

inline constexpr double residual_bound = 30;

/// The measures of a QR.
struct residuals {
  /// ‖A − QR‖ / (‖A‖ max(m, n) ε), in the 1-norm.
  double factors = 0;
  /// ‖I − QᵀQ‖ / (n ε), where n are the columns of Q. LAPACK's tests divide by the rows m, which
  /// lets large errors pass if there are many rows.
  double orthogonality = 0;
  /// The largest difference between the absolute values on R's diagonal and LAPACK's, over ‖A‖
  /// max(m, n) ε and the condition of R up to there. If a column depends on earlier ones, the rest
  /// of the diagonal is not determined. The comparison ends before that, at the latest where the
  /// condition is 1/√ε.
  double diagonal = 0;
  /// Entries of the diagonal that were compared.
  std::int64_t compared = 0;
  /// Bound of the orthogonality: 30 max(1, √m / n), because a sum of m rounded terms is wrong by
  /// some √m roundings even if n is 1.
  double orthogonality_bound = residual_bound;
};

/// For an m × n matrix A, Q of m × r and R of r × n, r = min(m, n), all column-major without gaps.
/// Values that are not finite give infinity. Very large and very small numbers are scaled first.
/// `diagonal` is LAPACK's of A, by lapack_diagonal; passing it saves time if several results of one
/// matrix are judged. Throws unsupported for sizes beyond 32 bits.
template <class T>
residuals measure_residuals(std::int64_t m, std::int64_t n, std::span<T const> a,
                            std::span<T const> q, std::span<T const> r,
                            std::span<T const> diagonal);
template <class T>
residuals measure_residuals(std::int64_t m, std::int64_t n, std::span<T const> a,
                            std::span<T const> q, std::span<T const> r);

/// Empty if all measures are below their bounds, otherwise those that are not.
std::string excess_of(residuals const& measured);

}  // namespace gridloom::tiled_qr
