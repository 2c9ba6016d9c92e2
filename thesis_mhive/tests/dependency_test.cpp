// Individual and grouped dependencies: the examples of chapter 5.3, random graphs of tasks against
// the serial order, and what is reported when a storage is full or a task is never released.

#include <boost/test/unit_test.hpp>

#include <numeric>

#include "random_graph.hpp"
#include "test_machines.hpp"
#include "test_support.hpp"

namespace gridloom::mhive::test {
namespace {

using gridloom::test::message_of;
using gridloom::test::test_machine;
using gridloom::test::test_machines;

BOOST_AUTO_TEST_SUITE(dependencies)

// Task X depends on Y and Z. `order` says who goes first; what X saw is counted.
struct example_data {
  dependency<struct task_x>* on_x;
  std::uint32_t* done;  // by y, by z; runs of x; what x saw of y and z
  int enqueue_first;    // whether X is enqueued before Y and Z, or by the last of them
  std::int32_t needed;
};
struct task_x {
  using work_item = int;
  using insert_policy = random_insert;
  static constexpr int worker_size = 1;
  static constexpr std::string_view name = "x";
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, int) {
    direct_memory memory;
    auto* const done = context.data().done;
    memory.fetch_add_relaxed(done + 2, 1U);
    memory.store_relaxed(done + 3, memory.load_relaxed(done) + memory.load_relaxed(done + 1));
  }
};
struct task_y {
  using work_item = int;  // 0: y, 1: z
  static constexpr int worker_size = 32;
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, int which) {
    direct_memory memory;
    if (context.worker().thread_rank() != 0) return;
    memory.store_relaxed(context.data().done + which, 1U);
    context.reduce(context.data().on_x);
    if (which == 0) {
      context.template enqueue<task_y>(1);
    } else if (context.data().enqueue_first == 0) {
      context.enqueue_with_dependencies(7, context.data().on_x, context.data().needed);
    }
  }
};
struct task_w {
  using work_item = int;
  static constexpr int worker_size = 1;
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, int) {
    example_data const& data = context.data();
    if (data.enqueue_first != 0) {
      context.enqueue_with_dependencies(7, data.on_x, data.needed);
      // The count of the first example includes the task that enqueues.
      if (data.needed == 3) context.reduce(data.on_x);
    }
    context.template enqueue<task_y>(0);
  }
};
using example_queue = phase_queue<phaseless<task_w, task_x, task_y>>;

