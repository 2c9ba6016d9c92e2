#include "check/sample.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "check/largest.hpp"
#include "check/power_of_two.hpp"
#include "check/share_among_threads.hpp"
#include "gridloom/random.hpp"
#include "inputs/host_vector.hpp"

namespace gridloom::tiled_qr {

namespace {

constexpr int vectors = sample_vectors;
/// Rows and columns of the piece that one thread takes at a time.
constexpr std::int64_t rows_at_once = 4096;
constexpr std::int64_t cols_at_once = 32;

using sums = std::vector<double>;

std::int64_t in_parts(std::int64_t n, std::int64_t part) { return (n + part - 1) / part; }

/// Returns normally distributed numbers, made in pairs by the method of Box and Muller. They do not
/// depend on the number of threads.
template <class T>
host_vector<T> gaussian(std::size_t count, std::uint64_t seed) {
  host_vector<T> values(count);
  share_range(count, [&](std::size_t begin, std::size_t end) {
    random_source random(seed);
    // `begin` is even, so no pair is split.
    random.skip(begin);
    for (std::size_t at = begin; at < end; at += 2) {
      double const length = std::sqrt(-2 * std::log(1 - random.unit()));
      double const angle = 2 * std::numbers::pi * random.unit();
      values[at] = static_cast<T>(length * std::cos(angle));
      if (at + 1 < end) values[at + 1] = static_cast<T>(length * std::sin(angle));
    }
  });
  return values;
}

/// A column-major matrix, or the upper triangle of one.
template <class T>
struct operand {
  T const* data;
  std::int64_t rows;
  std::int64_t cols;
  std::int64_t leading;
  bool upper = false;
  int exponent = 0;

