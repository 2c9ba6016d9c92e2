// Tests individual and grouped dependencies: the examples of chapter 5.3, and random graphs by
// grouped dependencies (graph_executor_test.cpp has individual ones). Also tests the report of a
// task that is never released.

#include <boost/test/unit_test.hpp>

#include "forest.hpp"
#include "gridloom/taskgraph/device_graph.hpp"
#include "gridloom/taskgraph/generate.hpp"
#include "gridloom/taskgraph/synthetic_graph.hpp"
#include "test_machines.hpp"
#include "test_support.hpp"

namespace gridloom::mhive::test {
namespace {

using namespace gridloom::test;

BOOST_AUTO_TEST_SUITE(dependencies)

// Task X depends on Y and Z. The test counts which executions of Y and Z task X saw.
struct example_data {
  dependency<struct task_x>* on_x;
  /// Four counts: executions of Y, of Z and of X, and the number of executions of Y and Z together
  /// that X saw.
  std::uint32_t* done;
  /// Whether X is enqueued before Y and Z, or by the last of them.
  int enqueue_first;
  std::int32_t needed;
};
struct task_x : task_of<1, int> {
  using insert_policy = random_insert;
  static constexpr std::string_view name = "x";
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, int) {
    direct_memory memory;
    auto* const done = context.data().done;
    memory.fetch_add_relaxed(done + 2, 1U);
    memory.store_relaxed(done + 3, memory.load_relaxed(done) + memory.load_relaxed(done + 1));
  }
};
struct task_y : task_of<32, int> {
  // Item 0 is Y, item 1 is Z.
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
struct task_w : task_of<1, int> {
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, int) {
    example_data const& data = context.data();
    if (data.enqueue_first != 0) {
      context.enqueue_with_dependencies(7, data.on_x, data.needed);
      // In the first example, the count includes the enqueueing task.
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
  example_data const data{on_x.data(), done.data(), enqueue_first ? 1 : 0, needed};
  (void)run_from<Scheduler, example_queue, task_w>(on, {0}, data, {.capacity = 16, .waiting = 4});
  BOOST_TEST(machine.copy_to_host(on_x)[0].word == 0);
  return machine.copy_to_host(done);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(tasks_wait_for_their_dependencies_however_early_they_are_reduced,
                              Scheduler, test_schedulers) {
  std::vector<std::uint32_t> const expected{1, 1, 1, 2};
  for (auto const& on : test_machines()) {
    BOOST_TEST(run_example<Scheduler>(on, true, 3) == expected);
    BOOST_TEST(run_example<Scheduler>(on, true, 2) == expected);
    // Reduced before the task is enqueued: the count ends at -2 + 2 = 0.
    BOOST_TEST(run_example<Scheduler>(on, false, 2) == expected);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_task_that_nobody_releases_is_reported, Scheduler, test_schedulers) {
  for (auto const& on : test_machines()) {
    std::string const message =
        message_of<run_error>([&] { (void)run_example<Scheduler>(on, true, 5); });
    BOOST_TEST(message ==
               "tasks wait for dependencies that no task reduces: 1 of x: item 7 (3 missing)");
  }
}

// Reductions beyond the needed number count for the dependency's next task.
struct surplus_data {
  dependency<struct surplus_task>* on;
  std::uint32_t* executions;
};
struct surplus_task : task_of<1> {
  using insert_policy = random_insert;
  static constexpr std::string_view name = "surplus";
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t number) {
    surplus_data const& data = context.data();
    direct_memory{}.fetch_add_relaxed(data.executions + number, 1U);
    // Three reductions come early, and one is left for task 2.
    if (number == 0) {
      context.reduce(data.on, 3);
      context.enqueue_with_dependencies(1U, data.on, 2);
    } else if (number == 1) {
      // One reduction is left from before, and the second task brings three. So one is left again.
      context.enqueue_with_dependencies(2U, data.on, 3);
      context.reduce(data.on, 3);
    } else if (number == 2) {
      context.enqueue_with_dependencies(3U, data.on, 1);
    }
  }
};

BOOST_AUTO_TEST_CASE_TEMPLATE(reductions_beyond_those_needed_count_for_the_next_task, Scheduler,
                              test_schedulers) {
  for (auto const& on : test_machines()) {
    auto& machine = *on.machine;
    auto const dependencies = machine.allocate_copy(std::vector<dependency<surplus_task>>(1));
    auto const executions = machine.allocate_copy(std::vector<std::uint32_t>(4));
    (void)run_from<Scheduler, phase_queue<phaseless<surplus_task>>, surplus_task>(
        on, {0}, surplus_data{dependencies.data(), executions.data()},
        {.capacity = 16, .waiting = 4});
    BOOST_TEST(machine.copy_to_host(executions) == std::vector<std::uint32_t>(4, 1U));
    BOOST_TEST(machine.copy_to_host(dependencies)[0].word == 0);
  }
}

// There are groups of 5, 6 and 7 tasks. Only the second is released.
struct group_data {
  group_dependency<struct member_task>* groups;
  /// 0, 1, 2, ...
  std::uint32_t const* items;
  std::uint32_t* executions;
  /// The group's size, in the cases with only one group.
  std::uint32_t size;
};
/// Members count their executions.
struct member_task : task_of<1> {
  static constexpr bool grouped = true;
  static constexpr std::string_view name = "member";
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t number) {
    direct_memory{}.fetch_add_relaxed(context.data().executions + number, 1U);
  }
};
struct founding_task : task_of<32, int> {
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
    auto const items = machine.allocate_copy(numbers_below(7));
    auto const executions = machine.allocate_copy(std::vector<std::uint32_t>(7));
    using queue = phase_queue<phaseless<founding_task, member_task>>;
    group_data const data{groups.data(), items.data(), executions.data(), 0};
    std::string const message = message_of<run_error>(
        [&] { (void)run_from<Scheduler, queue, founding_task>(on, {0}, data, {.capacity = 64}); });
    BOOST_TEST(message ==
               "tasks wait for dependencies that no task reduces: 12 in 2 groups, one of 5 (2 "
               "missing) of member");
    BOOST_TEST(machine.copy_to_host(executions) ==
               (std::vector<std::uint32_t>{1, 1, 1, 1, 1, 1, 0}));
  }
}

// A graph whose tasks are groups of one. That is enough to test the release, and such groups are
// easily confused with single tasks. Edges lead to higher and to lower numbers, so some groups are
// enqueued before and some after their predecessors have run.
struct graph_data {
  synthetic_graph_ref tasks;
  dag_ref graph;
  group_dependency<struct node_task>* groups;
  /// 0, 1, 2, ...: the items of the groups.
  std::uint32_t const* numbers;
};
struct node_task : task_of<32> {
  static constexpr bool grouped = true;
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t number) {
    graph_data const& data = context.data();
    data.tasks.execute(context.worker(), number);
    auto const next = data.graph.successors(number);
    for (std::uint32_t k = 0; k < next.size(); ++k) context.reduce(data.groups + next[k]);
  }
};
/// Enqueues 32 tasks, from the one that its item names on.
struct sow_task : task_of<32> {
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t from) {
    graph_data const& data = context.data();
    for (std::uint32_t k = from; k < from + 32 && k < data.graph.tasks(); ++k) {
      auto const needed = static_cast<std::int32_t>(data.graph.dependencies(k));
      context.enqueue_with_dependencies(data.groups + k, data.numbers + k, 1, needed);
      context.worker().sync();
    }
  }
};

