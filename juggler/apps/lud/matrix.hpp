#pragma once
// Inputs of LU decomposition and the checks of its results. The only code shared with the tasks is
// the memory layout. Matrices are stored by rows.

#include <cstdint>
#include <span>
#include <vector>

#include "apps/lud/inspection.hpp"

namespace gridloom::juggler::lud {

/// Converts to tiles, padded with an identity matrix, and back.
[[nodiscard]] std::vector<double> to_tiles(tiling const& cut, std::span<double const> by_rows);
[[nodiscard]] std::vector<double> from_tiles(tiling const& cut, std::span<double const> tiles);

/// The exponent with which std::scalbn brings the largest |value| into [1, 2); 0 for zeros only.
[[nodiscard]] int exponent_to_one(std::span<double const> a);

/// `a` scaled by that power of two. Exact, except for elements that become subnormal.
[[nodiscard]] std::vector<double> scaled_to_one(std::span<double const> a);

/// Converts the first rows × rows elements between storage by rows and storage by columns.
[[nodiscard]] std::vector<double> transposed(std::int64_t rows, std::span<double const> a);

/// The serial version: elimination without tiles, in place. The unit diagonal of L is not stored.
void decompose(std::int64_t rows, std::span<double> a);

// Check methods that do not decompose, by plain sums for some elements. Throw wrong_result.

/// Requires that `got` is `given` after the trailing updates of the first step. They subtract the
/// product of the first `tile` columns and rows from the rest.
void require_updated(tiling const& cut, std::span<double const> given, std::span<double const> got);
/// Requires that `got` is given · given.
void require_square(tiling const& cut, std::span<double const> given, std::span<double const> got);

/// |A - L U| / (n |A| eps), where |·| is the largest row sum. OpenBLAS computes the product. A and
/// U are scaled by the same power of two, so no norm overflows. The residual of 2^k A has the same
/// bits.
[[nodiscard]] double residual(std::int64_t rows, std::span<double const> a,
                              std::span<double const> factors);

/// Subtracts the product of two tiles from a third one. Tiles are stored by rows.
void subtract_product(int tile, std::span<double const> left, std::span<double const> right,
                      std::span<double> from);

}  // namespace gridloom::juggler::lud
