#pragma once
// Checks that a matrix and its R fit into the range of a precision. A column of R has the same
// Euclidean norm as that column of the matrix.

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <sstream>
#include <string>

#include "check/largest.hpp"
#include "gridloom/error.hpp"

namespace gridloom::tiled_qr {

/// Returns the largest absolute value. Throws usage_error with the place of the first infinity,
/// which stands for a value beyond the range of T. `source` begins the message. `got` returns the
/// original value of an element by its index.
template <class T>
T require_range(std::span<T const> values, std::int64_t rows, std::string const& source,
                std::function<std::string(std::size_t)> const& got) {
  T const largest = largest_of(values);
  if (std::isfinite(largest)) return largest;
  std::size_t at = 0;
  while (std::isfinite(values[at])) ++at;
  auto const in_column = static_cast<std::size_t>(rows);
  std::ostringstream text;
  text << source << ": row " << at % in_column + 1 << ", column " << at / in_column + 1
       << ": expected an absolute value of at most " << std::numeric_limits<T>::max()
       << ", the largest number of " << (sizeof(T) == sizeof(double) ? "double" : "float")
       << "; got " << got(at);
  throw usage_error(text.str());
}

/// Throws usage_error for the first column that is longer than a quarter of the largest number of
/// type T. `source` begins the message; `largest` is the largest absolute value. The limit is a
/// quarter, because intermediate sums of Householder methods reach 2 √2 times a column's length.
/// (With v₁ = 1, a reflector's length is at most √2, and its factor is at most 2.) Cost: one pass
/// over the matrix, only if its entries are that large.
template <class T>
void require_room_for_r(std::span<T const> values, std::int64_t rows, T largest,
                        std::string const& source) {
  constexpr double longest = static_cast<double>(std::numeric_limits<T>::max()) / 4;
  double const unit = static_cast<double>(largest);
  // No column is longer than √rows times the largest entry.
  if (unit <= longest / std::sqrt(static_cast<double>(rows))) return;
  auto const in_column = static_cast<std::size_t>(rows);
  for (std::size_t begin = 0; begin < values.size(); begin += in_column) {
    double squares = 0;
    for (T const x : values.subspan(begin, in_column)) {
      double const part = static_cast<double>(x) / unit;
      squares += part * part;
    }
    if (std::sqrt(squares) <= longest / unit) continue;
    std::ostringstream text;
    text << source << ": column " << begin / in_column + 1 << ": expected a length of at most "
         << longest
         << ", a quarter of the largest number, because R's columns have the same length; got "
         << std::sqrt(squares) << " times " << unit;
    throw usage_error(text.str());
  }
}

}  // namespace gridloom::tiled_qr
