// Random geometric graph: points in the unit square, joined if their distance is at most a radius
// (Penrose, Random Geometric Graphs, 2003). Coordinates are multiples of 2^-31, so that no edge
// depends on rounding. Vertices are numbered by the cells of a grid, whose sides are at least the
// radius. So the neighbours of a vertex are in at most three contiguous ranges, already in order.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "generators.hpp"
#include "gridloom/random.hpp"

namespace gridloom::sparse {

namespace {

constexpr std::uint64_t side = std::uint64_t{1} << 31U;

// The probability that two uniform points of the unit square are within `radius` <= 1:
// pi r^2 - 8/3 r^3 + r^4 / 2. std::fma rounds in the same way on every machine.
double chance_within(std::uint64_t radius) {
  double const r = static_cast<double>(radius) / static_cast<double>(side);
  constexpr double pi = 3.141592653589793;
  return r * r * std::fma(r, std::fma(r, 0.5, -8.0 / 3.0), pi);
}

// The radius in units of 2^-31.
std::uint64_t read_radius(generator_arguments const& arguments) {
  std::uint64_t const n = arguments.whole("n", 1);
  if (arguments.is_given("radius")) {
    if (arguments.is_given("degree")) arguments.refuse("radius", "either degree or radius");
    return static_cast<std::uint64_t>(arguments.real("radius", 0.0, 1.0) *
                                      static_cast<double>(side));
  }
  double const others = static_cast<double>(n - 1);
  double const degree = arguments.real("degree", 0.0, std::max(1.0, others * chance_within(side)));
  // Finds the smallest radius with the expected degree.
  std::uint64_t low = 0;
  std::uint64_t high = side;
  while (low < high) {
    std::uint64_t const middle = (low + high) / 2;
    if (others * chance_within(middle) >= degree) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

struct point {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
};

struct point_cells {
  // Number of cells along each side.
  std::uint64_t cells = 1;
  // The points, ordered by cell.
  std::vector<point> points;
  // Index of the first point of each cell; the last entry is the number of points.
  std::vector<std::uint64_t> begins;
};

point_cells draw_points(std::uint64_t n, std::uint64_t radius, random_source& source) {
  point_cells drawn;
  drawn.cells = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(n)));
  if (radius > 0) drawn.cells = std::min(drawn.cells, side / radius);
  auto const cell_of = [&](point p) {
    return (p.y * drawn.cells >> 31U) * drawn.cells + (p.x * drawn.cells >> 31U);
  };
  std::vector<point> unordered(n);
  drawn.begins.assign(drawn.cells * drawn.cells + 1, 0);
  for (point& p : unordered) {
    std::uint64_t const word = source.next();
    p = {static_cast<std::uint32_t>(word >> 33U), static_cast<std::uint32_t>(word & (side - 1))};
    ++drawn.begins[cell_of(p) + 1];
  }
  for (std::size_t i = 1; i < drawn.begins.size(); ++i) drawn.begins[i] += drawn.begins[i - 1];
  std::vector<std::uint64_t> next = drawn.begins;
  drawn.points.resize(n);
  for (point const p : unordered) drawn.points[next[cell_of(p)]++] = p;
  return drawn;
}

// Calls see(vertex, neighbour) for every entry in ascending order of rows and columns.
template <typename See>
void for_each_entry(point_cells const& drawn, std::uint64_t radius, See see) {
  std::uint64_t const cells = drawn.cells;
  auto const is_near = [&](point a, point b) {
    std::int64_t const dx = std::int64_t{a.x} - std::int64_t{b.x};
    std::int64_t const dy = std::int64_t{a.y} - std::int64_t{b.y};
    return static_cast<std::uint64_t>(dx * dx + dy * dy) <= radius * radius;
  };
  for (std::uint64_t cell = 0; cell < cells * cells; ++cell) {
    std::uint64_t const x = cell % cells;
    std::uint64_t const y = cell / cells;
    std::uint64_t const left = x == 0 ? x : x - 1;
    std::uint64_t const right = std::min(x + 1, cells - 1);
    for (std::uint64_t v = drawn.begins[cell]; v < drawn.begins[cell + 1]; ++v) {
      for (std::uint64_t row = y == 0 ? y : y - 1; row <= std::min(y + 1, cells - 1); ++row) {
        std::uint64_t const last = drawn.begins[row * cells + right + 1];
        for (std::uint64_t u = drawn.begins[row * cells + left]; u < last; ++u) {
          if (u != v && is_near(drawn.points[u], drawn.points[v])) see(v, u);
        }
      }
    }
  }
}

// Graphs of simple shape with extreme diameters and degrees, for breadth-first searches.

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

extent measure_geometric(generator_arguments const& arguments) {
  std::uint64_t const n = arguments.whole("n", 1);
  double const expected =
      static_cast<double>(n) * static_cast<double>(n - 1) * chance_within(read_radius(arguments));
  constexpr std::uint64_t bytes_a_point = 2 * sizeof(point) + 2 * sizeof(std::uint64_t);
  return {n, static_cast<std::uint64_t>(expected), false, times(n, bytes_a_point)};
}

any_csr make_geometric(generator_arguments const& arguments, std::uint64_t seed) {
  std::uint64_t const n = arguments.whole("n", 1);
  std::uint64_t const radius = read_radius(arguments);
  random_source source{seed};
  point_cells const drawn = draw_points(n, radius, source);

  csr_matrix<no_value> pattern;
  pattern.num_rows = pattern.num_cols = static_cast<std::uint32_t>(n);
  pattern.row_offsets.assign(n + 1, 0);
  for_each_entry(drawn, radius,
                 [&](std::uint64_t v, std::uint64_t) { ++pattern.row_offsets[v + 1]; });
  for (std::uint64_t v = 0; v < n; ++v) pattern.row_offsets[v + 1] += pattern.row_offsets[v];
  pattern.columns.resize(pattern.row_offsets.back());
  std::uint64_t at = 0;
  for_each_entry(drawn, radius, [&](std::uint64_t, std::uint64_t u) {
    pattern.columns[at++] = static_cast<std::uint32_t>(u);
  });
  return pattern;
}

std::span<generator_entry const> graph_generators() { return entries; }

}  // namespace gridloom::sparse
