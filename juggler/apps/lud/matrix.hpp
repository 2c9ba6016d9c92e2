#pragma once
// Inputs of LU decomposition and the judgement of its results. Shares nothing with the tasks but
// the way a matrix lies in memory. Matrices are by rows.

#include <cstdint>
#include <span>
#include <vector>

#include "apps/lud/inspection.hpp"

namespace gridloom::juggler::lud {

/// A random matrix whose diagonal outweighs the rest of each row, so that no pivot is small.
[[nodiscard]] std::vector<double> make_dominant(std::int64_t rows, std::uint64_t seed);

/// Tile by tile, filled up with an identity, and back.
[[nodiscard]] std::vector<double> to_tiles(blocking const& cut, std::span<double const> by_rows);
[[nodiscard]] std::vector<double> from_tiles(blocking const& cut, std::span<double const> tiles);

/// The power of two by which std::scalbn brings the largest absolute value of `a` into [1, 2); 0
/// for a matrix of zeros.
[[nodiscard]] int exponent_to_one(std::span<double const> a);

/// `a` times that power of two. The rounding is exact but for elements that become subnormal.
[[nodiscard]] std::vector<double> scaled_to_one(std::span<double const> a);

/// By columns what was by rows, and back: the first rows × rows elements.
[[nodiscard]] std::vector<double> transposed(std::int64_t rows, std::span<double const> a);

/// The serial version: elimination without tiles, in place. L has a unit diagonal, which is not
/// stored.
void decompose(std::int64_t rows, std::span<double> a);

// Judges of other work on the matrix, by plain sums for a sample of elements. They throw
// wrong_result.

/// `got` is `given` after the first step's trailing updates and nothing else: behind the first
/// `tile` rows and columns, the product of these columns and rows is taken away.
void require_updated(std::int64_t rows, int tile, std::span<double const> given,
                     std::span<double const> got);
/// `got` is given · given.
void require_square(std::int64_t rows, std::span<double const> given, std::span<double const> got);

/// |A - L U| / (n |A| eps) in the largest sum of a row, by a product of OpenBLAS. A and U are
/// scaled by the same power of two, so that no norm overflows and 2^k A has the residual of A to
/// the bit.
[[nodiscard]] double residual(std::int64_t rows, std::span<double const> a,
                              std::span<double const> factors);

}  // namespace gridloom::juggler::lud