template <class Scheduler>
std::vector<std::uint32_t> run_example(test_machine const& on, bool enqueue_first,
                                       std::int32_t needed) {
  auto& machine = *on.machine;
  auto on_x = machine.allocate_copy(std::vector<dependency<task_x>>(1));
  auto done = machine.allocate_copy(std::vector<std::uint32_t>(4));
  program<example_queue> example{machine,
                                 {.capacity = 16, .waiting = 4, .workers = on.shape.blocks}};
  example.template enqueue<task_w>(std::vector<int>{0});
  static_cast<void>(example.template run<Scheduler>(
      example_data{on_x.data(), done.data(), enqueue_first ? 1 : 0, needed}));
  BOOST_TEST(machine.copy_to_host(on_x)[0].word == 0);
  return machine.copy_to_host(done);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(three_dependencies_for_two_tasks_and_the_one_that_enqueues, Scheduler,
                              test_schedulers) {
  for (auto const& on : test_machines()) {
    std::vector<std::uint32_t> const expected{1, 1, 1, 2};
    BOOST_TEST(run_example<Scheduler>(on, true, 3) == expected);
    BOOST_TEST(run_example<Scheduler>(on, true, 2) == expected);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(dependencies_may_be_reduced_before_the_task_is_enqueued, Scheduler,
                              test_schedulers) {
  for (auto const& on : test_machines()) {
    std::vector<std::uint32_t> const expected{1, 1, 1, 2};  // -2 + 2 = 0
    BOOST_TEST(run_example<Scheduler>(on, false, 2) == expected);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_task_that_nobody_releases_is_reported, Scheduler, test_schedulers) {
  for (auto const& on : test_machines()) {
    std::string const message =
        message_of<run_error>([&] { static_cast<void>(run_example<Scheduler>(on, true, 5)); });
    BOOST_TEST(message ==
               "tasks wait for dependencies that nobody reduces: 1 of x: item 7 (3 missing)");
  }
}

// Groups of 5, 6 and 7 tasks; only the second is released.
struct group_data {
  group_dependency<struct member_task>* groups;
  int const* items;  // 0, 1, 2, ...
  std::uint32_t* executed;
};
struct member_task {
  using work_item = int;
  static constexpr int worker_size = 32;
  static constexpr std::string_view name = "member";
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, int) {
    if (context.worker().thread_rank() != 0) return;
    direct_memory{}.fetch_add_relaxed(context.data().executed, 1U);
  }
};
struct founding_task {
  using work_item = int;
  static constexpr int worker_size = 32;
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, int) {
    group_data const& data = context.data();
    for (int g = 0; g < 3; ++g) {
      context.enqueue_with_dependencies(data.groups + g, data.items,
                                        static_cast<std::uint32_t>(5 + g), 2);
      context.worker().sync();
    }
    context.reduce(data.groups + 1);
    context.reduce(data.groups + 1);
    context.reduce(data.groups + 2);
  }
};

BOOST_AUTO_TEST_CASE_TEMPLATE(groups_that_nobody_releases_are_reported, Scheduler,
                              test_schedulers) {
  for (auto const& on : test_machines()) {
    auto& machine = *on.machine;
    auto const groups = machine.allocate_copy(std::vector<group_dependency<member_task>>(3));
    auto const items = machine.allocate_copy(std::vector<int>{0, 1, 2, 3, 4, 5, 6});
    auto const executed = machine.allocate_copy(std::vector<std::uint32_t>(1));
    program<phase_queue<phaseless<founding_task, member_task>>> tasks{
        machine, {.capacity = 64, .workers = on.shape.blocks}};
    tasks.template enqueue<founding_task>(std::vector<int>{0});
    std::string const message = message_of<run_error>([&] {
      static_cast<void>(
          tasks.template run<Scheduler>(group_data{groups.data(), items.data(), executed.data()}));
    });
    BOOST_TEST(message ==
               "tasks wait for dependencies that nobody reduces: 12 in 2 groups, one of 5 (2 "
               "missing) of member");
    BOOST_TEST(machine.copy_to_host(executed)[0] == 6U);
  }
}

template <class Scheduler>
void check_graph(test_machine const& on, random_graph const& graph) {
  for (bool const grouped : {false, true}) {
    for (bool const early : {false, true}) {
      BOOST_TEST_CONTEXT("grouped " << grouped << ", early " << early << ", workers "
                                    << on.shape.blocks) {
        graph_result const got = run_graph<Scheduler>(on, graph, grouped, early);
        BOOST_TEST(got.values == graph.serial_values());
        BOOST_TEST(got.executions == std::vector<std::uint32_t>(graph.size(), 1U));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(random_graphs_give_the_result_of_the_serial_order, Scheduler,
                              test_schedulers) {
  for (auto const& on : test_machines()) {
    for (std::uint32_t seed = 1; seed <= 3; ++seed) {
      BOOST_TEST_CONTEXT("seed " << seed) { check_graph<Scheduler>(on, {seed, 2000, 6}); }
    }
  }
}

// Small enough for tools that watch every access.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_small_graph, Scheduler, test_schedulers) {
  for (auto const& on : test_machines()) check_graph<Scheduler>(on, {4, 100, 6});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_full_waiting_storage_is_an_error_that_names_it, Scheduler,
                              test_schedulers) {
  for (auto const& on : test_machines()) {
    random_graph const graph{1, 2000, 6};
    std::string const message = message_of<run_error>(
        [&] { static_cast<void>(run_graph<Scheduler>(on, graph, false, false, 64)); });
    BOOST_TEST(message == "waiting storage of node: full, all 64 slots are taken");
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace gridloom::mhive::test
