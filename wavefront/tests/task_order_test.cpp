// An order gives every task one position after its predecessors, and finds their positions. Levels
// are listed where the numbering is a slow order.

#include <boost/test/unit_test.hpp>
#include <vector>

#include "gridloom/random.hpp"
#include "scheduler_checks.hpp"
#include "wavefront/ours/in_order_state.hpp"

BOOST_AUTO_TEST_SUITE(task_order_test)

using namespace gridloom;
using namespace gridloom::wavefront;
using namespace gridloom::wavefront::test;

namespace {

/// A lattice whose tasks are numbered level by level.
struct numbered_by_levels {
  diagonal_order order;
  [[nodiscard]] std::uint32_t tasks() const { return order.tasks(); }
  [[nodiscard]] short_list predecessors(std::uint32_t task) const { return order.at(task).from; }
};

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

BOOST_AUTO_TEST_CASE(a_numbering_is_slow_if_workers_wait_for_rows_that_others_hold) {
  lattice const square(500, 500, 1);
  lattice const chain(1, 3000, 1);
  for (task_rounds const rounds : {task_rounds{528, 1}, {132, 1}, {396, 32}, {2, 32}}) {
    BOOST_TEST(is_slow_in_order(square, rounds));
    BOOST_TEST(!is_slow_in_order(numbered_by_levels{diagonal_order(square)}, rounds));
    BOOST_TEST(!is_slow_in_order(chain, rounds));
  }
  // One worker never waits, and neither do workers with one task each.
  BOOST_TEST(!is_slow_in_order(square, {1, 1}));
  BOOST_TEST(!is_slow_in_order(square, {square.tasks(), 1}));
}

BOOST_AUTO_TEST_CASE(levels_are_listed_for_a_dag_that_is_numbered_by_rows) {
  device machine("host", 0);
  for (bool const by_rows : {true, false}) {
    bench on(machine, generated(by_rows ? "lattice:rows=40,cols=60" : "layered:layers=40,width=60"),
             {2, 1});
    auto config = lane_configuration("in_order", {2, 1});
    auto const bytes = [&](task_numbering numbering) {
      config.numbering = numbering;
      return on.make(config)->bytes();
    };
    auto const own = bytes(task_numbering::own);
    auto const listed = bytes(task_numbering::levels);
    BOOST_TEST(own < listed);
    BOOST_TEST(bytes(task_numbering::automatic) == (by_rows ? listed : own));
  }
}

BOOST_AUTO_TEST_SUITE_END()
