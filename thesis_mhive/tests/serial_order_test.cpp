// Compares the serial walk with the tables of the kernels, and tests the certificate check with
// every kind of fault.
#include "serial_order.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "gridloom/error.hpp"
#include "gridloom/random.hpp"
#include "random_tree.hpp"
#include "tree_file.hpp"
#include "tree_tables.hpp"

namespace gridloom::mhive::generic {

BOOST_AUTO_TEST_SUITE(serial_order_test)
namespace {

constexpr std::uint64_t seed = 5;
using messages = std::vector<std::string>;

// The record of a run, with functions to change it.
struct record {
  record(execution_tree const& of, std::uint32_t count)
      : tree{of}, tables{make_tables(of)}, instances{count} {
    std::size_t const size = std::size_t{count} * of.tasks().size();
    begin.resize(size);
    end.resize(size);
    executions.resize(size);
  }

  [[nodiscard]] std::size_t at(std::uint32_t instance, int task) const {
    return std::size_t{instance} * tree.tasks().size() + static_cast<std::size_t>(task);
  }

  [[nodiscard]] bool has(std::uint32_t instance, int task) const {
    return ((reached(tables, seed, instance) >> task) & 1U) != 0;
  }

  void execute(std::uint32_t instance, int task) {
    begin[at(instance, task)] = ++clock;
    end[at(instance, task)] = ++clock;
    ++executions[at(instance, task)];
  }

  [[nodiscard]] messages faults(dependencies kind, std::size_t most = 20) const {
    return check_certificate(tree, seed, kind, {instances, begin, end, executions}, most);
  }

