// Random graphs with an exact number of entries: uniform and scale-free.

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <utility>

#include "edges.hpp"
#include "generators.hpp"
#include "gridloom/random.hpp"

namespace gridloom::sparse {
namespace {

// Number of edges of a graph with `nnz` entries. Refuses odd numbers, and numbers of edges below
// `least` or above `most`.
std::uint64_t read_edges(generator_arguments const& arguments, std::uint64_t least,
                         std::uint64_t most) {
  std::uint64_t const nnz = arguments.whole("nnz", 0, saturated);
  if (nnz % 2 != 0 || nnz / 2 < least || nnz / 2 > most) {
    arguments.refuse("nnz", "an even number from " + std::to_string(2 * least) + " to " +
                                std::to_string(2 * most));
  }
  return nnz / 2;
}

extent measure_random(generator_arguments const& arguments) {
  std::uint64_t const n = arguments.whole("n", 1);
  std::uint64_t const edges = read_edges(arguments, 0, most_edges(n));
  return {n, 2 * edges, false, plus(times(edges, 2 * sizeof(std::uint64_t)), times(n, 8))};
}

any_csr make_random(generator_arguments const& arguments, std::uint64_t seed) {
  extent const size = measure_random(arguments);
  auto const n = static_cast<std::uint32_t>(size.rows);
  random_source source{seed};
  return symmetric_pattern(n, random_edges(n, size.entries / 2, source), false);
}

// A set of edges with open addressing. The word 0, which is no edge, marks free places.
class edge_set {
 public:
  static std::uint64_t places_for(std::uint64_t edges) {
    return std::bit_ceil(std::max<std::uint64_t>(2 * edges, 2));
  }

  explicit edge_set(std::uint64_t edges) : places_(places_for(edges)) {}

  /// Returns false if the set already has the edge.
  bool insert(std::uint64_t edge) {
    std::uint64_t const last = places_.size() - 1;
    std::uint64_t place = random_source{edge}.next() & last;
    for (; places_[place] != 0; place = (place + 1) & last) {
      if (places_[place] == edge) return false;
    }
    places_[place] = edge;
    return true;
  }

  /// The edges in ascending order.
  [[nodiscard]] std::vector<std::uint64_t> sorted() && {
    std::erase(places_, std::uint64_t{0});
    std::sort(places_.begin(), places_.end());
    return std::move(places_);
  }

 private:
  std::vector<std::uint64_t> places_;
};

extent measure_scale_free(generator_arguments const& arguments) {
  std::uint64_t const n = arguments.whole("n", 1);
  // More than half of all edges are refused, because degrees would hardly differ.
  std::uint64_t const edges = read_edges(arguments, n - 1, std::max(n - 1, most_edges(n) / 2));
  // For more edges, which do not fit into memory anyway, bit_ceil could overflow.
  std::uint64_t const places =
      edges > most_rows * 4 ? saturated : edge_set::places_for(edges) * sizeof(std::uint64_t);
  return {n, 2 * edges, false, plus(plus(places, times(edges, 8)), times(n, 8))};
}

// Preferential attachment with edges among old vertices (Dorogovtsev and Mendes, "Scaling behaviour
// of developing and decaying networks", 2000). Every new vertex gets one edge to an old one, which
// keeps the graph connected. Further edges join two old vertices, at a constant rate per new
// vertex. All ends are chosen in proportion to their degree. With b further edges per vertex, the
// exponent of the degrees is 2 + 1 / (1 + 2 b) as long as repeated edges are rare.
any_csr make_scale_free(generator_arguments const& arguments, std::uint64_t seed) {
  extent const size = measure_scale_free(arguments);
  auto const n = static_cast<std::uint32_t>(size.rows);
  std::uint64_t const edges = size.entries / 2;
  random_source source{seed};
  edge_set found{edges};
  // Every vertex occurs here once per edge, so a uniform choice is proportional to the degree.
  std::vector<std::uint32_t> ends;
  ends.reserve(2 * edges);
  auto const join = [&](std::uint32_t u, std::uint32_t v) {
    if (u == v || !found.insert(edge_of(u, v))) return false;
    ends.push_back(u);
    ends.push_back(v);
    return true;
  };
  auto const by_degree = [&] { return ends[source.below(ends.size())]; };
  std::uint64_t const further = edges - (n - 1);
  std::uint64_t joined = 0;
  for (std::uint32_t vertex = 1; vertex < n; ++vertex) {
    join(vertex == 1 ? 0 : by_degree(), vertex);
    std::uint64_t const due = further * vertex / (n - 1) - joined;
    // A few old vertices soon have all possible edges. Edges that find no place are tried later.
    for (std::uint64_t attempt = 0, made = 0; made < due && attempt < 2 * due + 8; ++attempt) {
      std::uint32_t const u = by_degree();
      if (join(u, by_degree())) ++made, ++joined;
    }
  }
  // Dense graphs may still lack edges. The last edges join any two vertices.
  while (joined < further) {
    std::uint64_t const edge = random_edge(n, source);
    if (join(lower_end(edge), upper_end(edge))) ++joined;
  }
  return symmetric_pattern(n, std::move(found).sorted(), false);
}

constexpr std::array<generator_entry, 3> entries{{
    {"random", "n=10000,nnz=100000", "Uniformly random graph with exactly nnz entries.",
     measure_random, make_random},
    {"rgg", "n=10000,degree=12,radius=0",
     "Random points of the unit square, joined up to `radius`, or up to the radius for which the "
     "expected degree is `degree`.",
     measure_geometric, make_geometric},
    {"scale_free", "n=10000,nnz=50000",
     "Connected graph of exactly nnz entries with a heavy tail of degrees: n=1134890,nnz=5975248 "
     "is the size of com-Youtube.",
     measure_scale_free, make_scale_free},
}};

}  // namespace

std::span<generator_entry const> random_generators() { return entries; }

}  // namespace gridloom::sparse