template <class Scheduler>
void check_graph(test_machine const& on, std::string const& specification) {
  auto& machine = *on.machine;
  csr_graph const rows = generate_graph(specification);
  auto const size = static_cast<std::uint32_t>(rows.tasks());
  device_graph const graph(machine, rows);
  synthetic_graph tasks(machine, rows, 0);
  tasks.clear();
  auto const groups = machine.allocate_copy(std::vector<group_dependency<node_task>>(size));
  auto const numbers = machine.allocate_copy(numbers_below(size));
  std::vector<std::uint32_t> begins;
  for (std::uint32_t k = 0; k < size; k += 32) begins.push_back(k);
  (void)run_from<Scheduler, phase_queue<phaseless<sow_task, node_task>>, sow_task>(
      on, begins,
      graph_data{tasks.ref(), std::get<dag_ref>(graph.view()), groups.data(), numbers.data()},
      {.capacity = 4096});
  tasks.fetch();
  BOOST_CHECK_NO_THROW(tasks.verify());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(random_graphs_run_by_grouped_dependencies, Scheduler,
                              test_schedulers) {
  for (auto const& on : test_machines()) {
    for (char const seed : {'1', '2', '3'}) {
      BOOST_TEST_CONTEXT("seed " << seed) {
        check_graph<Scheduler>(
            on,
            std::string("random:tasks=2000,window=2000,degree=4,least=0,shuffle=1,seed=") + seed);
      }
    }
  }
}

// This graph is small enough for tools that check every access.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_small_graph_runs_by_grouped_dependencies, Scheduler,
                              test_schedulers) {
  for (auto const& on : test_machines()) {
    check_graph<Scheduler>(on, "random:tasks=100,window=100,degree=4,least=0,shuffle=1,seed=4");
  }
}

