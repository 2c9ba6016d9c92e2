#include "apps/lud/matrix.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "gridloom/error.hpp"

namespace gridloom::juggler::lud {

namespace {

/// The largest row sum of absolute values, or infinity if a sum is not finite.
double norm(std::span<double const> a, std::size_t n) {
  double largest = 0;
  for (std::size_t row = 0; row < n; ++row) {
    double sum = 0;
    for (double const value : a.subspan(row * n, n)) sum += std::abs(value);
    if (!std::isfinite(sum)) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, sum);
  }
  return largest;
}

/// Checks about a thousand elements. Each must be begin(r, c) + sign × (the first terms(r, c) terms
/// of the product of row r and column c).
template <class Begin, class Terms>
void require_sample(std::size_t n, std::span<double const> given, std::span<double const> got,
                    double sign, Begin const& begin, Terms const& terms) {
  std::size_t const step = std::max<std::size_t>(1, n * n / 1000) | 1U;
  for (std::size_t place = 0; place < n * n; place += step) {
    std::size_t const row = place / n, col = place % n;
    double expected = begin(place);
    double size = std::abs(expected);
    for (std::size_t k = 0; k < terms(row, col); ++k) {
      double const term = given[row * n + k] * given[k * n + col];
      expected += sign * term;
      size += std::abs(term);
    }
    double const bound = size * static_cast<double>(n) * std::numeric_limits<double>::epsilon();
    if (std::abs(got[place] - expected) <= bound) continue;
    std::ostringstream text;
    text << "row " << row << ", column " << col << " is " << got[place] << ", expected "
         << expected;
    throw wrong_result(text.str());
  }
}

}  // namespace

std::vector<double> to_tiles(tiling const& cut, std::span<double const> by_rows) {
  auto tiles = juggler::to_tiles<double>(cut, by_rows);
  for (std::int64_t row = cut.rows; row < cut.tile_rows() * cut.tile; ++row) {
    std::int64_t const inside = row % cut.tile;
    tiles[static_cast<std::size_t>(cut.begin(row / cut.tile, row / cut.tile) +
                                   inside * (cut.tile + 1))] = 1;
  }
  return tiles;
}

std::vector<double> from_tiles(tiling const& cut, std::span<double const> tiles) {
  std::vector<double> by_rows(static_cast<std::size_t>(cut.rows * cut.rows));
  for_each_cell(cut, [&](std::int64_t row, std::int64_t col, std::size_t place) {
    by_rows[static_cast<std::size_t>(row * cut.rows + col)] = tiles[place];
  });
  return by_rows;
}

int exponent_to_one(std::span<double const> a) {
  double largest = 0;
  for (double const value : a) largest = std::max(largest, std::abs(value));
  return largest > 0 ? -std::ilogb(largest) : 0;
}

std::vector<double> scaled_to_one(std::span<double const> a) {
  int const exponent = exponent_to_one(a);
  std::vector<double> made(a.begin(), a.end());
  for (double& value : made) value = std::scalbn(value, exponent);
  return made;
}

std::vector<double> transposed(std::int64_t rows, std::span<double const> a) {
  auto const n = static_cast<std::size_t>(rows);
  std::vector<double> made(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) made[j * n + i] = a[i * n + j];
  }
  return made;
}

void decompose(std::int64_t rows, std::span<double> a) {
  auto const n = static_cast<std::size_t>(rows);
  for (std::size_t i = 1; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      double const factor = a[i * n + k] /= a[k * n + k];
      for (std::size_t j = k + 1; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
    }
  }
}

void require_updated(tiling const& cut, std::span<double const> given,
                     std::span<double const> got) {
  auto const width = static_cast<std::size_t>(cut.tile);
  require_sample(
      static_cast<std::size_t>(cut.rows), given, got, -1,
      [&](std::size_t place) { return given[place]; },
      [&](std::size_t row, std::size_t col) { return row < width || col < width ? 0 : width; });
}

void require_square(tiling const& cut, std::span<double const> given, std::span<double const> got) {
  auto const n = static_cast<std::size_t>(cut.rows);
  require_sample(
      n, given, got, 1, [](std::size_t) { return 0.0; },
      [&](std::size_t, std::size_t) { return n; });
}

double residual(std::int64_t rows, std::span<double const> a, std::span<double const> factors) {
  if (rows >= std::int64_t{1} << 31U)
    throw unsupported("OpenBLAS: expected sizes below 2^31, got " + std::to_string(rows));
  auto const n = static_cast<std::size_t>(rows);
  int const exponent = exponent_to_one(a);
  std::vector<double> difference(n * n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j)
      difference[i * n + j] = std::scalbn(factors[i * n + j], exponent);
  }
  int const order = static_cast<int>(rows);
  cblas_dtrmm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, order, order, 1,
              factors.data(), order, difference.data(), order);
  std::vector<double> const scaled = scaled_to_one(a);
  for (std::size_t place = 0; place < n * n; ++place)
    difference[place] = scaled[place] - difference[place];
  return norm(difference, n) /
         (norm(scaled, n) * static_cast<double>(n) * std::numeric_limits<double>::epsilon());
}

void subtract_product(int tile, std::span<double const> left, std::span<double const> right,
                      std::span<double> from) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, tile, tile, tile, -1, left.data(), tile,
              right.data(), tile, 1, from.data(), tile);
}

}  // namespace gridloom::juggler::lud
