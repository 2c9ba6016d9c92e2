// Tests to which block FR3's scheduler gives a task, and which task a block of `in_block` takes.
// Every case is deterministic: one thread plays all agents, or fibers play the threads of a
// scheduler's warp, in ascending, descending or random order.
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
#include "modelled_threads.hpp"
#include "ours/in_block.hpp"
#include "test_support.hpp"
#include "tiled_qr/grid_scheduler.hpp"

BOOST_AUTO_TEST_SUITE(tiled_qr_turns_test)

using namespace gridloom;
using namespace gridloom::tiled_qr;
using gridloom::test::modelled_threads;
using gridloom::test::modelled_warp;
using gridloom::test::per_element;

namespace {

using numbers = std::vector<std::uint32_t>;

constexpr std::uint64_t limit_ns = 20'000'000'000;
thread_of_one const alone(0, 1);

/// FR3's memory, with 2^log_ready places per ready queue and 2^log_finished for finished tasks.
struct fr3_scene {
  fr3_scene(tiling const& of, std::uint32_t blocks, std::uint32_t log_ready,
            std::uint32_t log_finished, double weight, priority order)
      : cut(of),
        cells(cut.tiles(), 0),
        listed(2 * cut.tiles()),
        accounts(blocks),
        queues(blocks + 1),
        ready_slots(std::size_t{blocks} << log_ready, 0),
        finished_slots(std::size_t{1} << log_finished, 0),
        notes(blocks + 1) {
    auto const tiles = static_cast<std::uint32_t>(cut.tiles());
    view = {{{cells.data(), cut}, {&grid.lists, listed.data(), tiles, order}, &grid},
            queues.data(),
            ready_slots.data(),
            log_ready,
            blocks,
            {queues.data() + blocks, finished_slots.data(), log_finished},
            static_cast<std::uint32_t>(weight * parts_of_single),
            accounts.data()};
    state.words = &run;
    state.tasks = count_tasks(cut);
    state.dog = {&stop, notes.data(), limit_ns};
  }
  fr3_scene(fr3_scene const&) = delete;
  fr3_scene& operator=(fr3_scene const&) = delete;