  /// Number of rows of a column that are read.
  [[nodiscard]] std::int64_t rows_of(std::int64_t col) const {
    return upper ? std::min(rows, col + 1) : rows;
  }
};

/// Copies rows [begin, end) of the vectors to a row-major array.
template <class T>
sums interleaved(T const* y, std::int64_t leading, std::int64_t begin, std::int64_t end) {
  sums rows(static_cast<std::size_t>((end - begin) * vectors));
  for (int v = 0; v < vectors; ++v)
    for (std::int64_t i = begin; i < end; ++i)
      rows[static_cast<std::size_t>((i - begin) * vectors + v)] =
          static_cast<double>(y[v * leading + i]);
  return rows;
}

/// Returns YᵀA · 2^exponent, column-major, and the squares of the columns' lengths.
template <class T>
std::pair<sums, sums> sketch_columns(operand<T> const& a, T const* y, std::int64_t y_leading) {
  std::int64_t const row_parts = in_parts(a.rows, rows_at_once);
  std::int64_t const col_parts = in_parts(a.cols, cols_at_once);
  auto const width = static_cast<std::size_t>(vectors + 1);
  auto const stride = width * static_cast<std::size_t>(a.cols);
  sums parts(static_cast<std::size_t>(row_parts) * stride, 0.0);
  auto const power = power_of_two<double>::of(a.exponent);
  share_among_threads(row_parts * col_parts, all_threads(), [&](std::int64_t piece) {
    std::int64_t const part = piece / col_parts;
    std::int64_t const begin = part * rows_at_once;
    std::int64_t const end = std::min(a.rows, begin + rows_at_once);
    std::int64_t const first = piece % col_parts * cols_at_once;
    std::int64_t const last = std::min(a.cols, first + cols_at_once);
    if (a.rows_of(last - 1) <= begin) return;
    sums const rows = interleaved(y, y_leading, begin, end);
    for (std::int64_t j = first; j < last; ++j) {
      T const* const column = a.data + j * a.leading + begin;
      double sum[vectors] = {};
      double squares = 0;
      std::int64_t const count = std::min(end, a.rows_of(j)) - begin;
      for (std::int64_t i = 0; i < count; ++i) {
        double const x = power.times(static_cast<double>(column[i]));
        for (int v = 0; v < vectors; ++v)
          sum[v] += x * rows[static_cast<std::size_t>(i * vectors + v)];
        squares += x * x;
      }
      double* const to = parts.data() + static_cast<std::size_t>(part) * stride +
                         static_cast<std::size_t>(j) * width;
      std::copy_n(sum, vectors, to);
      to[vectors] = squares;
    }
  });
  std::pair<sums, sums> result{sums(static_cast<std::size_t>(a.cols * vectors), 0.0),
                               sums(static_cast<std::size_t>(a.cols), 0.0)};
  for (std::int64_t part = 0; part < row_parts; ++part) {
    double const* const from = parts.data() + static_cast<std::size_t>(part) * stride;
    for (std::size_t j = 0; j < static_cast<std::size_t>(a.cols); ++j) {
      for (std::size_t v = 0; v < vectors; ++v)
        result.first[j * vectors + v] += from[j * width + v];
      result.second[j] += from[j * width + vectors];
    }
  }
  return result;
}

/// Computes C = Q Z; the threads share the rows.
template <class T>
void multiply(operand<T> const& q, T const* z, T* c) {
  sums const interleaved_z = interleaved(z, q.rows, 0, q.cols);
  constexpr std::int64_t at_once = 256;
  share_among_threads(in_parts(q.rows, at_once), all_threads(), [&](std::int64_t piece) {
    std::int64_t const begin = piece * at_once;
    std::int64_t const count = std::min(q.rows, begin + at_once) - begin;
    double sum[at_once][vectors] = {};
    for (std::int64_t k = 0; k < q.cols; ++k) {
      T const* const column = q.data + k * q.leading + begin;
      double const* const row = interleaved_z.data() + k * vectors;
      for (std::int64_t i = 0; i < count; ++i)
        for (int v = 0; v < vectors; ++v) sum[i][v] += static_cast<double>(column[i]) * row[v];
    }
    for (std::int64_t i = 0; i < count; ++i)
      for (int v = 0; v < vectors; ++v) c[v * q.rows + begin + i] = static_cast<T>(sum[i][v]);
  });
}

/// Estimates the length of E's longest column from `difference`, the products of the random vectors
/// with each column of E. The products of one column are contiguous.
double longest_column(sums const& difference) {
  double longest = 0;
  for (std::size_t at = 0; at < difference.size(); at += vectors) {
    double squares = 0;
    for (std::size_t v = 0; v < vectors; ++v) squares += difference[at + v] * difference[at + v];
    if (!std::isfinite(squares)) return std::numeric_limits<double>::infinity();
    longest = std::max(longest, squares);
  }
  return std::sqrt(longest / vectors);
}

double over(double error, double scale) { return error == 0 ? 0 : error / scale; }

}  // namespace

double sample_growth(std::int64_t size) {
  auto const n = static_cast<double>(size);
  return std::min(n, std::max(100.0, std::sqrt(n)));
}

template <class T>
apply_function<T> apply_explicit(std::int64_t m, std::int64_t n, std::span<T const> q) {
  return [=](bool transposed, T* all, std::int64_t columns) {
    operand<T> const of{q.data(), m, std::min(m, n), m};
    for (T* c = all; c != all + columns * m; c += vectors * m) {
      if (!transposed) {
        multiply(of, c, c);
        continue;
      }
      sums const products = sketch_columns(of, static_cast<T const*>(c), m).first;
      for (std::int64_t k = 0; k < of.cols; ++k)
        for (int v = 0; v < vectors; ++v)
          c[v * m + k] = static_cast<T>(products[static_cast<std::size_t>(k * vectors + v)]);
    }
  };
}

template <class T>
vector_sample<T>::vector_sample(std::int64_t m, std::int64_t n, std::uint64_t seed)
    : m_(m),
      n_(n),
      y_(gaussian<T>(static_cast<std::size_t>(m * vectors), random_source(seed).next())),
      z_(gaussian<T>(static_cast<std::size_t>(std::min(m, n) * vectors),
                     random_source(~seed).next())) {}

template <class T>
typename vector_sample<T>::sketch vector_sample<T>::of(std::span<T const> a) const {
  T const largest = largest_of(a);
  sketch made;
  made.exponent = std::isfinite(largest) ? exponent_to_safe(largest) : 0;
  auto [products, squares] =
      sketch_columns(operand<T>{a.data(), m_, n_, m_, false, made.exponent}, y_.data(), m_);
  made.products = std::move(products);
  made.longest = std::sqrt(*std::max_element(squares.begin(), squares.end()));
  return made;
}

template <class T>
residuals vector_sample<T>::measure(sketch const& a, factors_view<T> const& found) const {
  std::int64_t const count = std::min(m_, n_);
  double const unit =
      sample_growth(std::max(m_, n_)) * static_cast<double>(std::numeric_limits<T>::epsilon());
  residuals result;

  // Qᵀ is applied to Y and to Q Z together.
  std::size_t const half = y_.size();
  host_vector<T> both(2 * half);
  T* const y_half = both.data();
  T* const z_half = both.data() + half;
  share_range(half, [&](std::size_t begin, std::size_t end) {
    std::copy(y_.begin() + static_cast<std::ptrdiff_t>(begin),
              y_.begin() + static_cast<std::ptrdiff_t>(end), y_half + begin);
    std::fill(z_half + begin, z_half + end, T{0});
  });
  for (int v = 0; v < vectors; ++v) std::copy_n(z_.begin() + v * count, count, z_half + v * m_);
  found.apply(false, z_half, vectors);
  found.apply(true, y_half, 2 * vectors);

  sums difference =
      sketch_columns(operand<T>{found.r.data(), count, n_, found.r_leading, true, a.exponent},
                     static_cast<T const*>(y_half), m_)
          .first;
  for (std::size_t at = 0; at < difference.size(); ++at) difference[at] -= a.products[at];
  // R's elements may be denormal numbers, whose rounding errors are not relative to their size.
  double const smallest = std::ldexp(static_cast<double>(std::numeric_limits<T>::denorm_min()),
                                     std::max(0, a.exponent));
  result.factors = over(longest_column(difference),
                        unit * a.longest + smallest * std::sqrt(static_cast<double>(count)));

  sums change(static_cast<std::size_t>(count * vectors));
  for (std::int64_t k = 0; k < count; ++k)
    for (int v = 0; v < vectors; ++v)
      change[static_cast<std::size_t>(k * vectors + v)] =
          static_cast<double>(z_half[v * m_ + k]) -
          static_cast<double>(z_[static_cast<std::size_t>(v * count + k)]);
  result.orthogonality = over(longest_column(change), unit);
  return result;
}

#define GRIDLOOM_INSTANTIATE(T)                                                                 \
  template apply_function<T> apply_explicit<T>(std::int64_t, std::int64_t, std::span<T const>); \
  template class vector_sample<T>;
GRIDLOOM_INSTANTIATE(float)
GRIDLOOM_INSTANTIATE(double)
#undef GRIDLOOM_INSTANTIATE

}  // namespace gridloom::tiled_qr
