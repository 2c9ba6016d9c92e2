#pragma once
// Parts of the generators behind generate.hpp: the structures, and the memory that they need. Arithmetic on drawn numbers uses whole numbers, and real keys are first rounded to
// millionths. So contracted operations do not change a graph.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gridloom/generator_arguments.hpp"
#include "gridloom/random.hpp"
#include "gridloom/taskgraph/graph_file.hpp"
#include "pets/support/task_graph.hpp"

namespace gridloom::pets {

/// Throws usage_error `KIND: expected ..., got ...` if the graph would need more memory than the
/// machine has.
void require_memory(std::string_view kind, std::uint64_t tasks, std::uint64_t edges,
                    std::uint32_t processors, bool named);

struct structure {
  csr_graph edges;
  /// One name per task, or empty.
  std::vector<std::string> names;
};

/// The thesis's generator (4.1): v, alpha, beta, jump.
[[nodiscard]] structure make_random(generator_arguments const& keys, std::uint32_t processors,
                                    random_source source);

[[nodiscard]] structure make_gauss(generator_arguments const& keys, std::uint32_t processors);
[[nodiscard]] structure make_fft(generator_arguments const& keys, std::uint32_t processors);
[[nodiscard]] structure make_cholesky(generator_arguments const& keys, std::uint32_t processors);

/// Numbers of tasks and edges of a structured graph; generate_test.cpp derives the formulas.
struct extent {
  std::uint64_t tasks;
  std::uint64_t edges;

  [[nodiscard]] constexpr bool fits() const { return tasks <= most_tasks && edges <= most_edges; }
};
[[nodiscard]] constexpr extent gauss_extent(std::uint64_t m) {
  return {(m * m + m - 2) / 2, m * m - m - 1};
}
[[nodiscard]] constexpr extent fft_extent(std::uint64_t m) {
  std::uint64_t stages = 0;
  while (m >> stages > 1) ++stages;
  return {2 * m - 1 + m * stages, 2 * m - 2 + 2 * m * stages};
}
[[nodiscard]] constexpr extent cholesky_extent(std::uint64_t t) {
  return {t * (t + 1) * (t + 2) / 6, t * (t * t - 1) / 2};
}

inline constexpr std::uint64_t most_gauss = 65'535;
inline constexpr std::uint64_t most_fft = std::uint64_t{1} << 26U;
inline constexpr std::uint64_t most_cholesky = 2'048;
static_assert(gauss_extent(most_gauss).fits() && !gauss_extent(most_gauss + 1).fits());
static_assert(fft_extent(most_fft).fits() && !fft_extent(2 * most_fft).fits());
static_assert(cholesky_extent(most_cholesky).fits() && !cholesky_extent(most_cholesky + 1).fits());

}  // namespace gridloom::pets
