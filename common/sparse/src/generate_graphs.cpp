// Graphs of simple shape with extreme diameters and degrees, for breadth-first searches.

#include <array>
#include <utility>

#include "generators.hpp"

namespace gridloom::sparse {
namespace {

std::uint64_t read_n(generator_arguments const& arguments) { return arguments.whole("n", 1); }

// Makes a pattern row by row. put_row(row, put) calls put for the columns of a row, ascending.
template <typename PutRow>
any_csr pattern_of_rows(extent const& size, PutRow put_row) {
  csr_matrix<no_value> pattern;
  pattern.num_rows = pattern.num_cols = static_cast<std::uint32_t>(size.rows);
  pattern.row_offsets.reserve(size.rows + 1);
  pattern.columns.reserve(size.entries);
  auto const put = [&](std::uint64_t column) {
    pattern.columns.push_back(static_cast<std::uint32_t>(column));
  };
  for (std::uint64_t row = 0; row < size.rows; ++row) {
    put_row(row, put);
    pattern.row_offsets.push_back(pattern.columns.size());
  }
  return pattern;
}

// A tree of n vertices has n - 1 edges.
extent tree_of(std::uint64_t n) { return {n, times(2, n - 1), false, 0}; }

extent measure_path(generator_arguments const& arguments) { return tree_of(read_n(arguments)); }

any_csr make_path(generator_arguments const& arguments, std::uint64_t) {
  extent const size = measure_path(arguments);
  return pattern_of_rows(size, [&](std::uint64_t row, auto put) {
    if (row > 0) put(row - 1);
    if (row + 1 < size.rows) put(row + 1);
  });
}

extent measure_star(generator_arguments const& arguments) { return tree_of(read_n(arguments)); }

any_csr make_star(generator_arguments const& arguments, std::uint64_t) {
  extent const size = measure_star(arguments);
  return pattern_of_rows(size, [&](std::uint64_t row, auto put) {
    if (row > 0) {
      put(0);
    } else {
      for (std::uint64_t leaf = 1; leaf < size.rows; ++leaf) put(leaf);
    }
  });
}

extent measure_isolated(generator_arguments const& arguments) {
  return {arguments.whole("n", 0), 0, false, 0};
}

any_csr make_isolated(generator_arguments const& arguments, std::uint64_t) {
  return pattern_of_rows(measure_isolated(arguments), [](std::uint64_t, auto) {});
}

constexpr std::array<generator_entry, 3> entries{{
    {"path", "n=10000", "A path, the largest diameter: n - 1.", measure_path, make_path},
    {"star", "n=10000", "Vertex 0 joined to all others, which have no other neighbour.",
     measure_star, make_star},
    {"isolated", "n=100", "Vertices without edges; n may be 0.", measure_isolated, make_isolated},
}};

}  // namespace

std::span<generator_entry const> graph_generators() { return entries; }

}  // namespace gridloom::sparse
