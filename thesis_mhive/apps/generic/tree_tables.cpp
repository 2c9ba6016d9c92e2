#include "tree_tables.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "execution_tree.hpp"

namespace gridloom::mhive::generic {

static_assert(tree_tables::most_nodes == most_tasks && tree_tables::most_edges == most_transitions);

namespace {

// Returns the threshold that ceil(p * 2^64) of the 2^64 words do not exceed. These are all words
// for p = 1, and at least one for any p > 0. The product only changes the exponent, so nothing is
// rounded before ceil.
std::uint64_t threshold_of(double probability) {
  double const words = std::ceil(std::ldexp(probability, 64));
  if (words >= 0x1p64) return std::numeric_limits<std::uint64_t>::max();
  return static_cast<std::uint64_t>(words) - 1;
}

}  // namespace

tree_tables make_tables(execution_tree const& tree) {
  if (tree.num_tasks() == 0 || !is_in_topological_order(tree)) {
    throw std::invalid_argument("make_tables: the tree must be numbered in topological order");
  }
  tree_tables tables{};
  tables.num_nodes = tree.num_tasks();
  tables.num_edges = static_cast<std::int32_t>(tree.transitions().size());
  for (int edge = 0; edge < tables.num_edges; ++edge) {
    transition const& source = tree.transitions()[static_cast<std::size_t>(edge)];
    tables.threshold[edge] = threshold_of(source.probability);
    tables.from[edge] = static_cast<std::uint8_t>(source.from);
    tables.to[edge] = static_cast<std::uint8_t>(source.to);
  }
  int in = 0;
  int out = 0;
  for (int node = 0; node < tables.num_nodes; ++node) {
    task_definition const& task = tree.tasks()[static_cast<std::size_t>(node)];
    tables.flops[node] = task.flops;
    tables.worker_size[node] = static_cast<std::int16_t>(task.worker_size);
    tables.phase[node] = static_cast<std::uint8_t>(task.phase);
    if (tree.is_root(node)) tables.roots |= 1U << node;
    while (in < tables.num_edges && tables.to[in] == node) ++in;
    tables.first_in[node + 1] = static_cast<std::uint8_t>(in);
    for (int edge = 0; edge < tables.num_edges; ++edge) {
      if (tables.from[edge] == node) tables.out_edge[out++] = static_cast<std::uint8_t>(edge);
    }
    tables.first_out[node + 1] = static_cast<std::uint8_t>(out);
  }
  return tables;
}

}  // namespace gridloom::mhive::generic
