#pragma once
// Checks that Q and R are a QR of A, by products of OpenBLAS only, without code of the
// factorisation. Measures and bound are those of LAPACK's own tests, unless a member says
// otherwise. The measures are small numbers for matrices of any size.

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
  /// of the diagonal is not determined. The comparison ends before such a column, at the latest
  /// where the condition is 1/√ε.
  double diagonal = 0;
  /// Number of diagonal entries that were compared.
  std::int64_t compared = 0;
  /// Bound of the orthogonality: 30 max(1, √m / n), because a sum of m rounded terms is wrong by
  /// some √m roundings even if n is 1.
  double orthogonality_bound = residual_bound;
};

/// For an m × n matrix A, Q of m × r and R of r × n, r = min(m, n), all column-major without gaps.
/// Values that are not finite give infinity. Very large and very small numbers are scaled first.
/// `diagonal`: R's from lapack_diagonal for A; passing it saves time if several results for one
/// matrix are judged. Throws unsupported for sizes beyond 32 bits.
template <class T>
residuals measure_residuals(std::int64_t m, std::int64_t n, std::span<T const> a,
                            std::span<T const> q, std::span<T const> r,
                            std::span<T const> diagonal);
template <class T>
residuals measure_residuals(std::int64_t m, std::int64_t n, std::span<T const> a,
                            std::span<T const> q, std::span<T const> r);

/// Text with the measures that exceed their bounds; empty if none does.
std::string excess_of(residuals const& measured);

}  // namespace gridloom::tiled_qr
