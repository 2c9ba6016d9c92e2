// Tasks of your own under any scheduler: write a body and a graph, and name the scheduler.
//
// The program eliminates a matrix of 12 × 12 tiles. One task computes one tile; it needs the tiles to
// the left of it or above it, and the diagonal. Below the diagonal are then the columns of L, and
// elsewhere the rows of U, all multiplied by their number on the diagonal: here, all of them are 1.
#include <iostream>

#include "schedulers/all.hpp"

using namespace gridloom;
constexpr int side = 32, tiles = 12, width = tiles * side;

struct elimination {
  using scratch = no_scratch;
  static constexpr int max_threads = 256;
  double* a;  // width × width, row after row

  GRIDLOOM_FN static nothing_early read(std::uint32_t /*task*/) { return {}; }
  template <thread_group Block>
  GRIDLOOM_FN void execute(Block const& block, std::uint32_t task, nothing_early, scratch&) const {
    int const at = static_cast<int>(task), row = at / tiles * side, column = at % tiles * side;
    for (int m = 0; m < row + side && m < column + side; ++m) {
      for (int k = block.thread_rank(); k < side * side; k += block.num_threads()) {
        int const r = row + k / side, c = column + k % side;
        if (m < r && m < c)
          a[r * width + c] -= a[r * width + m] * a[m * width + c] / a[m * width + m];
      }
      block.sync();
    }
  }
};

int main(int argc, char** argv) try {
  if (argc < 2 || argc > 3) throw usage_error("usage: schedulers-example NAME [auto|host|cuda]");
  std::vector<graph_edge> edges;
  for (std::uint32_t task = 0; task < tiles * tiles; ++task) {
    std::uint32_t const i = task / tiles, j = task % tiles;
    if (i <= j && i > 0) edges.push_back({task - tiles, task});
    if (j <= i && j > 0) edges.push_back({task - 1, task});
    if (i != j) edges.push_back({std::min(i, j) * (tiles + 1), task});
  }
  csr_graph const graph = graph_of_edges(tiles * tiles, edges);
  std::vector<double> numbers(width * width);
  for (int k = 0; k < width * width; ++k) numbers[k] = 1 + std::min(k / width, k % width);
  device machine(argc > 2 ? argv[2] : "auto", 0);
  auto const matrix = machine.allocate_copy(numbers);
  auto const run = schedulers::make(argv[1], machine, graph, elimination{matrix.data()});
  run->run();
  run->require_done();
  if (machine.copy_to_host(matrix) != std::vector<double>(width * width, 1))
    throw wrong_result("the matrix: expected 1 everywhere");
  std::cout << argv[1] << ": all numbers are right after " << run->finished() << " tasks\n";
} catch (std::exception const& error) {
  std::cerr << "schedulers-example: " << error.what() << '\n';
  return dynamic_cast<usage_error const*>(&error) != nullptr ? exit_usage : exit_failed;
}