// The host enqueues all tasks of a graph with their dependencies.
struct host_task;
struct host_data {
  synthetic_graph_ref tasks;
  dag_ref graph;
  dependency<host_task>* on;
};
struct host_task : task_of<32> {
  using insert_policy = random_insert;
  static constexpr std::string_view name = "host";
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t number) {
    host_data const& data = context.data();
    data.tasks.execute(context.worker(), number);
    context.worker().sync();
    if (context.worker().thread_rank() != 0) return;
    auto const next = data.graph.successors(number);
    for (std::uint32_t k = 0; k < next.size(); ++k) context.reduce(data.on + next[k]);
  }
};
using host_queue = phase_queue<phaseless<host_task>>;

BOOST_AUTO_TEST_CASE_TEMPLATE(a_graph_whose_tasks_the_host_enqueued_runs_again_and_again, Scheduler,
                              test_schedulers) {
  for (auto const& on : test_machines()) {
    auto& machine = *on.machine;
    csr_graph const rows =
        generate_graph("random:tasks=300,window=300,degree=4,least=0,shuffle=1,seed=4");
    device_graph const graph(machine, rows);
    auto const dag = std::get<dag_ref>(graph.view());
    synthetic_graph tasks(machine, rows, 0);
    std::vector<std::int32_t> needed(rows.tasks());
    for (std::uint32_t const to : rows.columns) ++needed[to];
    // The last task has one reduction from before the first run.
    std::vector<dependency<host_task>> fresh(rows.tasks());
    fresh.back().word = dependency<host_task>::of(-1, 0);
    auto const waits = machine.allocate_copy(fresh);
    std::vector<std::uint32_t> const numbers = numbers_below(static_cast<std::uint32_t>(300));
    program<host_queue> of{machine, {.capacity = 512, .waiting = 300, .workers = on.shape.blocks}};
    std::span<std::uint32_t const> const all{numbers};
    ++needed.back();
    // Two calls share the storage.
    of.enqueue_with_dependencies(all.first(100), waits.data(), std::span{needed}.first(100));
    of.enqueue_with_dependencies(all.subspan(100), waits.data() + 100,
                                 std::span{needed}.subspan(100));
    for (int run = 0; run < 3; ++run) {
      tasks.clear();
      (void)of.template run<Scheduler>(host_data{tasks.ref(), dag, waits.data()});
      tasks.fetch();
      BOOST_CHECK_NO_THROW(tasks.verify());
      for (auto const& word : machine.copy_to_host(waits)) BOOST_TEST(word.word == 0);
      machine.copy_to_device(waits, std::span<dependency<host_task> const>{fresh});
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(tasks_of_the_host_that_cannot_run_are_reported, Scheduler,
                              test_schedulers) {
  for (auto const& on : test_machines()) {
    auto& machine = *on.machine;
    auto const waits = machine.allocate_copy(std::vector<dependency<host_task>>(20));
    std::vector<std::uint32_t> const numbers = numbers_below(20);
    std::vector<std::int32_t> const needed(20);
    auto const message = [&](std::size_t items, std::size_t words, std::int32_t first) {
      program<host_queue> of{machine, {.capacity = 8, .waiting = 16, .workers = on.shape.blocks}};
      std::vector<std::int32_t> counts(needed.begin(), needed.begin() + static_cast<int>(words));
      if (first > 0) counts.at(0) = first;
      auto const run = [&] {
        of.enqueue_with_dependencies(std::span{numbers}.first(items), waits.data(), counts);
        (void)of.template run<Scheduler>(host_data{});
      };
      return first > 0 ? message_of<run_error>(run) : message_of<usage_error>(run);
    };
    BOOST_TEST(message(17, 17, 0) == "waiting storage of host: expected at most 16 items, got 17");
    BOOST_TEST(message(9, 9, 0) == "queue of host: expected at most 8 items, got 9");
    BOOST_TEST(message(2, 1, 0) ==
               "enqueue_with_dependencies: expected a number of reductions for each of 2 items, "
               "got 1");
    BOOST_TEST(message(1, 1, 3) ==
               "tasks wait for dependencies that no task reduces: 1 of host: item 0 (3 missing)");
  }
}

// One dependency precedes tasks of two types in turn. A third type of the queue never waits.
template <int Turn>
struct turn_task;
struct turns_data {
  dependency<>* on;
  /// For each number, how often a task of type 0 had it, and 100 times how often one of type 1.
  std::uint32_t* executions;
  bool each;
};
/// Adds a task of the other type for the next number, and releases it.
template <int Turn>
struct turn_task : task_of<Turn == 0 ? 1 : 32> {
  using insert_policy = random_insert;
  static constexpr std::string_view name = Turn == 0 ? "even" : "odd";
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t number) {
    turns_data const& data = context.data();
    bool const first = context.worker().thread_rank() == 0;
    if (first) direct_memory{}.fetch_add_relaxed(data.executions + number, Turn == 0 ? 1U : 100U);
    if (number >= 99) return;
    using next = turn_task<1 - Turn>;
    // Every third task is released before it is enqueued.
    bool const before = number % 3 == 0;
    if (before && first) context.reduce(data.on);
    if (first) context.template enqueue_with_dependencies<next>(number + 1, data.on, 1);
    context.worker().sync();
    if (before) return;
    if (data.each) {
      context.reduce_each(first, data.on);
    } else if (first) {
      context.reduce(data.on);
    }
  }
};
/// Reduces the first dependency, and has 64 tasks on the others that it releases at once.
struct sow_turns_task : task_of<32> {
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, std::uint32_t) {
    turns_data const& data = context.data();
    auto const& worker = context.worker();
    if (worker.thread_rank() == 0) context.reduce(data.on);
    for (int begin = 0; begin < 64; begin += worker.num_threads()) {
      auto const k = static_cast<std::uint32_t>(begin + worker.thread_rank());
      dependency<>* const own = data.on + 1 + k;
      if (k % 2 == 0) {
        context.template enqueue_with_dependencies<turn_task<0>>(100 + k, own, 1);
      } else {
        context.template enqueue_with_dependencies<turn_task<1>>(100 + k, own, 1);
      }
      worker.sync();
      context.reduce_each(true, own);
    }
  }
};
using turns_queue = phase_queue<phaseless<sow_turns_task, turn_task<0>>, phase<turn_task<1>>>;

BOOST_AUTO_TEST_CASE_TEMPLATE(a_dependency_without_a_type_precedes_tasks_of_several_types,
                              Scheduler, test_schedulers) {
  for (auto const& on : test_machines()) {
    auto& machine = *on.machine;
    auto const waits = machine.allocate_copy(std::vector<dependency<>>(65));
    auto const executions = machine.allocate<std::uint32_t>(164);
    program<turns_queue> tasks{machine,
                               {.capacity = 128, .waiting = 64, .workers = on.shape.blocks}};
    std::vector<std::uint32_t> const zero{0};
    std::vector<std::int32_t> const one{1};
    tasks.enqueue_with_dependencies<turn_task<0>>(zero, waits.data(), one);
    auto const run = [&](bool each) {
      machine.fill_bytes(executions, 0);
      (void)tasks.template run<Scheduler>(turns_data{waits.data(), executions.data(), each});
    };
    BOOST_TEST(message_of<run_error>([&] { run(true); }) ==
               "tasks wait for dependencies that no task reduces: 1 of even: item 0 (1 missing)");
    machine.fill_bytes(waits, 0);
    tasks.enqueue<sow_turns_task>(zero);
    std::vector<std::uint32_t> expected;
    for (std::uint32_t k = 0; k < 164; ++k) expected.push_back(k % 2 == 0 ? 1U : 100U);
    for (bool const each : {false, true}) {
      run(each);
      BOOST_TEST(machine.copy_to_host(executions) == expected);
      for (auto const& word : machine.copy_to_host(waits)) BOOST_TEST(word.word == 0);
    }
  }
}

// The group's owner enqueues and releases the members. No member begins before all are in the
// queue.
template <int Size>
struct owner_task : task_of<Size, int> {
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, int) {
    group_data const& data = context.data();
    context.enqueue_with_dependencies(data.groups, data.items, data.size, 1);
    context.reduce(data.groups);
  }
};

