#pragma once
// Inputs of LU decomposition and the checks of its results. Shares nothing with the tasks except
// the way a matrix lies in memory. Matrices are stored by rows.

#include <cstdint>
#include <span>
#include <vector>

#include "apps/lud/inspection.hpp"

namespace gridloom::juggler::lud {

/// A random matrix whose diagonal outweighs the rest of each row, so that no pivot is small.
[[nodiscard]] std::vector<double> make_dominant(std::int64_t rows, std::uint64_t seed);

/// Converts to tiles, padded with an identity, and back.
[[nodiscard]] std::vector<double> to_tiles(blocking const& cut, std::span<double const> by_rows);
[[nodiscard]] std::vector<double> from_tiles(blocking const& cut, std::span<double const> tiles);

/// The exponent by which std::scalbn brings the largest absolute value of `a` into [1, 2), or 0 for
/// a matrix of zeros.
[[nodiscard]] int exponent_to_one(std::span<double const> a);

/// `a` times that power of two. Exact, except for elements that become subnormal.
[[nodiscard]] std::vector<double> scaled_to_one(std::span<double const> a);

/// Converts the first rows × rows elements between storage by rows and by columns.
[[nodiscard]] std::vector<double> transposed(std::int64_t rows, std::span<double const> a);

/// The serial version: elimination without tiles, in place. L has a unit diagonal, which is not
/// stored.
void decompose(std::int64_t rows, std::span<double> a);

// Checks of methods that do not decompose, by plain sums for a sample of elements. They throw
// wrong_result.

/// Requires that `got` is `given` after the first step's trailing updates and nothing else: the
/// product of the first `tile` columns and rows is subtracted from the rest.
void require_updated(std::int64_t rows, int tile, std::span<double const> given,
                     std::span<double const> got);
/// Requires that `got` is given · given.
void require_square(std::int64_t rows, std::span<double const> given, std::span<double const> got);

/// |A - L U| / (n |A| eps) in the largest sum of a row, by a product of OpenBLAS. A and U are
/// scaled by the same power of two, so that no norm overflows and 2^k A has the residual of A to
/// the bit.
[[nodiscard]] double residual(std::int64_t rows, std::span<double const> a,
                              std::span<double const> factors);

}  // namespace gridloom::juggler::lud
