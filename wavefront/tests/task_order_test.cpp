// An order gives every task one position after its predecessors, and finds their positions.

#include <boost/test/unit_test.hpp>
#include <vector>

#include "gridloom/random.hpp"
#include "ours/task_order.hpp"

BOOST_AUTO_TEST_SUITE(task_order_test)

using namespace gridloom;
using namespace gridloom::wavefront;

namespace {

/// Computes the position of a cell by counting the tasks of all earlier levels.
class counted_waves {
 public:
  explicit counted_waves(lattice graph) : graph_(graph) {
    std::uint64_t before = 0;
    for (std::uint32_t wave = 0; wave < graph.rows() + graph.cols() - 1; ++wave) {
      before_.push_back(before);
      before += last_row(wave) - first_row(wave) + 1;
    }
  }
  [[nodiscard]] std::uint64_t position(std::uint32_t row, std::uint32_t col) const {
    return before_[row + col] + (row - first_row(row + col));
  }

 private:
  [[nodiscard]] std::uint32_t first_row(std::uint32_t wave) const {
    return wave < graph_.cols() ? 0 : wave - graph_.cols() + 1;
  }
  [[nodiscard]] std::uint32_t last_row(std::uint32_t wave) const {
    return std::min(wave, graph_.rows() - 1);
  }
  lattice graph_;
  std::vector<std::uint64_t> before_;
};

void check_place(diagonal_order const& order, counted_waves const& waves, lattice graph,
                 std::uint32_t row, std::uint32_t col) {
  auto const position = waves.position(row, col);
  auto const at = order.at(static_cast<std::uint32_t>(position));
  std::vector<std::uint64_t> expected;
  if (row > 0) expected.push_back(waves.position(row - 1, col));
  if (col > 0) expected.push_back(waves.position(row, col - 1));
  bool right = at.task == row * graph.cols() + col && at.from.size() == expected.size();
  for (std::uint32_t k = 0; right && k < expected.size(); ++k)
    right = at.from[k] == expected[k] && expected[k] < position;
  BOOST_TEST(right,
             "cell " << row << ", " << col << " of " << graph.rows() << " x " << graph.cols());
}

}  // namespace

BOOST_AUTO_TEST_CASE(levels_of_small_lattices_are_in_their_positions) {
  for (std::uint32_t rows = 1; rows < 12; ++rows) {
    for (std::uint32_t cols = 1; cols < 12; ++cols) {
      lattice const graph(rows, cols, 1);
      counted_waves const waves(graph);
      diagonal_order const order(graph);
      BOOST_TEST(order.tasks() == rows * cols);
      for (std::uint32_t task = 0; task < rows * cols; ++task)
        check_place(order, waves, graph, task / cols, task % cols);
    }
  }
}

BOOST_AUTO_TEST_CASE(levels_of_the_largest_lattices_are_not_off_by_rounding) {
  random_source random(7);
  for (auto const& [rows, cols] :
       {std::pair{46340U, 46340U}, std::pair{46000U, 46684U}, std::pair{60000U, 35791U},
        std::pair{3U, 715827882U}, std::pair{2147483647U, 1U}, std::pair{10000U, 10000U}}) {
    lattice const graph(rows, cols, 1);
    if (rows > 100000 || cols > 100000) {
      // There are too many waves to list.
      diagonal_order const order(graph);
      auto const last = order.at(order.tasks() - 1);
      BOOST_TEST(last.task == order.tasks() - 1);
      BOOST_TEST(last.from[last.from.size() - 1] == order.tasks() - 2);
      continue;
    }
    counted_waves const waves(graph);
    diagonal_order const order(graph);
    for (int k = 0; k < 20000; ++k)
      check_place(order, waves, graph, static_cast<std::uint32_t>(random.below(rows)),
                  static_cast<std::uint32_t>(random.below(cols)));
    // The first and the last task of waves in both corners.
    for (std::uint32_t wave = 0; wave < std::min(rows, cols); wave += 97) {
      check_place(order, waves, graph, wave, 0);
      check_place(order, waves, graph, 0, wave);
      check_place(order, waves, graph, rows - 1 - wave, cols - 1);
      check_place(order, waves, graph, rows - 1, cols - 1 - wave);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
