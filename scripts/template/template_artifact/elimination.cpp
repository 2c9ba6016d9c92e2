#include "template_artifact/elimination.hpp"

#include <algorithm>

#include "schedulers/all.hpp"

namespace gridloom::template_artifact {

csr_graph graph_of(int tiles) {
  auto const n = static_cast<std::uint32_t>(tiles);
  std::vector<graph_edge> edges;
  for (std::uint32_t task = 0; task < n * n; ++task) {
    std::uint32_t const i = task / n, j = task % n;
    if (i <= j && i > 0) edges.push_back({task - n, task});
    if (j <= i && j > 0) edges.push_back({task - 1, task});
    if (i != j) edges.push_back({std::min(i, j) * (n + 1), task});
  }
  return graph_of_edges(n * n, edges);
}

std::vector<double> matrix_of(int tiles) {
  int const n = tiles * side;
  std::vector<double> numbers;
  for (int k = 0; k < n * n; ++k) numbers.push_back(1 + std::min(k / n, k % n));
  return numbers;
}

std::vector<schedulers::scheduler<elimination>> const& all_schedulers() {
  static auto const all = schedulers::all<elimination>();
  return all;
}

}  // namespace gridloom::template_artifact
