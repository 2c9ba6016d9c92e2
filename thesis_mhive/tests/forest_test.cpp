// Tests random forests of tasks. On every machine and under every scheduler, every task is executed
// once, by a whole worker, and phases do not overlap.

#include <boost/test/unit_test.hpp>

#include <algorithm>

#include "forest.hpp"
#include "test_support.hpp"

namespace gridloom::mhive::test {
namespace {

using namespace gridloom::test;

template <int... Index>
void enqueue_roots(program<forest_queue>& trees, std::vector<node> const& all,
                   std::integer_sequence<int, Index...>) {
  (
      [&] {
        std::vector<node> own;
        for (node const& root : all) {
          if (type_of(root) == Index) own.push_back(root);
        }
        trees.enqueue<tree_task<Index>>(own);
      }(),
      ...);
}

template <class Scheduler>
forest_counts run_forest(gridloom::test::test_machine const& on, std::vector<node> const& all,
                         int delay) {
  auto counts = on.machine->allocate_copy(std::vector<forest_counts>(1));
  program<forest_queue> trees{*on.machine,
                              {.capacity = 1U << 17U, .workers = on.shape.blocks, .timeout_s = 60}};
  enqueue_roots(trees, all, std::make_integer_sequence<int, types>{});
  (void)trees.run<Scheduler>(forest_data{counts.data(), delay});
  return on.machine->copy_to_host(counts)[0];
}

BOOST_AUTO_TEST_SUITE(forests)

template <class Scheduler>
void check_forest(gridloom::test::test_machine const& on, std::vector<node> const& all, int delay) {
  forest_truth const truth = walk(all);
  forest_counts const counts = run_forest<Scheduler>(on, all, delay);
  for (std::size_t type = 0; type < types; ++type) {
    BOOST_TEST(counts.executed[type] == truth.executed[type]);
    BOOST_TEST(counts.checksum[type] == truth.checksum[type]);
    auto const size =
        static_cast<std::uint32_t>(on.machine->is_host() ? 1 : tree_task<0>::sizes[type]);
    BOOST_TEST(counts.threads[type] == truth.executed[type] * size);
  }
  BOOST_TEST(counts.overlaps == 0U);
  BOOST_TEST(counts.torn == 0U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    every_task_is_executed_once_by_a_whole_worker_and_phases_do_not_overlap, Scheduler,
    test_schedulers) {
  for (auto const& on : test_machines()) {
    for (std::uint32_t seed = 1; seed <= 4; ++seed) {
      for (int const delay : {0, 200}) {
        BOOST_TEST_CONTEXT("seed " << seed << ", delay " << delay << ", workers "
                                   << on.shape.blocks) {
          check_forest<Scheduler>(on, roots(60, 7, seed), delay);
        }
      }
    }
  }
}

// Five tasks of three phases, numbered in the order in which they must run. The first task is not
// of the first phase. After it comes the next phase with tasks, in circular order, whichever task
// was enqueued first.
struct order_data {
  /// The number of executed tasks, then their numbers in order.
  std::uint32_t* log;
};
template <int Phase>
struct step_task : task_of<1> {
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t number) {
    direct_memory memory;
    std::uint32_t* const log = context.data().log;
    memory.store_relaxed(log + 1 + memory.fetch_add_relaxed(log, 1U), number);
    if (number == 0) {
      context.template enqueue<step_task<0>>(2);
      context.template enqueue<step_task<2>>(1);
    }
    if (number == 1) context.template enqueue<step_task<1>>(3);
    if (number == 3) context.template enqueue<step_task<0>>(4);
  }
};
using step_queue =
    phase_queue<phaseless<>, phase<step_task<0>>, phase<step_task<1>>, phase<step_task<2>>>;

BOOST_AUTO_TEST_CASE_TEMPLATE(phases_follow_each_other_in_a_circle_and_empty_ones_are_skipped,
                              Scheduler, test_schedulers) {
  for (auto const& on : test_machines()) {
    auto log = on.machine->allocate_copy(std::vector<std::uint32_t>(6));
    program<step_queue> steps{*on.machine, {.capacity = 16, .workers = on.shape.blocks}};
    steps.enqueue<step_task<1>>(std::vector<std::uint32_t>{0});
    report const done = steps.run<Scheduler>(order_data{log.data()});
    BOOST_TEST(on.machine->copy_to_host(log) == (std::vector<std::uint32_t>{5, 0, 1, 2, 3, 4}));
    // Starting with the first phase is no change of phase.
    BOOST_TEST(done.phase_changes == 4U);
  }
}

// A small forest is small enough for tools that check every access.
template <class Scheduler>
void check_small_forest(std::uint32_t depth) {
  std::vector<node> const all = roots(12, depth, 1);
  forest_truth const truth = walk(all);
  BOOST_TEST(truth.executed[0] > 1U);
  BOOST_TEST(truth.executed[2] > 1U);
  BOOST_TEST(truth.executed[5] > 1U);
  for (auto const& on : test_machines()) check_forest<Scheduler>(on, all, 0);
}
BOOST_AUTO_TEST_CASE_TEMPLATE(a_small_forest, Scheduler, test_schedulers) {
  check_small_forest<Scheduler>(3 | without_teams);
}
BOOST_TEST_DECORATOR(*boost::unit_test::label("teams"))
BOOST_AUTO_TEST_CASE_TEMPLATE(a_small_forest_with_teams, Scheduler, test_schedulers) {
  check_small_forest<Scheduler>(3);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_program_without_tasks_ends_at_once, Scheduler, test_schedulers) {
  for (auto const& on : test_machines()) {
    forest_counts const counts = run_forest<Scheduler>(on, {}, 0);
    BOOST_TEST(counts.executed[0] == 0U);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_full_queue_is_an_error_that_names_it, Scheduler, test_schedulers) {
  for (auto const& on : test_machines()) {
    auto counts = on.machine->allocate_copy(std::vector<forest_counts>(1));
    program<forest_queue> trees{*on.machine, {.capacity = 16, .workers = on.shape.blocks}};
    std::vector<node> const one = roots(1, 30 | without_teams, 3);
    trees.enqueue<tree_task<0>>(one);
    std::string const message = message_of<run_error>([&] {
      (void)trees.run<Scheduler>(forest_data{counts.data(), 0});
    });
    BOOST_TEST(contains(message, "full, all 16 slots are taken"));
    BOOST_TEST(message.starts_with("queue of task type "));
    std::vector<node> const many(17);
    BOOST_CHECK_THROW(trees.enqueue<tree_task<1>>(many), usage_error);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace gridloom::mhive::test
