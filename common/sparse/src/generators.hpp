#pragma once
// Parts that the generators share: the size of a matrix before it is made, and their table.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gridloom/generator_arguments.hpp"
#include "gridloom/sparse/csr.hpp"

namespace gridloom::sparse {

/// Stands for itself and all larger numbers, so that sizes never overflow.
inline constexpr std::uint64_t saturated = ~std::uint64_t{0};
[[nodiscard]] constexpr std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > saturated / b ? saturated : a * b;
}
[[nodiscard]] constexpr std::uint64_t plus(std::uint64_t a, std::uint64_t b) {
  return a > saturated - b ? saturated : a + b;
}
static_assert(plus(saturated, 1) == saturated && plus(saturated - 1, 1) == saturated);
static_assert(times(saturated / 2 + 1, 2) == saturated && times(saturated, 0) == 0);

/// The size of a square matrix, known before anything is allocated.
struct extent {
  std::uint64_t rows = 0;
  /// Number of entries; if it is random, the expected number.
  std::uint64_t entries = 0;
  bool has_values = false;
  /// Memory that the generator needs in addition to the matrix.
  std::uint64_t scratch_bytes = 0;

  /// Size of the matrix in bytes.
  [[nodiscard]] std::uint64_t bytes() const {
    return plus(times(plus(rows, 1), sizeof(std::uint64_t)),
                times(entries, sizeof(std::uint32_t) + (has_values ? sizeof(double) : 0)));
  }
};

/// Throws usage_error naming the generator if the matrix has too many rows, or needs more memory
/// than the limit or the machine has.
void require_fits(std::string_view generator, std::uint64_t rows, std::uint64_t bytes);

/// A matrix of this size, whose arrays the caller fills in.
[[nodiscard]] csr_matrix<double> allocated(extent const& size);

struct generator_entry {
  std::string_view name;
  /// Keys with defaults; see generator_arguments.
  std::string_view keys;
  std::string_view what;
  /// Returns the size of the matrix. Also checks every key.
  extent (*measure)(generator_arguments const&);
  any_csr (*make)(generator_arguments const&, std::uint64_t seed);
  /// Keys that a preset sets.
  std::string_view fixed = {};
};

// Generators with separate source files: P1 elements and the random geometric graph.
[[nodiscard]] extent measure_p1(generator_arguments const& arguments);
[[nodiscard]] any_csr make_p1(generator_arguments const& arguments, std::uint64_t seed);
[[nodiscard]] extent measure_geometric(generator_arguments const& arguments);
[[nodiscard]] any_csr make_geometric(generator_arguments const& arguments, std::uint64_t seed);

[[nodiscard]] std::span<generator_entry const> grid_generators();
[[nodiscard]] std::span<generator_entry const> system_generators();
[[nodiscard]] std::span<generator_entry const> graph_generators();
[[nodiscard]] std::span<generator_entry const> random_generators();

}  // namespace gridloom::sparse
