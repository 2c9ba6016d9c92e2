// Graphs with the applications' shapes: formulas for their numbers of tasks and edges, and large
// graphs.

#include <algorithm>

#include "dag_scene.hpp"

BOOST_AUTO_TEST_SUITE(juggler_dag_patterns_test)

using namespace gridloom::juggler;
using namespace gridloom::juggler::test;

namespace {

/// Tiles of `size` elements of one array, row by row.
struct tiles {
  context& tasks;
  float const* array;
  std::int64_t columns;
  std::int64_t size = 4;

  void in(task_id task, std::int64_t i, std::int64_t j) const {
    tasks.process_in_dep(task, array, (i * columns + j) * size, size);
  }
  void out(task_id task, std::int64_t i, std::int64_t j) const {
    tasks.process_out_dep(task, array, (i * columns + j) * size, size);
  }
  void inout(task_id task, std::int64_t i, std::int64_t j) const {
    tasks.process_inout_dep(task, array, (i * columns + j) * size, size);
  }
};

/// The address of an array. Different numbers give arrays that do not overlap.
float const* some_array(std::uintptr_t number) {
  return reinterpret_cast<float const*>((number + 1) << 32U);
}

/// The graph of SW and DTW: a tile depends on those above, to the left, and above left.
void inspect_wavefront(context& tasks, std::int64_t rows, std::int64_t columns) {
  tiles const of{tasks, some_array(0), columns};
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      task_id const task = tasks.add_task(0);
      if (i > 0) of.in(task, i - 1, j);
      if (j > 0) of.in(task, i, j - 1);
      if (i > 0 && j > 0) of.in(task, i - 1, j - 1);
      of.inout(task, i, j);
    }
  }
}

/// Sweeps of a five-point stencil over n x n tiles from one array to another and back.
void inspect_jacobi(context& tasks, std::int64_t n, std::int64_t sweeps) {
  for (std::int64_t sweep = 0; sweep < sweeps; ++sweep) {
    tiles const from{tasks, some_array(sweep % 2 == 0 ? 0 : 1), n};
    tiles const to{tasks, some_array(sweep % 2 == 0 ? 1 : 0), n};
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        task_id const task = tasks.add_task(0);
        from.in(task, i, j);
        if (i > 0) from.in(task, i - 1, j);
        if (j > 0) from.in(task, i, j - 1);
        if (i + 1 < n) from.in(task, i + 1, j);
        if (j + 1 < n) from.in(task, i, j + 1);
        to.out(task, i, j);
      }
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_wavefront_has_an_edge_for_each_neighbour) {
  for (auto const& [rows, columns] : {std::pair{1, 1}, {1, 7}, {5, 3}, {90, 90}}) {
    context tasks;
    inspect_wavefront(tasks, rows, columns);
    auto const edges = static_cast<std::size_t>((rows - 1) * columns + rows * (columns - 1) +
                                                (rows - 1) * (columns - 1));
    BOOST_TEST(edges_of(tasks).size() == edges);
    BOOST_TEST(tasks.dag().ready == std::vector<std::uint32_t>{0});
  }
}

BOOST_AUTO_TEST_CASE(jacobi_waits_for_neighbours_and_for_the_sweep_before_the_last) {
  for (std::uint64_t const n : {1U, 2U, 6U, 30U}) {
    for (std::uint64_t const sweeps : {1U, 2U, 3U, 4U}) {
      context tasks;
      inspect_jacobi(tasks, static_cast<std::int64_t>(n), static_cast<std::int64_t>(sweeps));
      // A task reads the results of the tasks that have read the old values of its own tile. So one
      // edge serves both dependences.
      std::uint64_t const edges =
          (sweeps - 1) * (5 * n * n - 4 * n) + (sweeps > 2 ? (sweeps - 2) * n * n : 0);
      BOOST_TEST(edges_of(tasks).size() == edges);
      BOOST_TEST(tasks.dag().ready.size() == n * n);
    }
  }
}