  tiling cut;
  numbers cells;
  numbers listed;
  std::vector<block_account> accounts;
  grid_words grid{};
  std::vector<fifo_words> queues;
  std::vector<std::uint64_t> ready_slots;
  std::vector<std::uint64_t> finished_slots;
  run_words run{};
  std::uint32_t stop = 0;
  std::vector<wait_note> notes;
  scheduler_view view{};
  run_state<double> state{};
};

enum class threads { one, rising, falling, random };
constexpr threads all_threads[] = {threads::one, threads::rising, threads::falling,
                                   threads::random};

/// Returns the tiles that FR3's scheduler gives to each block, in order, if only `reports` are
/// reported. The reports are in the scheduler's queue before it begins, and ready queues have room
/// for all tasks. So the scheduler never waits.
std::vector<numbers> given_by_fr3(tiling const& cut, std::uint32_t blocks, double weight,
                                  priority order, std::span<std::uint32_t const> reports,
                                  threads by = threads::one) {
  auto const log_slots = static_cast<std::uint32_t>(std::bit_width(count_tasks(cut)));
  fr3_scene of(cut, blocks, log_slots, log_slots, weight, order);
  direct_memory memory;
  for (std::uint32_t const cell : reports)
    BOOST_TEST_REQUIRE(of.view.finished.try_put(memory, cell + first_value));
  of.state.tasks = reports.size();
  if (by == threads::one) {
    grid_scheduler(of.state, of.view, alone).run();
  } else {
    modelled_threads all(modelled_threads::lanes, by == threads::falling);
    if (by == threads::random) all.switch_at_random(1);
    all.run(
        [&](int thread) { grid_scheduler(of.state, of.view, modelled_warp(all, thread)).run(); });
  }
  BOOST_TEST_REQUIRE(of.run.fault == 0U);
  BOOST_TEST(of.run.finished == reports.size());
  std::vector<numbers> given(blocks);
  for (std::uint32_t block = 0; block < blocks; ++block) {
    std::uint32_t value = 0;
    while (of.view.ready_of(block).try_take(memory, value) && value != null_task)
      given[block].push_back(value - first_value);
    BOOST_TEST(value == null_task);
  }
  return given;
}

double spread(std::vector<double> const& loads) {
  auto const [least, most] = std::minmax_element(loads.begin(), loads.end());
  return *most - *least;
}

/// A group of one thread that lets the others continue when it waits.
struct patient_thread : thread_of_one {
  explicit patient_thread(modelled_threads& of) : thread_of_one(0, 1), all(&of) {}
  void pause(unsigned) const { all->give_way(); }
  modelled_threads* all;
};

/// Runs FR3's scheduler beside blocks of one thread, which take random times for their tasks.
/// Checks that each task is executed once, after those that it depends on, and that loads are
/// equal.
void run_beside_blocks(fr3_scene& of, double weight, std::uint64_t seed, threads by) {
  modelled_threads all(3 * modelled_threads::lanes, by == threads::falling);
  if (by == threads::random) all.switch_at_random(seed);
  random_source random(seed);
  std::vector<bool> executed(count_tasks(of.cut), false);
  std::vector<double> loads(of.view.blocks, 0);
  bool in_order = true;
  all.run([&](int thread) {
    patient_thread const self(all);
    int const worker = thread - modelled_threads::lanes + 1;
    if (worker <= 0) {
      if (by != threads::one) grid_scheduler(of.state, of.view, modelled_warp(all, thread)).run();
      if (by == threads::one && thread == 0) grid_scheduler(of.state, of.view, self).run();
      return;
    }
    if (worker > static_cast<int>(of.view.blocks)) return;
    queue_asker<double> asker(of.state, of.view, worker);
    for (task what = asker.next(self, no_task); is_task(what); what = asker.next(self, what)) {
      for_each_dependence(what, [&](task const& before) {
        in_order = in_order && executed[number_of(of.cut, before)];
      });
      for (std::uint64_t turns = random.below(40); turns > 0; --turns) self.pause(0);
      in_order = in_order && !executed[number_of(of.cut, what)];
      executed[number_of(of.cut, what)] = true;
      loads[static_cast<std::size_t>(worker) - 1] += what.is_double() ? weight : 1;
    }
  });
  BOOST_TEST(in_order);
  BOOST_TEST(of.run.fault == 0U);
  BOOST_TEST_REQUIRE(of.run.finished == executed.size());
  BOOST_TEST(std::count(executed.begin(), executed.end(), false) == 0);
  // From ready queues of few places, blocks get tasks as they make room.
  if (of.view.log_ready > 4) BOOST_TEST(spread(loads) <= weight + 1);
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
  for (threads const by : all_threads) {
    for (double const weight : {1.0, 2.0, 4.0}) {
      numbers const first{0};
      auto const given = given_by_fr3({1, 8, 1}, 3, weight, priority::fifo, first, by);
      BOOST_TEST(given[0] == (numbers{0, 3, 6}), per_element());
      BOOST_TEST(given[1] == (numbers{1, 4, 7}), per_element());
      BOOST_TEST(given[2] == (numbers{2, 5}), per_element());
    }
  }
}

// The grid has two rows of six tiles, and tile 0 is single. Its report makes tile 6 ready, a double
// task that goes to block 1, and then the single tasks 1 to 5. Block 1 is skipped once for each
// single task that it owes.
BOOST_AUTO_TEST_CASE(a_block_with_a_double_task_is_skipped_by_its_weight) {
  numbers const first{0};
  for (threads const by : all_threads) {
    auto const given = [&](double weight) {
      return given_by_fr3({2, 6, 1}, 2, weight, priority::factorisations_first, first, by);
    };
    BOOST_TEST(given(1)[0] == (numbers{0, 1, 3, 5}), per_element());
    BOOST_TEST(given(1)[1] == (numbers{6, 2, 4}), per_element());
    BOOST_TEST(given(2)[0] == (numbers{0, 1, 2, 4}), per_element());
    BOOST_TEST(given(2)[1] == (numbers{6, 3, 5}), per_element());
    BOOST_TEST(given(4)[0] == (numbers{0, 1, 2, 3, 4}), per_element());
    BOOST_TEST(given(4)[1] == (numbers{6, 5}), per_element());
  }
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

BOOST_AUTO_TEST_CASE(a_scheduler_of_any_size_executes_every_task_once_in_order) {
  for (tiling const& cut : {tiling{1, 1, 1}, tiling{5, 5, 1}, tiling{3, 40, 1}, tiling{40, 3, 1}}) {
    for (std::uint32_t const blocks : {1U, 2U, 8U, 50U}) {
      for (std::uint32_t const log_ready : {0U, 6U}) {
        for (threads const by : all_threads) {
          for (std::uint64_t seed = by == threads::random ? 2 : 1; seed <= 2; ++seed) {
            BOOST_TEST_CONTEXT(cut.rows << " x " << cut.cols << ", " << blocks << " blocks, 2^"
                                        << log_ready << " places, threads " << static_cast<int>(by)
                                        << ", seed " << seed) {
              double const weight = seed % 2 == 0 ? 2.5 : 1;
              auto const log_finished = static_cast<std::uint32_t>(std::bit_width(blocks));
              fr3_scene of(cut, blocks, log_ready, log_finished, weight,
                           seed % 2 == 0 ? priority::fifo : priority::factorisations_first);
              run_beside_blocks(of, weight, seed, by);
            }
          }
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
