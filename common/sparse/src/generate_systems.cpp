// Linear systems other than discretisations: Trefethen's primes and random dominant matrices.

#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include "edges.hpp"
#include "generators.hpp"
#include "gridloom/random.hpp"

namespace gridloom::sparse {
namespace {

// Upper bound of the n-th prime. From n = 6 on, the prime is below n (ln n + ln ln n), which is
// less than n times the binary logarithm of n.
std::uint64_t prime_limit(std::uint64_t n) {
  return n * static_cast<std::uint64_t>(std::bit_width(n)) + 3;
}

std::vector<std::uint64_t> first_primes(std::uint64_t count) {
  std::vector<std::uint64_t> primes;
  primes.reserve(count);
  primes.push_back(2);
  // composite[k] says whether 2 k + 1 is composite.
  std::uint64_t const odd_numbers = prime_limit(count) / 2;
  std::vector<bool> composite(odd_numbers);
  for (std::uint64_t k = 1; primes.size() < count; ++k) {
    if (composite[k]) continue;
    std::uint64_t const prime = 2 * k + 1;
    primes.push_back(prime);
    for (std::uint64_t m = 2 * k * (k + 1); m < odd_numbers; m += prime) composite[m] = true;
  }
  return primes;
}

extent measure_trefethen(generator_arguments const& arguments) {
  std::uint64_t const n = arguments.whole("n", 1);
  std::uint64_t entries = n;
  for (std::uint64_t step = 1; step < n; step *= 2) entries += 2 * (n - step);
  return {n, entries, true, plus(times(n, sizeof(std::uint64_t)), prime_limit(n) / 16)};
}

any_csr make_trefethen(generator_arguments const& arguments, std::uint64_t) {
  extent const size = measure_trefethen(arguments);
  std::uint64_t const n = size.rows;
  std::vector<std::uint64_t> const primes = first_primes(n);
  csr_matrix<double> matrix;
  matrix.num_rows = matrix.num_cols = static_cast<std::uint32_t>(n);
  matrix.row_offsets.reserve(n + 1);
  matrix.columns.reserve(size.entries);
  matrix.values.reserve(size.entries);
  auto const put = [&](std::uint64_t column, double value) {
    matrix.columns.push_back(static_cast<std::uint32_t>(column));
    matrix.values.push_back(value);
  };
  for (std::uint64_t row = 0; row < n; ++row) {
    for (std::uint64_t step = std::bit_floor(row); step > 0; step /= 2) put(row - step, 1.0);
    put(row, static_cast<double>(primes[row]));
    for (std::uint64_t step = 1; row + step < n; step *= 2) put(row + step, 1.0);
    matrix.row_offsets.push_back(matrix.columns.size());
  }
  return matrix;
}

extent measure_dominant(generator_arguments const& arguments) {
  std::uint64_t const n = arguments.whole("n", 1);
  std::uint64_t const nnz = arguments.whole("nnz", 0, saturated);
  (void)arguments.real("dominance", 1.001, 1e6);
  std::uint64_t const most = times(n, n);
  if (nnz < n || nnz > most || (nnz - n) % 2 != 0) {
    arguments.refuse("nnz", "the diagonal and pairs, " + std::to_string(n) + " + 2 k up to " +
                                std::to_string(most));
  }
  std::uint64_t const edges = (nnz - n) / 2;
  return {n, nnz, true, plus(times(edges, 2 * sizeof(std::uint64_t)), times(n, 8))};
}

// A uniform value in [-1, 1] without 0, from one word.
double random_value(random_source& source) {
  std::uint64_t const word = source.next();
  double const magnitude = static_cast<double>((word >> 11U) + 1) * 0x1p-53;
  return (word & 1U) != 0 ? -magnitude : magnitude;
}

any_csr make_dominant(generator_arguments const& arguments, std::uint64_t seed) {
  extent const size = measure_dominant(arguments);
  double const dominance = arguments.real("dominance", 1.001, 1e6);
  auto const n = static_cast<std::uint32_t>(size.rows);
  random_source source{seed};
  std::vector<std::uint64_t> const edges = random_edges(n, (size.entries - n) / 2, source);
  csr_matrix<no_value> pattern = symmetric_pattern(n, edges, true);
  std::vector<double> values(size.entries);
  // The values are placed in the order in which symmetric_pattern placed the columns. Both
  // directions of an edge draw the same number.
  std::vector<std::uint64_t> next(pattern.row_offsets.begin(), pattern.row_offsets.end() - 1);
  random_source again = source;
  for (std::uint64_t const edge : edges) values[next[upper_end(edge)]++] = random_value(source);
  std::vector<std::uint64_t> const diagonals = next;
  for (std::uint64_t& place : next) ++place;
  for (std::uint64_t const edge : edges) values[next[lower_end(edge)]++] = random_value(again);
  for (std::uint32_t row = 0; row < n; ++row) {
    double sum = 0.0;
    for (std::uint64_t at = pattern.row_offsets[row]; at < pattern.row_offsets[row + 1]; ++at) {
      sum += std::abs(values[at]);
    }
    values[diagonals[row]] = sum > 0.0 ? dominance * sum : 1.0;
  }
  return csr_matrix<double>{n, n, std::move(pattern.row_offsets), std::move(pattern.columns),
                            std::move(values)};
}

constexpr generator_entry preset(std::string_view name, std::string_view what,
                                 std::string_view fixed) {
  return {name, "dominance=1.25", what, measure_dominant, make_dominant, fixed};
}

constexpr std::array<generator_entry, 6> entries{{
    {"trefethen", "n=2000",
     "Primes on the diagonal, ones where |i - j| is a power of two: Trefethen_2000 by default.",
     measure_trefethen, make_trefethen},
    {"dominant", "n=10000,nnz=109976,dominance=1.25",
     "Random symmetric matrix with exactly nnz entries, the diagonal `dominance` times the rest of "
     "its row.",
     measure_dominant, make_dominant},
    preset("A3", "`dominant` in the size of the thesis's A3: 10,000 rows, 109,976 entries.",
           "n=10000,nnz=109976"),
    preset("A4", "`dominant` in the size of the thesis's A4: 10,000 rows, 209,876 entries.",
           "n=10000,nnz=209876"),
    preset("A5", "`dominant` in the size of the thesis's A5: 20,000 rows, 539,824 entries.",
           "n=20000,nnz=539824"),
    preset("A6", "`dominant` in the size of the thesis's A6: 32,000 rows, 431,942 entries.",
           "n=32000,nnz=431942"),
}};

}  // namespace

std::span<generator_entry const> system_generators() { return entries; }

}  // namespace gridloom::sparse