BOOST_AUTO_TEST_CASE(halo_rows_give_the_same_graph_as_whole_neighbours) {
  constexpr std::int64_t blocks = 9;
  constexpr std::int64_t rows = 5;
  constexpr std::int64_t width = 64;
  constexpr std::int64_t all = blocks * rows;
  auto const inspect = [&](std::int64_t halo, range_matching matching) {
    context tasks(0, 0, matching);
    for (std::uintptr_t const field : {0U, 1U}) {
      tasks.declare_array(some_array(field), all * width);
    }
    for (std::uintptr_t sweep = 0; sweep < 4; ++sweep) {
      for (std::int64_t first = 0; first < all; first += rows) {
        task_id const task = tasks.add_task(0);
        std::int64_t const above = std::max<std::int64_t>(first - halo, 0);
        std::int64_t const below = std::min(first + rows + halo, all);
        tasks.process_in_dep(task, some_array(sweep % 2), above * width, (below - above) * width);
        tasks.process_out_dep(task, some_array((sweep + 1) % 2), first * width, rows * width);
      }
    }
    return edges_of(tasks);
  };
  auto const overlapping = range_matching::overlapping;
  BOOST_TEST(inspect(1, overlapping).size() == 3U * (3 * blocks - 2) + 2 * blocks);
  BOOST_TEST((inspect(1, overlapping) == inspect(rows, overlapping)));
  BOOST_TEST((inspect(1, overlapping) != inspect(rows + 1, overlapping)));
  // The paper's rule does not see that halos are parts of blocks. Only the writers of one block
  // follow each other.
  BOOST_TEST(inspect(1, range_matching::one_to_one).size() == 2 * blocks);
}

BOOST_AUTO_TEST_CASE(a_task_may_have_a_hundred_thousand_children) {
  constexpr std::uint32_t readers = 100000;
  context tasks(readers + 2);
  float const* const array = some_array(0);
  tasks.process_out_dep(tasks.add_task(0), array, 0, 10);
  for (std::uint32_t i = 0; i < readers; ++i) tasks.process_in_dep(tasks.add_task(0), array, 0, 10);
  tasks.process_inout_dep(tasks.add_task(0), array, 0, 10);
  tasks.build_csr();
  task_dag const& dag = tasks.dag();
  BOOST_TEST(dag.children.row_offsets[1] == readers + 1);
  BOOST_TEST(
      std::is_sorted(dag.children.columns.begin(), dag.children.columns.begin() + readers + 1));
  BOOST_TEST(dag.parents.back() == readers + 1);
  BOOST_TEST(dag.children.edges() == 2U * readers + 1);
}

// An implementation with cost quadratic in the readers would take too long here.
BOOST_AUTO_TEST_CASE(a_million_readers_of_one_range_are_a_million_edges_once) {
  constexpr std::uint32_t readers = 1000000;
  context tasks(readers + 2);
  float const* const array = some_array(0);
  for (std::uint32_t i = 0; i < readers; ++i) {
    task_id const task = tasks.add_task(0);
    for (int again = 0; again < 3; ++again) tasks.process_in_dep(task, array, 0, 1000);
  }
  for (int writer = 0; writer < 2; ++writer) {
    task_id const task = tasks.add_task(0);
    // A thousand segments that share one list of readers.
    for (int piece = 0; piece < 1000; ++piece) tasks.process_out_dep(task, array, piece, 1);
  }
  tasks.build_csr();
  BOOST_TEST(tasks.dag().children.edges() == readers + 1U);
  BOOST_TEST(tasks.dag().parents.back() == 1U);
}

BOOST_AUTO_TEST_CASE(a_million_tasks_on_a_million_tiles) {
  constexpr std::uint64_t n = 1000;
  context tasks(n * n, 3 * n * n);
  inspect_wavefront(tasks, n, n);
  tasks.build_csr();
  BOOST_TEST(tasks.dag().children.edges() == 2 * n * (n - 1) + (n - 1) * (n - 1));
}

BOOST_AUTO_TEST_SUITE_END()
