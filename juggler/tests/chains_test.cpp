// Lists in which a worker continues with children of its own tasks. They divide each wave evenly
// and are ordered. On the applications' graphs they contain long chains.

#include "juggler/ours/chains.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "apps/juggler/problem.hpp"
#include "graphs.hpp"
#include "gridloom/taskgraph/rivals/task_places.hpp"

BOOST_AUTO_TEST_SUITE(juggler_chains_test)

using namespace gridloom;
using namespace gridloom::juggler;
using namespace gridloom::juggler::test;

namespace {

/// A graph and the worker of each task.
struct dealt {
  task_dag const& dag;
  csr_graph before;
  task_groups waves;
  std::vector<std::uint32_t> worker_of;

  dealt(task_dag const& of, std::uint32_t workers)
      : dag(of),
        before(transposed(of.children)),
        waves(levels_by_number(of.children)),
        worker_of(chains_of(of.children, before, waves, workers).worker_of) {}

  /// Number of tasks whose worker also has one of their parents.
  [[nodiscard]] std::uint32_t kept() const {
    std::uint32_t found = 0;
    for (std::uint32_t t = 0; t < dag.tasks(); ++t) {
      found += std::ranges::any_of(before.of(t),
                                   [&](std::uint32_t p) { return worker_of[p] == worker_of[t]; });
    }
    return found;
  }
};

void check_even(dealt const& made, std::uint32_t workers) {
  for (std::uint32_t wave = 0; wave < made.waves.groups(); ++wave) {
    std::vector<std::uint32_t> loads(workers, 0);
    for (std::uint32_t at = made.waves.first[wave]; at < made.waves.first[wave + 1]; ++at)
      ++loads.at(made.worker_of[made.waves.tasks[at]]);
    auto const [least, most] = std::minmax_element(loads.begin(), loads.end());
    BOOST_TEST(*most - *least <= 1U);
  }
}

/// Edges between tiles. Each tile depends on those above and to the left. With `across`, it also
/// depends on the tile above left.
edge_list table(std::uint32_t rows, std::uint32_t columns, bool across) {
  edge_list made;
  for (std::uint32_t i = 0; i < rows; ++i) {
    for (std::uint32_t j = 0; j < columns; ++j) {
      std::uint32_t const own = i * columns + j;
      if (i > 0) made.emplace_back(own - columns, own);
      if (j > 0) made.emplace_back(own - 1, own);
      if (across && i > 0 && j > 0) made.emplace_back(own - columns - 1, own);
    }
  }
  return made;
}

}  // namespace

