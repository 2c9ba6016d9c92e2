// Tests to which block FR3's scheduler gives a task, and which task a block of `in_block` takes.
// One thread plays all agents, so every case is deterministic.
// scripts/tests/test_queue_mutations.py puts faults into both schedulers, one at a time, and checks
// that this test finds them.

#include <algorithm>
#include <bit>
#include <boost/test/unit_test.hpp>
#include <span>
#include <vector>

#include "gridloom/atomic.hpp"
#include "gridloom/group.hpp"
#include "gridloom/random.hpp"
#include "ours/in_block.hpp"
#include "test_support.hpp"
#include "tiled_qr/grid_scheduler.hpp"

BOOST_AUTO_TEST_SUITE(tiled_qr_turns_test)

using namespace gridloom;
using namespace gridloom::tiled_qr;
using gridloom::test::per_element;

namespace {

using numbers = std::vector<std::uint32_t>;

constexpr std::uint64_t hour_ns = 3'600'000'000'000;
thread_of_one const alone(0, 1);

/// Returns the tiles that FR3's scheduler gives to each block, in order, if only `reports` are
/// reported. The reports are in the scheduler's queue before it begins, and ready queues have room
/// for all tasks. So the scheduler never waits.
std::vector<numbers> given_by_fr3(tiling const& cut, std::uint32_t blocks, double weight,
                                  priority order, std::span<std::uint32_t const> reports) {
  auto const tiles = static_cast<std::uint32_t>(cut.tiles());
  auto const log_slots = static_cast<std::uint32_t>(std::bit_width(count_tasks(cut)));
  numbers cells(tiles, 0);
  numbers listed(2 * std::size_t{tiles});
  numbers owed(blocks, 0);
  grid_words grid{};
  std::vector<fifo_words> queues(blocks + 1);
  std::vector<std::uint64_t> ready_slots(std::size_t{blocks} << log_slots, 0);
  std::vector<std::uint64_t> finished_slots(std::size_t{1} << log_slots, 0);
  scheduler_view const view{
      {{cells.data(), cut}, {&grid.lists, listed.data(), tiles, order}, &grid},
      queues.data(),
      ready_slots.data(),
      log_slots,
      blocks,
      {queues.data() + blocks, finished_slots.data(), log_slots},
      static_cast<std::uint32_t>(weight * parts_of_single),
      owed.data()};
  direct_memory memory;
  for (std::uint32_t const cell : reports)
    BOOST_TEST_REQUIRE(view.finished.try_put(memory, cell + first_value));
  run_words run{};
  std::uint32_t stop = 0;
  wait_note note{};
  run_state<double> state{};
  state.words = &run;
  state.tasks = reports.size();
  state.dog = {&stop, &note, hour_ns};
  grid_scheduler<double>(state, view).run(alone);
  BOOST_TEST_REQUIRE(run.fault == 0U);
  BOOST_TEST(run.finished == reports.size());
  std::vector<numbers> given(blocks);
  for (std::uint32_t block = 0; block < blocks; ++block) {
    std::uint32_t value = 0;
    while (view.ready_of(block).try_take(memory, value) && value != null_task)
      given[block].push_back(value - first_value);
    BOOST_TEST(value == null_task);
  }
  return given;
}

/// Returns the tiles of all tasks, in a random order that keeps the dependences.
numbers any_order(tiling const& cut, std::uint64_t seed) {
  random_source random(seed);
  numbers cells(cut.tiles(), 0);
  task_grid_ref const grid(cells.data(), cut);
  numbers ready{grid.begin()};
  numbers order;
  while (!ready.empty()) {
    auto const at = ready.begin() + static_cast<std::ptrdiff_t>(random.below(ready.size()));
    order.push_back(*at);
    ready.erase(at);
    BOOST_TEST_REQUIRE(grid.start(order.back()));
    BOOST_TEST_REQUIRE(
        grid.finish(order.back(), [&](std::uint32_t cell, task const&) { ready.push_back(cell); }));
  }
  return order;
}

double spread(std::vector<double> const& loads) {
  auto const [least, most] = std::minmax_element(loads.begin(), loads.end());
  return *most - *least;
}

/// Returns the numbers of the tasks that one block of `in_block` takes, in order.
std::vector<std::uint64_t> taken_in_block(tiling const& cut, priority order) {
  auto const log_slots = static_cast<std::uint32_t>(std::bit_width(cut.tiles()));
  std::vector<std::uint64_t> cells(cut.tiles(), 0);
  std::vector<std::uint64_t> slots(std::size_t{2} << log_slots, 0);
  fifo_words words[2]{};
  in_block_view const of{{cells.data(), cut},
                         {{&words[0], slots.data(), log_slots},
                          {&words[1], slots.data() + (std::size_t{1} << log_slots), log_slots}},
                         order};
  direct_memory memory;
  run_words run{};
  std::vector<std::uint64_t> taken;
  of.put(memory, &run, 0, {0, 0, 0});
  for (task what = of.take(memory, &run); is_task(what); what = of.take(memory, &run)) {
    taken.push_back(number_of(cut, what));
    of.finish(memory, &run, alone, what);
  }
  BOOST_TEST(run.fault == 0U);
  BOOST_TEST(taken.size() == count_tasks(cut));
  return taken;
}

}  // namespace

