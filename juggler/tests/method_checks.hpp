#pragma once
// Checks that every executor must pass. A family has `Family::names`, `Family::make(name, ...)` and
// `Family::has_loads(name)`, which says whether the executor counts the tasks of each worker.

#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "graphs.hpp"
#include "gridloom/error.hpp"
#include "gridloom/taskgraph/worker_placing.hpp"
#include "juggler/executor.hpp"
#include "switched_app.hpp"
#include "test_machines.hpp"

namespace gridloom::juggler::test {

using gridloom::test::on_each_machine;
using gridloom::test::test_machine;

/// Makes an executor for the problem with the threads of the machine.
template <class Family>
std::unique_ptr<executor> made(std::string_view name, test_machine const& on,
                               recurrence_problem& problem, execution_settings settings) {
  settings.threads = on.shape.threads;
  return Family::make(name, *on.machine, problem.dag(), problem.data(), settings, problem.app());
}
/// Makes such an executor and runs it once.
template <class Family>
std::unique_ptr<executor> made_and_run(std::string_view name, test_machine const& on,
                                       recurrence_problem& problem,
                                       execution_settings const& settings) {
  auto run = made<Family>(name, on, problem, settings);
  problem.clear();
  run->run();
  run->require_done();
  return run;
}

/// Runs the problem `runs` times with each executor of the family.
template <class Family>
void check(test_machine const& on, recurrence_problem& problem, execution_settings const& settings,
           int runs = 3) {
  std::uint32_t const tasks = problem.dag().tasks();
  for (std::string_view const name : Family::names) {
    BOOST_TEST_CONTEXT(name << ", workers " << settings.workers) {
      auto const run = made<Family>(name, on, problem, settings);
      for (int again = 0; again < runs; ++again) {
        problem.clear();
        run->run();
        run->require_done();
        BOOST_TEST(run->finished() == tasks);
        BOOST_TEST(problem.is_solved());
        if (!Family::has_loads(name)) continue;
        load_range const loads = run->loads();
        auto const workers = static_cast<std::uint64_t>(run->workers());
        BOOST_TEST(loads.min * workers <= tasks);
        BOOST_TEST(loads.max * workers >= tasks);
      }
    }
  }
}
template <class Family>
void check(test_machine const& on, std::uint32_t tasks, edge_list const& edges, int runs = 3) {
  recurrence_problem problem(*on.machine, tasks, edges);
  check<Family>(on, problem, {{on.shape.blocks}}, runs);
}

template <class Family>
void check_numbers_of_workers() {
  on_each_machine([](test_machine const& on, device& machine) {
    recurrence_problem small(machine, 5, random_edges(5, 3));
    recurrence_problem larger(machine, 300, random_edges(300, 4));
    for (int const workers : {0, 1, 3, 20}) {
      check<Family>(on, small, {{workers}});
      check<Family>(on, larger, {{workers}}, 1);
    }
    recurrence_problem large(machine, 4000, random_edges(4000, 9));
    for (worker_placing const placing : {worker_placing::blocks, worker_placing::multiprocessors})
      check<Family>(on, large, {{.placing = placing}}, 2);
  });
}

/// Runs nothing, a chain, more ready tasks than a buffer holds, layers, and a task with 100,000 children
/// that join in one task. A task of a layer waits for all tasks of the layer before, which are more
/// than a warp has lanes.
template <class Family>
void check_extreme_shapes() {
  on_each_machine([](test_machine const& on, device&) {
    check<Family>(on, 0, {});
    edge_list chain;
    for (std::uint32_t t = 1; t < 400; ++t) chain.emplace_back(t, t - 1);
    check<Family>(on, 400, chain, 2);
    check<Family>(on, 3000, {}, 2);
    check<Family>(on, 160, edges_of("all_to_all:width=40,steps=4"), 2);
    edge_list hub;
    for (std::uint32_t t = 1; t <= 100000; ++t) {
      hub.emplace_back(0, t);
      hub.emplace_back(t, 100001);
    }
    check<Family>(on, 100002, hub, 1);
  });
}

/// Checks that settings out of range are refused. `keeps_workers(name)` says whether all workers
/// must be resident at once.
template <class Family>
void check_settings(bool (*keeps_workers)(std::string_view)) {
  on_each_machine([&](test_machine const& on, device& machine) {
    recurrence_problem problem(machine, 3, {});
    int const threads = on.shape.threads;
    for (std::string_view const name : Family::names) {
      auto const make = [&](execution_settings const& settings) {
        return Family::make(name, machine, problem.dag(), problem.data(), settings, problem.app());
      };
      BOOST_CHECK_THROW(make({{-1, threads}}), usage_error);
      BOOST_CHECK_THROW(make({{1, 0}}), usage_error);
      BOOST_CHECK_THROW(make({{1, 257}}), usage_error);
      for (double const limit_s : no_time_limits)
        BOOST_CHECK_THROW(make({{1, threads, limit_s}}), usage_error);
      if (keeps_workers(name)) BOOST_CHECK_THROW(make({{1 << 16, threads}})->run(), grid_error);
    }
  });
}

/// Runs 400 tasks, each of which takes a fifth of the time limit, as a chain and without edges.
/// Requires a timeout, and calls check(on, name, dag, message, is_exact): whether finished() is the
/// number of tasks executed.
template <class Family, class Check>
void check_timeouts(bool (*keeps_workers)(std::string_view), Check const& check) {
  on_each_machine([&](test_machine const& on, device& machine) {
    switch_board board(machine, 400);
    double const limit_s = 0.05;
    for (task_dag const& dag : {dag_of(400, chain_edges(400)), dag_of(400, {})}) {
      for (std::string_view const name : Family::names) {
        if (!keeps_workers(name)) continue;
        BOOST_TEST_CONTEXT(name) {
          auto const run =
              Family::make(name, machine, dag, switched_app::data(400),
                           {{on.shape.blocks, on.shape.threads, limit_s}}, board.app(limit_s / 5));
          board.set(true);
          run->run();
          std::string const said =
              gridloom::test::error_text<timeout_error>([&] { run->require_done(); });
          BOOST_TEST(gridloom::test::contains(said, "--timeout-s"));
          BOOST_TEST(gridloom::test::contains(said, "worker "));
          // Its batches may hold all tasks, unless edges hold them back.
          bool const by_batch = name == "grr-block" && dag.ready.size() == 400;
          BOOST_TEST((by_batch || run->finished() < 400U));
          // Executed tasks are counted even if workers had no time to report them.
          auto const runs = machine.copy_to_host(board.runs);
          check(on, name, dag, said,
                run->finished() == std::accumulate(runs.begin(), runs.end(), 0U));
        }
      }
    }
  });
}

}  // namespace gridloom::juggler::test