template <class Scheduler, int Size>
std::vector<std::uint32_t> run_group(test_machine const& on, std::uint32_t size,
                                     std::uint32_t capacity = 1024) {
  auto& machine = *on.machine;
  auto const group = machine.allocate_copy(std::vector<group_dependency<member_task>>(1));
  auto const items = machine.allocate_copy(numbers_below(size));
  // Tasks whose items lie past the group's end would write to the additional memory.
  auto const executions = machine.allocate_copy(std::vector<std::uint32_t>(size + 64));
  using queue = phase_queue<phaseless<>, phase<owner_task<Size>>, phase<member_task>>;
  group_data const data{group.data(), items.data(), executions.data(), size};
  (void)run_from<Scheduler, queue, owner_task<Size>>(on, {0}, data, {.capacity = capacity});
  return machine.copy_to_host(executions);
}

// Covers teams of warps. racecheck skips these tests (see artifact.toml).
BOOST_TEST_DECORATOR(*boost::unit_test::label("teams"))
BOOST_AUTO_TEST_CASE_TEMPLATE(a_group_of_any_size_is_released_once_and_whole, Scheduler,
                              test_schedulers) {
  for (auto const& on : test_machines()) {
    // The sizes are around a batch, a warp, and the number of items that a warp takes at a time.
    for (std::uint32_t const size : {1U, 7U, 8U, 9U, 31U, 33U, 255U, 256U, 257U, 1000U}) {
      BOOST_TEST_CONTEXT("size " << size << ", workers " << on.shape.blocks) {
        std::vector<std::uint32_t> expected(size, 1U);
        expected.resize(size + 64);
        BOOST_TEST((run_group<Scheduler, 1>(on, size) == expected));
        BOOST_TEST((run_group<Scheduler, 32>(on, size) == expected));
        BOOST_TEST((run_group<Scheduler, 128>(on, size) == expected));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_group_that_its_queue_has_no_room_for_is_an_error, Scheduler,
                              test_schedulers) {
  for (auto const& on : test_machines()) {
    std::string const message =
        message_of<run_error>([&] { (void)run_group<Scheduler, 32>(on, 1000, 16); });
    BOOST_TEST(message == "queue of member: full, all 16 slots are taken");
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace gridloom::mhive::test
