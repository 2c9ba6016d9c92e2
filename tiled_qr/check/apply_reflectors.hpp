#pragma once
// Applies Q from reflectors in LAPACK's form, for samples (sample.hpp), by plain loops in double.
// Blocks of reflectors are applied by their T, as LAPACK's larft and larfb do. The sums are our
// own, so that the check does not share faults of the library, which is a rival. Their order does
// not depend on the number of threads.

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "check/sample.hpp"
#include "check/share_among_threads.hpp"

namespace gridloom::tiled_qr {

namespace detail {

/// Reflectors in one block, and rows that one thread takes at a time.
inline constexpr std::int64_t most_at_once = 32;
inline constexpr std::int64_t rows_at_once = 2048;

using sums = std::vector<double>;

/// Some consecutive reflectors as one product I - V T Vᵀ. Row 0 of `v` is V's first row.
template <class T>
struct reflector_block {
  T const* v;
  std::int64_t rows;
  std::int64_t leading;
  std::int64_t count;
  T const* taus;

  /// Writes row i of V, with zeros above the diagonal and ones on it.
  void row(std::int64_t i, double* to) const {
    for (std::int64_t k = 0; k < count; ++k)
      to[k] = i > k ? static_cast<double>(v[i + k * leading]) : double(i == k);
  }
};

/// Returns VᵀV, followed by VᵀC, both row-major.
template <class T>
sums products_of(reflector_block<T> const& of, T const* c, std::int64_t leading,
                 std::int64_t columns) {
  std::int64_t const pieces = (of.rows + rows_at_once - 1) / rows_at_once;
  std::int64_t const width = of.count + columns;
  auto const size = static_cast<std::size_t>(of.count * width);
  sums parts(static_cast<std::size_t>(pieces) * size, 0.0);
  share_among_threads(pieces, all_threads(), [&](std::int64_t piece) {
    double* const to = parts.data() + static_cast<std::size_t>(piece) * size;
    sums row(static_cast<std::size_t>(width));
    std::int64_t const end = std::min(of.rows, (piece + 1) * rows_at_once);
    for (std::int64_t i = piece * rows_at_once; i < end; ++i) {
      of.row(i, row.data());
      for (std::int64_t j = 0; j < columns; ++j)
        row[static_cast<std::size_t>(of.count + j)] = static_cast<double>(c[i + j * leading]);
      for (std::int64_t k = 0; k < of.count; ++k)
        for (std::int64_t j = 0; j < width; ++j)
          to[k * width + j] += row[static_cast<std::size_t>(k)] * row[static_cast<std::size_t>(j)];
    }
  });
  for (std::int64_t piece = 1; piece < pieces; ++piece)
    for (std::size_t e = 0; e < size; ++e)
      parts[e] += parts[static_cast<std::size_t>(piece) * size + e];
  parts.resize(size);
  return parts;
}

/// Returns the upper triangular T, row-major. Above its diagonal, column k is -tau_k T (VᵀV)_k.
template <class T>
sums t_of(reflector_block<T> const& of, sums const& products, std::int64_t width) {
  std::int64_t const n = of.count;
  sums t(static_cast<std::size_t>(n * n), 0.0);
  auto const at = [n](std::int64_t i, std::int64_t k) {
    return static_cast<std::size_t>(i * n + k);
  };
  for (std::int64_t k = 0; k < n; ++k) {
    auto const tau = static_cast<double>(of.taus[k]);
    for (std::int64_t i = 0; i < k; ++i) {
      double sum = 0;
      for (std::int64_t l = i; l < k; ++l)
        sum += t[at(i, l)] * products[static_cast<std::size_t>(l * width + k)];
      t[at(i, k)] = -tau * sum;
    }
    t[at(k, k)] = tau;
  }
  return t;
}

/// Computes C -= V T (VᵀC), with Tᵀ in place of T if `transposed`.
template <class T>
void apply_block(reflector_block<T> const& of, bool transposed, T* c, std::int64_t leading,
                 std::int64_t columns) {
  std::int64_t const width = of.count + columns;
  sums const products = products_of(of, static_cast<T const*>(c), leading, columns);
  sums const t = t_of(of, products, width);
  sums x(static_cast<std::size_t>(of.count * columns), 0.0);
  for (std::int64_t i = 0; i < of.count; ++i)
    for (std::int64_t k = 0; k < of.count; ++k) {
      double const factor =
          t[static_cast<std::size_t>(transposed ? k * of.count + i : i * of.count + k)];
      for (std::int64_t j = 0; j < columns; ++j)
        x[static_cast<std::size_t>(i * columns + j)] +=
            factor * products[static_cast<std::size_t>(k * width + of.count + j)];
    }
  share_among_threads(
      (of.rows + rows_at_once - 1) / rows_at_once, all_threads(), [&](std::int64_t piece) {
        sums row(static_cast<std::size_t>(of.count));
        sums change(static_cast<std::size_t>(columns));
        std::int64_t const end = std::min(of.rows, (piece + 1) * rows_at_once);
        for (std::int64_t i = piece * rows_at_once; i < end; ++i) {
          of.row(i, row.data());
          std::fill(change.begin(), change.end(), 0.0);
          for (std::int64_t k = 0; k < of.count; ++k)
            for (std::int64_t j = 0; j < columns; ++j)
              change[static_cast<std::size_t>(j)] +=
                  row[static_cast<std::size_t>(k)] * x[static_cast<std::size_t>(k * columns + j)];
          for (std::int64_t j = 0; j < columns; ++j)
            c[i + j * leading] = static_cast<T>(static_cast<double>(c[i + j * leading]) -
                                                change[static_cast<std::size_t>(j)]);
        }
      });
}

}  // namespace detail

/// `factors` is m × n and column-major without gaps, and outlives the result.
template <class T>
apply_function<T> apply_reflectors(std::int64_t m, std::int64_t n, std::span<T const> factors,
                                   std::vector<T> taus) {
  return [m, n, factors, taus = std::move(taus)](bool transposed, T* c, std::int64_t columns) {
    std::int64_t const all = std::min(m, n);
    std::int64_t const blocks = (all + detail::most_at_once - 1) / detail::most_at_once;
    for (std::int64_t step = 0; step < blocks; ++step) {
      // Qᵀ applies the reflectors in the order in which they were made.
      std::int64_t const begin = (transposed ? step : blocks - 1 - step) * detail::most_at_once;
      detail::apply_block(detail::reflector_block<T>{factors.data() + begin + begin * m, m - begin,
                                                     m, std::min(detail::most_at_once, all - begin),
                                                     taus.data() + begin},
                          transposed, c + begin, m, columns);
    }
  };
}

}  // namespace gridloom::tiled_qr