// One row of tiles has only single tasks.
BOOST_AUTO_TEST_CASE(blocks_of_fr3_take_turns) {
  for (double const weight : {1.0, 2.0, 4.0}) {
    numbers const first{0};
    auto const given = given_by_fr3({1, 8, 1}, 3, weight, priority::fifo, first);
    BOOST_TEST(given[0] == (numbers{0, 3, 6}), per_element());
    BOOST_TEST(given[1] == (numbers{1, 4, 7}), per_element());
    BOOST_TEST(given[2] == (numbers{2, 5}), per_element());
  }
}

// The grid has two rows of six tiles, and tile 0 is single. Its report makes tile 6 ready, a double
// task that goes to block 1, and then the single tasks 1 to 5. Block 1 is skipped once for each
// single task that it owes.
BOOST_AUTO_TEST_CASE(a_block_with_a_double_task_is_skipped_by_its_weight) {
  numbers const first{0};
  auto const given = [&](double weight) {
    return given_by_fr3({2, 6, 1}, 2, weight, priority::factorisations_first, first);
  };
  BOOST_TEST(given(1)[0] == (numbers{0, 1, 3, 5}), per_element());
  BOOST_TEST(given(1)[1] == (numbers{6, 2, 4}), per_element());
  BOOST_TEST(given(2)[0] == (numbers{0, 1, 2, 4}), per_element());
  BOOST_TEST(given(2)[1] == (numbers{6, 3, 5}), per_element());
  BOOST_TEST(given(4)[0] == (numbers{0, 1, 2, 3, 4}), per_element());
  BOOST_TEST(given(4)[1] == (numbers{6, 5}), per_element());
}

// Each visit is worth a single task, and the numbers of visits of two blocks differ by at most one.
// A block owes less than one visit before it gets a task. With the task it owes at most the weight
// minus one more. So loads differ by at most the weight plus one.
BOOST_AUTO_TEST_CASE(blocks_of_fr3_have_equal_loads_by_weight_after_each_report) {
  for (tiling const& cut : {tiling{2, 9, 1}, tiling{5, 5, 1}, tiling{6, 3, 1}}) {
    for (double const weight : {1.0, 1.5, 2.0, 4.0}) {
      for (std::uint32_t const blocks : {1U, 2U, 3U, 5U}) {
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
          numbers const reports = any_order(cut, seed);
          numbers reported(cut.tiles(), 0);
          std::vector<std::size_t> counts(blocks, 0);
          std::vector<double> loads(blocks, 0);
          std::size_t singles = 0;
          std::size_t doubles = 0;
          for (std::size_t n = 0; n <= reports.size(); ++n) {
            auto const given =
                given_by_fr3(cut, blocks, weight, priority::fifo, std::span(reports).first(n));
            for (std::uint32_t block = 0; block < blocks; ++block) {
              for (; counts[block] < given[block].size(); ++counts[block]) {
                std::uint32_t const cell = given[block][counts[block]];
                bool const is_double =
                    task{reported[cell], cell / cut.q(), cell % cut.q()}.is_double();
                loads[block] += is_double ? weight : 1;
                ++(is_double ? doubles : singles);
              }
            }
            BOOST_TEST_CONTEXT(cut.rows << " x " << cut.cols << ", weight " << weight << ", "
                                        << blocks << " blocks, seed " << seed << ", report " << n)
            BOOST_TEST(spread(loads) <= weight + 1);
            if (n < reports.size()) ++reported[reports[n]];
          }
          BOOST_TEST(singles + doubles == count_tasks(cut));
        }
      }
    }
  }
}

// The grid has three by three tiles. Task 0 is DGEQT2, 1 and 2 are its row of DLARFB, and 3 and 6
// are its column of DTSQT2. Tasks 4, 5, 7 and 8 are DSSRFB. From 9 on follow the tasks of the
// remaining two by two tiles, and 13 is the last.
BOOST_AUTO_TEST_CASE(a_block_that_schedules_for_itself_takes_factorisations_first) {
  using order = std::vector<std::uint64_t>;
  BOOST_TEST(taken_in_block({3, 3, 1}, priority::factorisations_first) ==
                 (order{0, 3, 6, 1, 2, 4, 9, 5, 7, 11, 10, 8, 12, 13}),
             per_element());
  BOOST_TEST(taken_in_block({3, 3, 1}, priority::fifo) ==
                 (order{0, 3, 1, 2, 6, 4, 5, 9, 7, 8, 10, 11, 12, 13}),
             per_element());
}

BOOST_AUTO_TEST_SUITE_END()
