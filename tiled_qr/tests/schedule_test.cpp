// Tests values that are known before a run (numbers of tasks, levels, simulated schedules), and
// compares atomic_grid.hpp with the report's grid.

#include "ours/schedule.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <numeric>
#include <set>
#include <vector>

#include "gridloom/atomic.hpp"
#include "gridloom/error.hpp"
#include "gridloom/group.hpp"
#include "gridloom/random.hpp"
#include "ours/atomic_grid.hpp"
#include "tiled_qr/task_grid.hpp"

BOOST_AUTO_TEST_SUITE(schedule_test)

using namespace gridloom;
using namespace gridloom::tiled_qr;

namespace {

constexpr tiling cuts[] = {{1, 1, 1}, {1, 7, 1}, {7, 1, 1}, {2, 2, 1},
                           {5, 5, 1}, {9, 4, 1}, {4, 9, 1}};

/// Returns the place of each task in an order. Checks that the order has every task once.
std::vector<std::size_t> places_of(tiling const& cut, std::vector<std::uint32_t> const& order) {
  std::vector<std::size_t> places(count_tasks(cut), order.size());
  BOOST_TEST_REQUIRE(order.size() == places.size());
  for (std::size_t at = 0; at < order.size(); ++at) places[order[at]] = at;
  BOOST_TEST(std::count(places.begin(), places.end(), order.size()) == 0);
  return places;
}

void require_topological(tiling const& cut, std::vector<std::uint32_t> const& order) {
  auto const places = places_of(cut, order);
  for (std::uint64_t number = 0; number < places.size(); ++number) {
    for_each_dependence(task_at(cut, number), [&](task const& before) {
      BOOST_TEST(places[number_of(cut, before)] < places[number]);
    });
  }
}

double doubles_in(tiling const& cut) {
  double count = 0;
  for (std::uint64_t number = 0; number < count_tasks(cut); ++number)
    count += task_at(cut, number).is_double() ? 1 : 0;
  return count;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_task_is_found_by_its_number) {
  for (tiling const& cut : cuts) {
    for (std::uint64_t number = 0; number < count_tasks(cut); ++number)
      BOOST_TEST(number_of(cut, task_at(cut, number)) == number);
  }
  tiling const large{3'000'000, 1'000'000, 32};
  for (std::uint64_t const number :
       {std::uint64_t{0}, count_tasks(large) / 2, count_tasks(large) - 1})
    BOOST_TEST(number_of(large, task_at(large, number)) == number);
}

BOOST_AUTO_TEST_CASE(levels_hold_every_task_once_and_only_depend_on_those_before) {
  for (tiling const& cut : cuts) {
    task_groups const levels = levels_of(cut);
    require_topological(cut, levels.tasks);
    std::vector<std::size_t> level_of(count_tasks(cut));
    for (std::size_t level = 0; level < levels.groups(); ++level) {
      BOOST_TEST(levels.size(level) > 0U);
      for (std::uint64_t at = levels.first[level]; at < levels.first[level + 1]; ++at)
        level_of[levels.tasks[at]] = level;
    }
    for (std::uint64_t number = 0; number < level_of.size(); ++number) {
      std::size_t latest = 0;
      for_each_dependence(task_at(cut, number), [&](task const& before) {
        latest = std::max(latest, level_of[number_of(cut, before)] + 1);
      });
      BOOST_TEST(level_of[number] == latest);
    }
  }
  // The report's walk-through: DGEQT2, then two tasks at the same time, then DSSRFB, then DGEQT2.
  BOOST_TEST((levels_of({2, 2, 1}).first == std::vector<std::uint32_t>{0, 1, 3, 4, 5}));
}

BOOST_AUTO_TEST_CASE(a_simulated_schedule_is_feasible_for_the_workers) {
  for (tiling const& cut : cuts) {
    for (priority const order : {priority::factorisations_first, priority::fifo}) {
      for (int const workers : {1, 3, 100}) {
        simulated_schedule const made = simulate(cut, workers, order, 2.5);
        require_topological(cut, made.by_begin);
        BOOST_TEST(made.of_worker.groups() == static_cast<std::size_t>(workers));
        auto const places = places_of(cut, made.by_begin);
        places_of(cut, made.of_worker.tasks);
        for (std::size_t worker = 0; worker < made.of_worker.groups(); ++worker) {
          for (auto at = made.of_worker.first[worker]; at + 1 < made.of_worker.first[worker + 1];
               ++at)
            BOOST_TEST(places[made.of_worker.tasks[at]] < places[made.of_worker.tasks[at + 1]]);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_simulation_ends_when_its_work_or_its_longest_path_does) {
  for (tiling const& cut : cuts) {
    auto const tasks = static_cast<double>(count_tasks(cut));
    double const alone = simulate(cut, 1, priority::fifo, 1.5).end;
    BOOST_TEST(std::abs(alone - (tasks + 0.5 * doubles_in(cut))) < 1e-9);
    auto const depths = depths_of(cut);
    double const wide = simulate(cut, 1000, priority::fifo, 1).end;
    BOOST_TEST(wide == *std::max_element(depths.begin(), depths.end()));
  }
}

BOOST_AUTO_TEST_CASE(one_worker_takes_tasks_in_the_order_that_is_asked_for) {
  auto const begin_of = [](priority order) {
    auto const all = simulate({3, 3, 1}, 1, order, 2).by_begin;
    return std::vector<std::uint32_t>(all.begin(), all.begin() + 4);
  };
  // Task 0 is DGEQT2, 1 and 2 are its row of DLARFB, and 3 and 6 are its column of DTSQT2.
  BOOST_TEST(begin_of(priority::factorisations_first) == (std::vector<std::uint32_t>{0, 3, 6, 1}));
  BOOST_TEST(begin_of(priority::fifo) == (std::vector<std::uint32_t>{0, 3, 1, 2}));
}

BOOST_AUTO_TEST_CASE(factorisations_come_first_among_tasks_that_begin_together) {
  constexpr double weight = 1.5;
  for (tiling const& cut : cuts) {
    for (int const workers : {2, 3, 5}) {
      simulated_schedule const made =
          simulate(cut, workers, priority::factorisations_first, weight);
      std::vector<std::size_t> worker_of(count_tasks(cut));
      for (std::size_t worker = 0; worker < made.of_worker.groups(); ++worker)
        for (auto at = made.of_worker.first[worker]; at < made.of_worker.first[worker + 1]; ++at)
          worker_of[made.of_worker.tasks[at]] = worker;
      std::vector<double> free_at(static_cast<std::size_t>(workers), 0);
      std::vector<double> ends(count_tasks(cut), 0);
      double last_begin = -1;
      bool applied = false;
      for (std::uint32_t const number : made.by_begin) {
        task const what = task_at(cut, number);
        double begin = free_at[worker_of[number]];
        for_each_dependence(what, [&](task const& before) {
          begin = std::max(begin, ends[number_of(cut, before)]);
        });
        ends[number] = free_at[worker_of[number]] = begin + (what.is_double() ? weight : 1);
        BOOST_TEST(begin >= last_begin);
        if (begin > last_begin) applied = false;
        last_begin = begin;
        BOOST_TEST((!applied || !what.factorises()));
        applied = applied || !what.factorises();
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(more_tasks_than_32_bits_number_are_refused) {
  BOOST_CHECK_THROW((void)levels_of({40000, 40000, 1}), unsupported);
  BOOST_CHECK_THROW((void)simulate({40000, 40000, 1}, 2, priority::fifo, 2), unsupported);
}

BOOST_AUTO_TEST_CASE(counters_and_the_reports_grid_agree_on_ready_tasks) {
  thread_of_one const self(0, 1);
  direct_memory memory;
  for (tiling const& cut : cuts) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      random_source random(seed);
      std::vector<std::uint32_t> cells(cut.tiles(), 0);
      std::vector<std::uint64_t> counters(cut.tiles(), 0);
      task_grid_ref const grid(cells.data(), cut);
      atomic_grid_ref const counted(counters.data(), cut);
      std::vector<std::uint32_t> ready{grid.begin()};
      std::uint64_t executed = 0;
      while (!ready.empty()) {
        auto const at = ready.begin() + static_cast<std::ptrdiff_t>(random.below(ready.size()));
        std::uint32_t const cell = *at;
        ready.erase(at);
        BOOST_TEST_REQUIRE(grid.start(cell));
        task const done = grid.task_of(cell);
        BOOST_TEST(counted.is_ready(memory, cell));
        BOOST_TEST((counted.task_of(memory, cell) == done));
        std::set<std::uint64_t> expected;
        std::set<std::uint64_t> found;
        BOOST_TEST_REQUIRE(grid.finish(cell, [&](std::uint32_t next, task const& what) {
          expected.insert(number_of(cut, what));
          ready.push_back(next);
        }));
        counted.finish(memory, self, done, [&](std::uint32_t next, task const& what) {
          BOOST_TEST((counted.cell_of(what) == next));
          BOOST_TEST(found.insert(number_of(cut, what)).second);
        });
        BOOST_TEST(found == expected, boost::test_tools::per_element());
        ++executed;
      }
      BOOST_TEST(executed == count_tasks(cut));
      for (std::uint32_t cell = 0; cell < cells.size(); ++cell)
        BOOST_TEST(!counted.is_ready(memory, cell));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
