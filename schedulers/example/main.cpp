// Tasks of your own under any scheduler: write a body and a graph, and name the schedulers.
//
// The program eliminates a matrix of 12 × 12 tiles. One task computes one tile; it needs the tiles to
// the left of it or above it, and the diagonal. Below the diagonal are then the columns of L, and
// elsewhere the rows of U, all multiplied by their number on the diagonal: here, all of them are 1.
#include <iostream>

#include "schedulers/all.hpp"
#include "schedulers/program.hpp"

using namespace gridloom;
constexpr int side = 32, tiles = 12, dim = tiles * side;

// The body: one task, executed by all threads of a block.
struct elimination : schedulers::plain_tasks {
  double* a;  // dim × dim, row after row

  template <thread_group Block>
  GRIDLOOM_FN void execute(Block const& block, std::uint32_t task, nothing_early, scratch&) const {
    int const at = static_cast<int>(task), row = at / tiles * side, column = at % tiles * side;
    for (int m = 0; m < row + side && m < column + side; ++m) {
      for (int k = block.thread_rank(); k < side * side; k += block.num_threads()) {
        int const r = row + k / side, c = column + k % side;
        if (m < r && m < c) a[r * dim + c] -= a[r * dim + m] * a[m * dim + c] / a[m * dim + m];
      }
      block.sync();
    }
  }
};

void eliminate(std::string_view scheduler, device& machine) {
  std::vector<graph_edge> edges;
  for (std::uint32_t task = 0; task < tiles * tiles; ++task) {
    std::uint32_t const i = task / tiles, j = task % tiles;
    if (i <= j && i > 0) edges.push_back({task - tiles, task});
    if (j <= i && j > 0) edges.push_back({task - 1, task});
    if (i != j) edges.push_back({std::min(i, j) * (tiles + 1), task});
  }
  csr_graph const graph = graph_of_edges(tiles * tiles, edges);
  std::vector<double> numbers(dim * dim);
  for (int k = 0; k < dim * dim; ++k) numbers[k] = 1 + std::min(k / dim, k % dim);
  auto const matrix = machine.allocate_copy(numbers);
  auto const run = schedulers::make(scheduler, machine, graph, elimination{{}, matrix.data()});
  run->run();
  run->require_done();
  if (machine.copy_to_host(matrix) != std::vector<double>(dim * dim, 1))
    throw wrong_result("the matrix: expected 1 everywhere");
  std::cout << scheduler << ": all numbers are right after " << run->finished() << " tasks\n";
}

int main(int argc, char** argv) { return schedulers::run_named<eliminate>(argc, argv); }
