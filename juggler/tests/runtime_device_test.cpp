// The runtime under every policy, on host threads or on a GPU, depending on the build.
// compute-sanitizer runs the first case.

#include "juggler/ours/make_runtime.hpp"
#include "method_checks.hpp"
#include "test_machines.hpp"

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::juggler;
using namespace gridloom::juggler::test;

namespace {

/// The policies of the runtime, for method_checks.hpp.
struct checked_policies : policies {
  static bool has_loads(std::string_view /*policy*/) { return true; }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(juggler_runtime)

BOOST_AUTO_TEST_CASE(a_few_tasks_run_once_and_after_their_parents) {
  on_each_machine([](test_machine const& on, device&) {
    check<checked_policies>(on, 30, random_edges(30, 1), 1);
  });
}

BOOST_AUTO_TEST_CASE(any_number_of_workers_ends_however_they_are_numbered) {
  check_numbers_of_workers<checked_policies>();
}

BOOST_AUTO_TEST_CASE(graphs_of_extreme_shapes_end) { check_extreme_shapes<checked_policies>(); }

BOOST_AUTO_TEST_CASE(short_queues_serve_graphs_that_fit) {
  on_each_machine([](test_machine const& on, device& machine) {
    // In this lattice, at most `side` tasks are ready at the same time.
    constexpr std::uint32_t side = 40;
    recurrence_problem problem(machine, side * side, edges_of("lattice:rows=40"));
    // The published start of a queue may be out of date, so queues have twice the room.
    check<checked_policies>(on, problem, {{on.shape.blocks}, 2 * side});
  });
}

BOOST_AUTO_TEST_CASE(a_queue_that_is_too_short_is_named_and_nothing_hangs) {
  on_each_machine([](test_machine const& on, device& machine) {
    recurrence_problem problem(machine, 501, edges_of("star:leaves=500"));
    for (std::string_view const policy : policies::names) {
      auto const run = made<policies>(policy, on, problem, {{1}, 7});
      for (int again = 0; again < 2; ++again) {
        problem.clear();
        run->run();
        std::string const said = error_text<usage_error>([&] { run->require_done(); });
        BOOST_TEST(contains(said, "queue 0 is too short"));
        BOOST_TEST(contains(said, "--queue-length above 7"));
      }
    }
    recurrence_problem ready(machine, 50, {});
    std::string const said = error_text<usage_error>([&] {
      made<policies>("lrr", on, ready, {{4}, 12});
    });
    BOOST_TEST(contains(said, "queue 0 is too short"));
    BOOST_TEST(contains(said, "all 50 tasks"));
    // Just long enough for the tasks that are ready at the start.
    recurrence_problem full(machine, 48, {});
    check<checked_policies>(on, full, {{4}, 12});
  });
}

BOOST_AUTO_TEST_CASE(data_of_unknown_tasks_is_refused) {
  on_each_machine([](test_machine const& on, device& machine) {
    recurrence_problem problem(machine, 5, {});
    auto data = problem.data();
    // One task more than the graph has, as if build_csr() came before the last add_task().
    data.push_back(data.back());
    std::string const said = error_text<usage_error>([&] {
      policies::make("lts", machine, problem.dag(), data, {{.threads = on.shape.threads}},
                     problem.app());
    });
    BOOST_TEST(contains(said, "expected build_csr()"));
  });
}

BOOST_AUTO_TEST_CASE(round_robins_share_independent_tasks_evenly) {
  // Each of 20 tasks frees 12 tasks, and each worker gets the same number of those.
  on_each_machine([](test_machine const& on, device& machine) {
    edge_list edges;
    for (std::uint32_t t = 0; t < 240; ++t) edges.emplace_back(t / 12, 20 + t);
    recurrence_problem problem(machine, 260, edges);
    for (char const* const policy : {"lrr", "grr", "grr-block"}) {
      for (int const workers : {2, 4}) {
        auto const run = made_and_run<policies>(policy, on, problem, {{workers}});
        auto const each = static_cast<std::uint32_t>(260 / workers);
        BOOST_TEST(run->loads().max == each);
        BOOST_TEST(run->loads().min == each);
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(local_round_robins_of_workers_begin_at_different_queues) {
  // Each worker has one task at the start, which frees one more.
  on_each_machine([](test_machine const& on, device& machine) {
    recurrence_problem problem(machine, 8, {{0, 4}, {1, 5}, {2, 6}, {3, 7}});
    auto const run = made_and_run<policies>("lrr", on, problem, {{4}});
    BOOST_TEST(run->loads().max == 2U);
    BOOST_TEST(run->loads().min == 2U);
  });
}

BOOST_AUTO_TEST_CASE(a_freed_task_does_not_overtake_the_queued_ones) {
  // One worker has 40 tasks at the start and takes 32 of them. The last of these frees one more.
  on_each_machine([](test_machine const& on, device& machine) {
    recurrence_problem problem(machine, 41, {{31, 40}});
    for (char const* const policy : {"lts", "lts-slots"}) {
      auto const run = made<policies>(policy, on, problem, {{1}});
      trace_buffer trace(machine, 1, 41);
      problem.clear();
      run->run(trace.arm());
      run->require_done();
      std::vector<trace_event> by_task(41);
      for (traced_task const& one : trace.events()) by_task[one.event.task] = one.event;
      for (std::uint32_t task = 32; task < 40; ++task)
        BOOST_TEST(by_task[task].end_ns <= by_task[40].begin_ns);
    }
  });
}

BOOST_AUTO_TEST_CASE(local_policies_leave_a_chain_where_it_begins) {
  on_each_machine([](test_machine const& on, device& machine) {
    recurrence_problem problem(machine, 40, chain_edges(40));
    for (char const* const policy : {"lf", "lf-task", "lts"}) {
      auto const run = made_and_run<policies>(policy, on, problem, {{3}});
      BOOST_TEST(run->loads().max == 40U);
      BOOST_TEST(run->loads().min == 0U);
    }
  });
}

BOOST_AUTO_TEST_CASE(a_timeout_names_the_waiting_workers_and_their_objects) {
  check_timeouts<policies>([](std::string_view) { return true; },
                           [](auto const&, std::string_view, task_dag const&, std::string const&,
                              bool is_counted) { BOOST_TEST(is_counted); });
}

BOOST_AUTO_TEST_CASE(a_host_worker_checks_the_time_between_two_tasks) {
  on_each_machine([](test_machine const& on, device& machine) {
    // A block of several threads would need a barrier for this.
    if (!machine.is_host()) return;
    double const limit_s = 0.05;
    // Each task takes a fifth of the time limit. Either all are in one buffer, or each is kept.
    switch_board board(machine, 30);
    for (task_dag const& dag : {dag_of(30, {}), dag_of(30, chain_edges(30))}) {
      for (std::string_view const policy : policies::names) {
        auto const run = policies::make(policy, machine, dag, switched_app::data(30),
                                        {{1, on.shape.threads, limit_s}}, board.app(limit_s / 5));
        for (bool const is_slow : {true, false}) {
          board.set(is_slow);
          run->run();
          if (!is_slow) {
            run->require_done();
            continue;
          }
          BOOST_CHECK_THROW(run->require_done(), timeout_error);
          BOOST_TEST(run->finished() >= 1U);
          BOOST_TEST(run->finished() <= 6U);
        }
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(the_run_after_a_stopped_one_is_complete) {
  // The first task takes longer than the time limit. It frees the others after the owner of the
  // second queue has left, so they stay in that queue. Written slots must not survive there.
  on_each_machine([](test_machine const& on, device& machine) {
    task_dag const dag = dag_of(101, edges_of("star:leaves=100"));
    switch_board board(machine, 101);
    double const limit_s = 3;
    auto const run = policies::make("lts-slots", machine, dag, switched_app::data(101),
                                    {{2, on.shape.threads, limit_s}}, board.app(1.2 * limit_s));
    for (bool const is_slow : {false, true, false}) {
      board.set(is_slow);
      run->run();
      if (is_slow) {
        BOOST_CHECK_THROW(run->require_done(), timeout_error);
        continue;
      }
      run->require_done();
      BOOST_TEST(machine.copy_to_host(board.runs) == std::vector<std::uint32_t>(101, 1),
                 per_element());
    }
  });
}

BOOST_AUTO_TEST_CASE(settings_out_of_range_are_refused) {
  check_settings<policies>([](std::string_view) { return true; });
  on_each_machine([](test_machine const& on, device& machine) {
    recurrence_problem problem(machine, 3, {});
    BOOST_CHECK_THROW(made<policies>("rr", on, problem, {}), usage_error);
    BOOST_TEST(made<policies>("lrr", on, problem, {{1}})->bytes() > 0U);
    task_dag const many = dag_of(100000, {});
    std::string const said = error_text<usage_error>([&] {
      policies::make("lrr", machine, many, switched_app::data(100000),
                     {{1 << 22, on.shape.threads}}, switched_app{});
    });
    BOOST_TEST(said.starts_with("--queue-length: "));
  });
}

BOOST_AUTO_TEST_SUITE_END()
