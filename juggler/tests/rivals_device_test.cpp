// The rivals of the runtime, on host threads or on a GPU, depending on the build. compute-sanitizer
// runs the first case.

#include "juggler/rivals/run_rivals.hpp"
#include "method_checks.hpp"
#include "test_machines.hpp"

BOOST_AUTO_TEST_SUITE(juggler_rivals)

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::juggler;
using namespace gridloom::juggler::test;

namespace {

constexpr std::string_view one_launch_rivals[] = {"grid_sync", "static_lists", "ticket", "chains"};

bool keeps_workers(std::string_view rival) {
  return std::count(std::begin(one_launch_rivals), std::end(one_launch_rivals), rival) != 0;
}

/// The rivals, for method_checks.hpp.
struct checked_rivals : rivals {
  static bool has_loads(std::string_view rival) { return keeps_workers(rival); }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_few_tasks_run_once_and_after_their_parents) {
  on_each_machine([](test_machine const& on, device&) {
    check<checked_rivals>(on, 30, random_edges(30, 1), 1);
  });
}

BOOST_AUTO_TEST_CASE(any_number_of_workers_ends_however_they_are_numbered) {
  check_numbers_of_workers<checked_rivals>();
}

BOOST_AUTO_TEST_CASE(graphs_of_extreme_shapes_end) { check_extreme_shapes<checked_rivals>(); }

BOOST_AUTO_TEST_CASE(an_executor_names_the_placing_of_its_workers) {
  on_each_machine([](test_machine const& on, device& machine) {
    recurrence_problem problem(machine, 5, {});
    for (worker_placing const placing : {worker_placing::blocks, worker_placing::multiprocessors}) {
      auto const run = made<rivals>("chains", on, problem, {{.placing = placing}});
      BOOST_TEST(run->placing() == name_of(machine.is_host() ? worker_placing::blocks : placing));
    }
  });
}

namespace {

/// Records how many blocks had each worker number, and on which multiprocessor.
struct places_kernel {
  static constexpr bool persistent = true;
  static constexpr int max_threads = 256;
  struct scratch {
    int worker;
  };
  worker_places_ref where;
  std::uint32_t* blocks;
  std::uint32_t* multiprocessor;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block grid_block, scratch& shared) const {
    auto const block = as_worker(grid_block, where, shared.worker);
    if (block.thread_rank() + 1 != block.num_threads()) return;
    direct_memory{}.fetch_add_relaxed(blocks + block.index(), 1U);
    multiprocessor[block.index()] = this_multiprocessor().own;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(numbers_of_workers_are_distinct_and_on_the_multiprocessors_that_they_name) {
  on_each_machine([](test_machine const& on, device& machine) {
    auto const all = static_cast<std::uint32_t>(machine.properties().multiprocessors);
    int const workers = machine.is_host()
                            ? on.shape.blocks
                            : machine.resident_blocks<places_kernel>(on.shape.threads);
    for (worker_placing const placing : {worker_placing::blocks, worker_placing::multiprocessors}) {
      BOOST_TEST_CONTEXT(name_of(placing)) {
        worker_places const places(machine, workers, workers, {.placing = placing});
        auto const blocks = machine.allocate<std::uint32_t>(static_cast<std::size_t>(workers));
        auto const found = machine.allocate<std::uint32_t>(static_cast<std::size_t>(workers));
        machine.fill_bytes(blocks, 0);
        for (int run = 0; run < 3; ++run)
          machine.launch({workers, on.shape.threads},
                         places_kernel{places.ref(), blocks.data(), found.data()});
        for (std::uint32_t const count : machine.copy_to_host(blocks)) BOOST_REQUIRE(count == 3U);
        if (places.placing() == worker_placing::blocks) continue;
        std::vector<std::uint32_t> const where = machine.copy_to_host(found);
        for (std::size_t k = 0; k < where.size(); ++k) BOOST_REQUIRE(where[k] == k % all);
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(runs_without_waits_in_between_are_all_complete) {
  on_each_machine([](test_machine const& on, device& machine) {
    recurrence_problem problem(machine, 200, random_edges(200, 6));
    for (std::string_view const rival : rivals::names) {
      auto const run = made<rivals>(rival, on, problem, {{3}});
      problem.clear();
      for (int again = 0; again < 5; ++again) run->run();
      run->require_done();
      BOOST_TEST(run->finished() == 200U);
      BOOST_TEST(problem.ran_times(5));
    }
  });
}

BOOST_AUTO_TEST_CASE(lists_share_tasks_evenly) {
  on_each_machine([](test_machine const& on, device& machine) {
    recurrence_problem problem(machine, 203, random_edges(203, 7));
    auto const run = made_and_run<rivals>("static_lists", on, problem, {{4}});
    BOOST_TEST(run->loads().max == 51U);
    BOOST_TEST(run->loads().min == 50U);
  });
}

namespace {

/// Counts how often each task is prefetched.
struct asked_app {
  struct task_data {
    std::uint32_t number;
  };
  using scratch = no_scratch;
  static constexpr int max_threads = 256;
  std::uint32_t* asked;

  GRIDLOOM_FN void prefetch(std::uint32_t, task_data const& of) const {
    direct_memory{}.fetch_add_relaxed(asked + of.number, 1U);
  }
  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block const&, std::uint32_t, task_data const&, scratch&) const {}
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_list_worker_prefetches_once_for_each_next_task) {
  on_each_machine([](test_machine const& on, device& machine) {
    constexpr std::uint32_t tasks = 40;
    std::vector<asked_app::task_data> data;
    for (std::uint32_t t = 0; t < tasks; ++t) data.push_back({t});
    auto const asked = machine.allocate<std::uint32_t>(tasks);
    for (std::string_view const rival : one_launch_rivals) {
      BOOST_TEST_CONTEXT(rival) {
        machine.fill_bytes(asked, 0);
        auto const run = rivals::make(rival, machine, dag_of(tasks, chain_edges(tasks)), data,
                                      {{1, on.shape.threads}}, asked_app{asked.data()});
        run->run();
        run->require_done();
        // The first task is not prefetched, because no task runs before it.
        bool const knows = rival == "static_lists" || rival == "chains";
        std::vector<std::uint32_t> expected(tasks, knows ? 1 : 0);
        expected[0] = 0;
        BOOST_TEST(machine.copy_to_host(asked) == expected, per_element());
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(levels_are_cut_by_kernel_type) {
  // The levels are 0 1, 2 to 6, and 7. A task's type is its number mod 3.
  task_groups const groups =
      rival::levels_by_type(dag_of(8, {{0, 2}, {0, 3}, {0, 4}, {1, 5}, {1, 6}, {6, 7}}));
  BOOST_TEST(groups.tasks == (std::vector<std::uint32_t>{0, 1, 3, 6, 4, 2, 5, 7}), per_element());
  BOOST_TEST(groups.first == (std::vector<std::uint32_t>{0, 1, 2, 4, 5, 7, 8}), per_element());
  BOOST_TEST(rival::levels_by_type(dag_of(0, {})).groups() == 0U);
}

BOOST_AUTO_TEST_CASE(a_type_without_a_kernel_is_refused) {
  on_each_machine([](test_machine const&, device& machine) {
    recurrence_problem const problem(machine, 1, {});
    dag_builder made(1, 0, range_matching::overlapping);
    made.add_task(recurrence_app::kernel_types);
    BOOST_CHECK_THROW(rivals::make("barriers_sync", machine, made.build(), recurrence_app::data(1),
                                   {}, problem.app()),
                      usage_error);
  });
}

BOOST_AUTO_TEST_CASE(there_is_one_launch_per_wave_or_per_wave_and_type) {
  on_each_machine([](test_machine const& on, device& machine) {
    // The waves have 2, 5 and 1 tasks.
    recurrence_problem problem(machine, 8,
                               {{0, 2}, {0, 3}, {0, 4}, {1, 5}, {1, 6}, {6, 7}, {2, 7}, {0, 7}});
    for (std::string_view const rival : rivals::names) {
      // The largest launch by type has two tasks.
      bool const by_type = rival == "barriers_sync";
      auto const run = made<rivals>(rival, on, problem, {{4}});
      BOOST_TEST(run->launches() == (keeps_workers(rival) ? 1U : by_type ? 6U : 3U));
      BOOST_TEST(run->workers() == (by_type ? 2 : 4));
      BOOST_TEST(run->bytes() > 0U);
      if (!machine.is_host() && !keeps_workers(rival))
        BOOST_TEST(made<rivals>(rival, on, problem, {})->workers() == (by_type ? 2 : 5));
    }
  });
}

BOOST_AUTO_TEST_CASE(a_timeout_names_the_waiting_workers_and_their_objects) {
  check_timeouts<rivals>(keeps_workers, [](test_machine const& on, std::string_view rival,
                                           task_dag const& dag, std::string const& said, bool) {
    // Two workers may both have stopped inside a task. With `chains`, one worker has all tasks.
    if (dag.ready.size() == 1 && on.shape.blocks > 2 && rival != "chains")
      BOOST_TEST(contains(said, rival == "grid_sync" ? "waited for barrier" : "waited for task"));
  });
}

namespace {

/// A chain whose waves take a fifth of the time limit when they are slow. It is short, so that slow
/// machines launch it in time when they are not.
void check_ends_before_the_next_wave(std::string_view rival, bool also_on_gpus) {
  on_each_machine([&](test_machine const& on, device& machine) {
    if (!machine.is_host() && !also_on_gpus) return;
    double const limit_s = 0.05;
    constexpr std::uint32_t waves = 40;
    switch_board board(machine, waves);
    auto const run =
        rivals::make(rival, machine, dag_of(waves, chain_edges(waves)), switched_app::data(waves),
                     {{on.shape.blocks, on.shape.threads, limit_s}}, board.app(limit_s / 5));
    for (bool const is_slow : {false, true, true, false}) {
      board.set(is_slow);
      run->run();
      if (!is_slow) {
        run->require_done();
        BOOST_TEST(run->finished() == waves);
        continue;
      }
      std::string const said = error_text<timeout_error>([&] { run->require_done(); });
      auto const runs = machine.copy_to_host(board.runs);
      BOOST_TEST(run->finished() == std::accumulate(runs.begin(), runs.end(), 0U));
      BOOST_TEST(run->finished() >= 1U);
      BOOST_TEST(run->finished() <= 6U);
      std::string const done = std::to_string(run->finished());
      BOOST_TEST(said.starts_with("timeout after 0.05 s (--timeout-s): " + done +
                                  " of 40 tasks finished; the host launched "),
                 said);
    }
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(barriers_beyond_their_time_end_before_the_next_wave) {
  // A GPU queues all these launches before the first one ends, unless the host waits for each.
  check_ends_before_the_next_wave("barriers", false);
  check_ends_before_the_next_wave("barriers_sync", true);
}

BOOST_AUTO_TEST_CASE(a_single_wave_on_the_host_ends_within_its_time) {
  on_each_machine([](test_machine const& on, device& machine) {
    // A GPU finishes all queued launches.
    if (!machine.is_host()) return;
    double const limit_s = 0.05;
    switch_board board(machine, 400);
    for (std::string_view const rival : {"barriers", "graph"}) {
      auto const run =
          rivals::make(rival, machine, dag_of(400, {}), switched_app::data(400),
                       {{on.shape.blocks, on.shape.threads, limit_s}}, board.app(limit_s / 5));
      for (bool const is_slow : {true, false}) {
        board.set(is_slow);
        run->run();
        if (is_slow) {
          std::string const said = error_text<timeout_error>([&] { run->require_done(); });
          BOOST_TEST(said.starts_with("timeout after 0.05 s (--timeout-s): "), said);
          BOOST_TEST(run->finished() <= 6U * static_cast<unsigned>(on.shape.blocks));
        } else {
          run->require_done();
          BOOST_TEST(run->finished() == 400U);
        }
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(the_run_after_a_stopped_one_is_complete) {
  on_each_machine([](test_machine const& on, device& machine) {
    task_dag const dag = dag_of(300, random_edges(300, 8));
    switch_board board(machine, 300);
    for (std::string_view const rival : one_launch_rivals) {
      BOOST_TEST_CONTEXT(rival) {
        double const limit_s = 1;
        auto const run = rivals::make(rival, machine, dag, switched_app::data(300),
                                      {{2, on.shape.threads, limit_s}}, board.app(0.3 * limit_s));
        board.set(true);
        run->run();
        BOOST_CHECK_THROW(run->require_done(), timeout_error);
        board.set(false);
        run->run();
        run->require_done();
        BOOST_TEST(run->finished() == 300U);
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(settings_out_of_range_are_refused) {
  check_settings<rivals>(keeps_workers);
  on_each_machine([](test_machine const& on, device& machine) {
    recurrence_problem problem(machine, 3, {});
    std::string const said =
        error_text<usage_error>([&] { made<rivals>("lrr", on, problem, {{1}}); });
    BOOST_TEST(contains(said, "static_lists"));
  });
}

BOOST_AUTO_TEST_SUITE_END()
