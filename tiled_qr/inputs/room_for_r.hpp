#pragma once
// Checks that a matrix and its R fit into the range of a precision. Columns of R have the lengths
// of the matrix's columns.

#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace gridloom::tiled_qr {

/// The largest absolute value. Throws usage_error with the place of the first value beyond the
/// range of T, given as infinity. `source` begins the message, `got` returns the original value of
/// an element by its index.
template <class T>
T require_range(std::span<T const> values, std::int64_t rows, std::string const& source,
                std::function<std::string(std::size_t)> const& got);

/// Throws usage_error with the first column that is longer than a quarter of the largest number of
/// type T. `source` begins the message, `largest` is the largest absolute value. Householder
/// methods have intermediate sums up to 2 √2 times as long as a column: with v₁ = 1 a reflector is
/// at most √2 long, and its factor at most 2. Cost: a pass over the matrix if its entries are that
/// large.
template <class T>
void require_room_for_r(std::span<T const> values, std::int64_t rows, T largest,
                        std::string const& source);

}  // namespace gridloom::tiled_qr