BOOST_AUTO_TEST_CASE(tables_are_made_of_rows_or_columns_whichever_are_longer) {
  for (auto const& [rows, columns] :
       {std::pair{9U, 9U}, {6U, 20U}, {20U, 6U}, {1U, 5U}, {5U, 1U}}) {
    for (bool const across : {false, true}) {
      BOOST_TEST_CONTEXT(rows << " x " << columns << (across ? ", across" : "")) {
        task_dag const dag = dag_of(rows * columns, table(rows, columns, across));
        dealt const made(dag, 32);
        for (std::uint32_t i = 0; i < rows; ++i) {
          for (std::uint32_t j = 0; j < columns; ++j) {
            std::uint32_t const first = rows <= columns ? i * columns : j;
            BOOST_TEST(made.worker_of[i * columns + j] == made.worker_of[first]);
          }
        }
        // If each worker has a row, each tile below the first row waits for one word: that of the
        // tile above. The same holds for columns.
        task_places const waits = places_of(made.before, dealt_to(32, made.waves, made.worker_of));
        BOOST_TEST(waits.parents.size() == rows * columns - std::max(rows, columns));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(large_graphs_take_the_better_of_two_ways_dealt_at_once) {
  for (auto const& [rows, columns] : {std::pair{300U, 60U}, {60U, 300U}}) {
    task_dag const dag = dag_of(rows * columns, table(rows, columns, false));
    csr_graph const before = transposed(dag.children);
    task_groups const waves = levels_by_number(dag.children);
    task_owners const first = chains_by(heir::first_child, dag.children, before, waves, 40);
    task_owners const last = chains_by(heir::last_child, dag.children, before, waves, 40);
    BOOST_TEST_REQUIRE(first.makespan != last.makespan);
    task_owners const made = chains_of(dag.children, before, waves, 40);
    BOOST_TEST(made.makespan == std::min(first.makespan, last.makespan));
    BOOST_TEST(
        (made.worker_of == (first.makespan < last.makespan ? first.worker_of : last.worker_of)));
  }
}

BOOST_AUTO_TEST_CASE(tasks_of_a_step_stay_with_the_workers_of_the_step_before) {
  for (std::uint32_t const workers : {3U, 7U, 40U, 64U}) {
    task_dag const dag = dag_of(240, edges_of("stencil_1d:width=40,steps=6"));
    dealt const made(dag, workers);
    check_even(made, workers);
    for (std::uint32_t t = 40; t < 240; ++t)
      BOOST_TEST(made.worker_of[t] == made.worker_of[t - 40]);
  }
}

BOOST_AUTO_TEST_CASE(
    tiles_of_a_matrix_stay_with_their_workers_over_the_steps_of_its_decomposition) {
  device machine("host", 0);
  constexpr std::uint32_t tiles = 8;
  auto const given = lud::make_input(8 * tiles, 1);
  auto const of = make_lud(machine, given, 8);
  dealt const made(of->dag(), tiles * tiles);
  // A step has one diagonal tile, two panels of m tiles, and m × m updates.
  std::vector<std::uint32_t> before;
  std::uint32_t first = 0;
  for (std::uint32_t m = tiles - 1; m > 0; --m) {
    std::uint32_t const updates = first + 1 + 2 * m;
    // Outside the first row and column, an update has the worker that updated the same tile in the
    // step before. With m = 2 this may fail: there are as many panel tiles as updates, so heirs are
    // chosen by place.
    for (std::uint32_t i = 1; !before.empty() && m > 2 && i < m; ++i) {
      for (std::uint32_t j = 1; j < m; ++j)
        BOOST_TEST(made.worker_of[updates + i * m + j] == before[(i + 1) * (m + 1) + j + 1]);
    }
    before.assign(made.worker_of.begin() + updates, made.worker_of.begin() + updates + m * m);
    first = updates + m * m;
  }
}

BOOST_AUTO_TEST_CASE(heirs_by_hand) {
  auto const owners = [](task_dag const& dag, std::uint32_t workers) {
    auto const before = transposed(dag.children);
    return chains_by(heir::first_child, dag.children, before, levels_by_number(dag.children),
                     workers)
        .worker_of;
  };
  // Task 3 is the heir of tasks 0 and 1, and goes to the worker of task 1, which has room.
  BOOST_TEST(owners(dag_of(5, {{0, 3}, {0, 4}, {1, 3}}), 3) ==
             (std::vector<std::uint32_t>{0, 1, 2, 1, 0}));
  // Task 4, in a later wave, is the heir of task 0, and task 3 is the heir of task 2.
  BOOST_TEST(owners(dag_of(7, {{1, 2}, {2, 3}, {2, 4}, {2, 5}, {2, 6}, {0, 4}}), 2) ==
             (std::vector<std::uint32_t>{0, 1, 1, 1, 0, 1, 0}));
}

BOOST_AUTO_TEST_CASE(every_wave_is_dealt_evenly_and_always_the_same_way) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto const tasks = static_cast<std::uint32_t>(1 + 60 * (seed - 1));
    task_dag const dag = dag_of(tasks, random_edges(tasks, seed));
    for (std::uint32_t const workers : {1U, 2U, 8U, 133U}) {
      BOOST_TEST_CONTEXT("seed " << seed << ", workers " << workers) {
        dealt const made(dag, workers);
        check_even(made, workers);
        BOOST_TEST(made.worker_of == dealt(dag, workers).worker_of);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(the_choice_uses_the_makespan_of_the_lists) {
  // Two chains of three tasks, with an edge from 1 to 5 between them.
  task_dag const dag = dag_of(6, {{0, 1}, {1, 2}, {3, 4}, {4, 5}, {1, 5}});
  csr_graph const before = transposed(dag.children);
  task_groups const waves = levels_by_number(dag.children);
  BOOST_TEST(chains_by(heir::first_child, dag.children, before, waves, 1).makespan == 24U);
  BOOST_TEST(chains_by(heir::first_child, dag.children, before, waves, 2).makespan == 13U);
  BOOST_TEST(chains_of(dag.children, before, waves, 2).makespan ==
             std::min(chains_by(heir::first_child, dag.children, before, waves, 2).makespan,
                      chains_by(heir::last_child, dag.children, before, waves, 2).makespan));
}

BOOST_AUTO_TEST_CASE(applications_keep_most_tasks_with_a_parent) {
  device machine("host", 0);
  auto const image = std::make_shared<grey_image const>(make_image(120, 120, 255, 1));
  auto const series = dtw::make_input(120, 1, false);
  auto const sequences = sw::make_input(120, 1, sw::nucleotides(2, -3, 5, 2));
  auto const check = [](char const* name, problem const& of, std::uint32_t workers, double share) {
    BOOST_TEST_CONTEXT(name << ", workers " << workers) {
      dealt const made(of.dag(), workers);
      check_even(made, workers);
      BOOST_TEST(made.kept() >= share * of.dag().tasks());
    }
  };
  // There are 15 × 15 tiles; jacobi has 5 × 5. Tasks stay with a parent's worker, except the first
  // task of each row (in jacobi, of each tile).
  for (std::uint32_t const workers : {16U, 32U}) {
    check("dtw", *make_dtw(machine, series, 8), workers, 14.0 / 15);
    check("sw", *make_sw(machine, sequences, 8), workers, 14.0 / 15);
    check("sat", *make_sat(machine, image, 8), workers, 14.0 / 15);
    check("int_hist", *make_int_hist(machine, image, 8, 4), workers, 14.0 / 15);
    check("heat", *make_heat(machine, 120, 8, 1, 1), workers, 14.0 / 15);
    check("jacobi", *make_jacobi(machine, 40, 8, 4, 1), workers, 7.0 / 8);
    check("lud", *make_lud(machine, lud::make_input(120, 1), 8), workers, 0.75);
  }
  // Now there are fewer workers than tasks that could run at the same time.
  for (std::uint32_t const workers : {2U, 7U}) {
    check("dtw", *make_dtw(machine, series, 8), workers, 0.9);
    check("jacobi", *make_jacobi(machine, 40, 8, 4, 1), workers, 7.0 / 8);
    check("lud", *make_lud(machine, lud::make_input(120, 1), 8), workers, 0.75);
  }
}

BOOST_AUTO_TEST_SUITE_END()
