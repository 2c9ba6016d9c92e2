#pragma once
// Checks that a matrix and its R fit into the range of a precision. A column of R has the same
// Euclidean norm as that column of the matrix.

#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace gridloom::tiled_qr {

/// Returns the largest absolute value. Throws usage_error with the place of the first infinity,
/// which stands for a value beyond the range of T. `source` begins the message. `got` returns the
/// original value of an element by its index.
template <class T>
T require_range(std::span<T const> values, std::int64_t rows, std::string const& source,
                std::function<std::string(std::size_t)> const& got);

/// Throws usage_error for the first column that is longer than a quarter of the largest number of
/// type T. `source` begins the message; `largest` is the largest absolute value. The limit is a
/// quarter, because intermediate sums of Householder methods reach 2 √2 times a column's length.
/// (With v₁ = 1, a reflector's length is at most √2, and its factor is at most 2.) Cost: one pass
/// over the matrix, only if its entries are that large.
template <class T>
void require_room_for_r(std::span<T const> values, std::int64_t rows, T largest,
                        std::string const& source);

}  // namespace gridloom::tiled_qr
