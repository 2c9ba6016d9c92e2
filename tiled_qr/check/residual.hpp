#pragma once
// Whether Q and R are a QR of A, by products of OpenBLAS alone: no code of the factorisation. The
// measures are those that LAPACK's own tests use, but where the note of a member says so; they are a
// small number, whatever the size, and the bound is theirs too.

#include <cstdint>
#include <span>
#include <string>

namespace gridloom::tiled_qr {

inline constexpr double residual_bound = 30;

/// What a QR is judged by.
struct residuals {
  /// ‖A − QR‖ / (‖A‖ max(m, n) ε), in the 1-norm.
  double factors = 0;
  /// ‖I − QᵀQ‖ / (n ε), where n are the columns of Q. LAPACK's tests divide by the rows m, which lets
  /// much pass where these are many.
  double orthogonality = 0;
  /// The largest difference of the absolute values on R's diagonal from LAPACK's, over ‖A‖ max(m, n)
  /// ε and the condition of R up to there. Where a column depends on earlier ones, what follows on the
  /// diagonal is not determined: the comparison ends before, at the latest where that condition is 1/√ε.
  double diagonal = 0;
  /// Entries of the diagonal that were compared.
  std::int64_t compared = 0;
  /// Of the orthogonality: 30 max(1, √m / n), since a sum of m rounded terms is wrong by some √m
  /// roundings even where n is 1.
  double orthogonality_bound = residual_bound;
};

/// For an m × n matrix A, Q of m × r and R of r × n, r = min(m, n), all column-major without gaps.
/// Values that are not finite give infinity. Very large and very small numbers are brought to a safe
/// scale before. `diagonal` is LAPACK's of A, by lapack_diagonal, for those who judge several results
/// of one matrix. Throws unsupported for sizes beyond 32 bits.
template <class T>
residuals measure_residuals(std::int64_t m, std::int64_t n, std::span<T const> a,
                            std::span<T const> q, std::span<T const> r,
                            std::span<T const> diagonal);
template <class T>
residuals measure_residuals(std::int64_t m, std::int64_t n, std::span<T const> a,
                            std::span<T const> q, std::span<T const> r);

/// Empty if all are below the bound, else which is not.
std::string excess_of(residuals const& measured);

}  // namespace gridloom::tiled_qr