  execution_tree tree;
  tree_tables tables;
  std::uint32_t instances;
  std::uint64_t clock = 0;
  std::vector<std::uint64_t> begin, end;
  std::vector<std::uint32_t> executions;
};

// Makes the record of a run that executes one instance after the other, which only individual
// dependencies allow.
record by_instance(execution_tree const& tree, std::uint32_t instances) {
  record run{tree, instances};
  for (std::uint32_t i = 0; i < instances; ++i) {
    for (int task = 0; task < tree.num_tasks(); ++task) {
      if (run.has(i, task)) run.execute(i, task);
    }
  }
  return run;
}

// Makes the record of a run that executes one phase after the other. Task types with larger numbers
// have later phases.
record by_phase(execution_tree const& tree, std::uint32_t instances) {
  record run{tree, instances};
  for (int task = 0; task < tree.num_tasks(); ++task) {
    for (std::uint32_t i = 0; i < instances; ++i) {
      if (run.has(i, task)) run.execute(i, task);
    }
  }
  return run;
}

execution_tree const& small() {
  static execution_tree const tree = preset_tree("--preset", "fig7.1");
  return tree;
}

execution_tree const& large() {
  static execution_tree const tree = preset_tree("--preset", "fig7.2");
  return tree;
}

void check_same(messages const& got, messages const& expected) {
  BOOST_TEST(got == expected, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_CASE(certain_transitions_give_every_instance_every_task) {
  for (std::uint64_t const count : count_tasks(small(), seed, 1000)) BOOST_TEST(count == 1000U);
}

BOOST_AUTO_TEST_CASE(the_walk_finds_the_tasks_that_the_tables_find) {
  random_source random{11};
  for (int k = 0; k < 100; ++k) {
    execution_tree const tree = test::random_tree(random);
    tree_tables const tables = make_tables(tree);
    std::vector<std::uint64_t> counts(tree.tasks().size());
    for (std::uint32_t i = 0; i < 100; ++i) {
      std::uint32_t const mask = reached(tables, seed, i);
      for (std::size_t task = 0; task < counts.size(); ++task) counts[task] += (mask >> task) & 1U;
    }
    BOOST_TEST(count_tasks(tree, seed, 100) == counts, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(the_graph_has_the_transitions_that_fire_in_the_tables) {
  random_source random{13};
  for (int k = 0; k < 20; ++k) {
    record const run{test::random_tree(random), 20};
    csr_graph const graph = task_graph(run.tree, seed, run.instances);
    BOOST_TEST(graph.tasks() == run.executions.size());
    for (std::uint32_t i = 0; i < run.instances; ++i) {
      for (int task = 0; task < run.tree.num_tasks(); ++task) {
        std::uint32_t found = 0;
        for (std::uint32_t const to : graph.of(run.at(i, task))) found |= 1U << (to - run.at(i, 0));
        BOOST_TEST(found == (run.has(i, task) ? successors(run.tables, seed, i, task) : 0U));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(right_runs_pass) {
  check_same(by_instance(small(), 50).faults(dependencies::individual), {});
  check_same(by_instance(large(), 500).faults(dependencies::individual), {});
  check_same(by_phase(large(), 500).faults(dependencies::individual), {});
  check_same(by_phase(large(), 500).faults(dependencies::phases), {});
  random_source random{12};
  for (int k = 0; k < 50; ++k) {
    execution_tree const tree = test::random_tree(random);
    check_same(by_instance(tree, 20).faults(dependencies::individual), {});
  }
}

BOOST_AUTO_TEST_CASE(wrong_numbers_of_executions_are_reported) {
  record run = by_instance(small(), 3);
  run.executions[run.at(1, 3)] = 0;
  run.executions[run.at(2, 0)] = 2;
  check_same(run.faults(dependencies::individual),
             {"task t3 of instance 1: expected 1 execution, got 0",
              "task t0 of instance 2: expected 1 execution, got 2"});

  run = by_instance(large(), 100);
  std::uint32_t without = 0;
  while (run.has(without, 9)) ++without;
  run.execute(without, 9);
  check_same(run.faults(dependencies::individual),
             {"task t9 of instance " + std::to_string(without) + ": expected no execution, got 1"});
}

BOOST_AUTO_TEST_CASE(stamps_of_tasks_that_were_not_executed_are_ignored) {
  for (bool const phases : {false, true}) {
    record run = phases ? by_phase(large(), 100) : by_instance(large(), 100);
    for (std::size_t k = 0; k < run.executions.size(); ++k) {
      if (run.executions[k] == 0) run.end[k] = ~std::uint64_t{0};
    }
    check_same(run.faults(phases ? dependencies::phases : dependencies::individual), {});
  }
}

BOOST_AUTO_TEST_CASE(a_begin_before_the_end_of_a_predecessor_is_reported) {
  // The stamps of the first instance: t0 has 1 2, t1 has 3 4, t2 has 5 6, t3 has 7 8.
  record run = by_instance(small(), 2);
  // Task t3 now begins after t1, but before the end of t2.
  run.begin[run.at(0, 3)] = 5;
  check_same(run.faults(dependencies::individual),
             {"task t3 of instance 0 (phase 2): expected a begin at 6 or later, when task t2 of "
              "instance 0 (phase 1) ended, got 5"});
  // Stamps may be equal, because clocks are coarse.
  run.begin[run.at(0, 3)] = 6;
  check_same(run.faults(dependencies::individual), {});
  // Tasks t1 and t2 run at the same time.
  run.begin[run.at(0, 2)] = 3;
  check_same(run.faults(dependencies::individual), {});
}

BOOST_AUTO_TEST_CASE(tasks_wait_only_for_predecessors_whose_transition_fired) {
  record run = by_instance(large(), 200);
  // The edge from t0 to t8, with probability 1/2.
  int edge = 0;
  while (run.tables.from[edge] != 0 || run.tables.to[edge] != 8) ++edge;
  int early = 0;
  for (std::uint32_t i = 0; i < 200; ++i) {
    if (!run.has(i, 8)) continue;
    record changed = run;
    // Task t0 ends after all others.
    changed.end[run.at(i, 0)] = run.end[run.at(i, 10)] + 1;
    bool reported = false;
    for (std::string const& fault : changed.faults(dependencies::individual)) {
      reported = reported || fault.starts_with("task t8 of");
    }
    BOOST_TEST(reported == fires(run.tables, seed, i, edge));
    early += reported ? 1 : 0;
  }
  BOOST_TEST(early > 0);
  BOOST_TEST(early < 200);
}

BOOST_AUTO_TEST_CASE(an_end_before_the_begin_is_reported) {
  record run = by_instance(small(), 1);
  run.end[run.at(0, 3)] = 6;
  messages const expected{"task t3 of instance 0: expected an end at 7 or later, got 6"};
  check_same(run.faults(dependencies::individual), expected);
  check_same(run.faults(dependencies::phases), expected);
}

BOOST_AUTO_TEST_CASE(a_begin_before_the_end_of_an_earlier_phase_is_reported) {
  // The run goes instance by instance. So phase 0 of the second instance ends (at 10) after phase 1
  // of the first.
  record const run = by_instance(small(), 2);
  check_same(run.faults(dependencies::phases),
             {"task t1 of instance 0 (phase 1): expected a begin at 10 or later, when task t0 of "
              "instance 1 (phase 0) ended, got 3",
              "task t2 of instance 0 (phase 1): expected a begin at 10 or later, when task t0 of "
              "instance 1 (phase 0) ended, got 5",
              "task t3 of instance 0 (phase 2): expected a begin at 14 or later, when task t2 of "
              "instance 1 (phase 1) ended, got 7"});
}

BOOST_AUTO_TEST_CASE(phases_are_checked_only_of_trees_that_have_them) {
  execution_tree const tree =
      parse_tree("task a flops=0 worker=1\ntask b flops=0 worker=1\nedge a b\n", "f");
  record const run = by_instance(tree, 2);
  check_same(run.faults(dependencies::individual), {});
  BOOST_CHECK_THROW((void)run.faults(dependencies::phases), usage_error);
}

BOOST_AUTO_TEST_CASE(a_broken_run_gives_a_bounded_list) {
  record run = by_instance(small(), 1000);
  std::fill(run.executions.begin(), run.executions.end(), 0U);
  messages const faults = run.faults(dependencies::individual, 3);
  BOOST_TEST(faults.size() == 4U);
  BOOST_TEST(faults.back() == "and 3997 more");
  BOOST_TEST(run.faults(dependencies::individual, 4000).size() == 4000U);
}

BOOST_AUTO_TEST_CASE(records_of_a_wrong_length_are_refused) {
  record run = by_instance(small(), 2);
  run.end.pop_back();
  BOOST_CHECK_THROW((void)run.faults(dependencies::individual), std::invalid_argument);
  execution_tree reversed;
  reversed.add_task({"b"});
  reversed.add_task({"a"});
  reversed.add_transition("a", "b", 1.0);
  BOOST_CHECK_THROW((void)count_tasks(reversed, seed, 1), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace gridloom::mhive::generic
