// Tests the general scheduler on the machines that this is linked for, with random graphs of
// dependencies and conflicts. The first case is for compute-sanitizer.

#include <algorithm>
#include <numeric>

#include "gridloom/random.hpp"
#include "gridloom/taskgraph/generate.hpp"
#include "gridloom/taskgraph/synthetic_graph.hpp"
#include "rivals/graph_executors.hpp"
#include "test_machines.hpp"

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::tiled_qr::general;

namespace {

/// A graph of dependencies, and the resources of its tasks.
struct problem {
  csr_graph after;
  std::vector<std::vector<std::uint32_t>> uses;
  std::uint32_t resources;

  [[nodiscard]] std::uint32_t tasks() const { return static_cast<std::uint32_t>(after.tasks()); }
  [[nodiscard]] task_graph graph() const {
    task_graph made({{"even", 1}, {"odd", 3}});
    for (std::uint32_t task = 0; task < tasks(); ++task) made.add_task(task % 2, task * 7);
    for (std::uint32_t r = 0; r < resources; ++r) made.add_resource();
    for (std::uint32_t task = 0; task < tasks(); ++task) {
      for (std::uint32_t const to : after.of(task)) made.add_dependency(task_id{task}, task_id{to});
      for (std::uint32_t const r : uses[task]) made.uses(task_id{task}, resource_id{r});
    }
    return made;
  }
};

/// The task numbers of the graph are in no topological order. A task uses up to three resources.
problem random_problem(std::uint32_t tasks, std::uint32_t resources, std::uint64_t seed) {
  random_source random(seed);
  problem made{generate_graph(
                   "random:tasks=" + std::to_string(tasks) + ",degree=4,least=0,shuffle=1,window=" +
                   std::to_string(4 + random.below(tasks)) + ",seed=" + std::to_string(seed)),
               std::vector<std::vector<std::uint32_t>>(tasks), resources};
  for (auto& of : made.uses) {
    if (resources == 0) continue;
    for (std::uint64_t k = random.below(4); k > 0; --k)
      of.push_back(static_cast<std::uint32_t>(random.below(resources)));
  }
  return made;
}

/// Computes a value from the predecessors' values. Also counts the uses of each resource by a load,
/// a pause and a store. If two tasks with the same resource run at the same time, counts are lost.
struct probe_body {
  struct scratch {
    std::uint32_t value;
  };

  std::uint64_t const* predecessor_offsets;
  std::uint32_t const* predecessors;
  std::uint64_t const* use_offsets;
  std::uint32_t const* uses;
  std::uint32_t* values;
  std::uint32_t* runs;
  std::uint32_t* counts;
  std::uint32_t* plain_counts;
  /// Length of the pause. It is long enough for other workers to interfere if the locks fail.
  std::uint64_t pause_ticks = 0;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block const& block, task_view const& task, scratch& own) const {
    direct_memory memory;
    std::uint32_t const number = task.number();
    if (block.thread_rank() == 0) {
      recurrence result(number);
      for (std::uint64_t e = predecessor_offsets[number]; e < predecessor_offsets[number + 1]; ++e)
        result.add(values[predecessors[e]]);
      bool const right = task.type() == number % 2 && task.payload<std::uint32_t>() == number * 7;
      own.value = right ? result.value() : 0;
    }
    block.sync();
    // The last thread writes, so the first thread's values must pass through the block's memory.
    if (block.thread_rank() != block.num_threads() - 1) return;
    for (std::uint64_t u = use_offsets[number]; u < use_offsets[number + 1]; ++u) {
      std::uint32_t const seen = memory.load_relaxed(counts + uses[u]);
      keep_busy(pause_ticks);
      memory.store_relaxed(counts + uses[u], seen + 1);
      ++plain_counts[uses[u]];
    }
    values[number] = own.value;
    ++runs[number];
  }
};

/// Device memory of the body for a graph.
struct probe_memory {
  csr_graph before;
  buffer<std::uint64_t> offsets, use_offsets;
  buffer<std::uint32_t> predecessors, uses, values, runs, counts, plain;

  probe_memory(device& machine, compiled_graph const& graph, std::uint32_t resources)
      : before(transposed(graph.successors)),
        offsets(machine.allocate_copy(before.row_offsets)),
        use_offsets(machine.allocate_copy(graph.use_offsets)),
        predecessors(machine.allocate_copy(before.columns)),
        uses(machine.allocate_copy(graph.uses)),
        values(machine.allocate<std::uint32_t>(graph.tasks())),
        runs(machine.allocate<std::uint32_t>(graph.tasks())),
        counts(machine.allocate<std::uint32_t>(resources)),
        plain(machine.allocate<std::uint32_t>(resources)) {}
  [[nodiscard]] probe_body body(std::uint64_t pause_ticks = 0) const {
    return {offsets.data(), predecessors.data(), use_offsets.data(), uses.data(), values.data(),
            runs.data(),    counts.data(),       plain.data(),       pause_ticks};
  }
};

struct settings_of_check {
  priority_by order = priority_by::critical_path;
  std::uint32_t classes = 8;
  execution how = execution::scheduled;
  std::uint64_t pause_ticks = 200;
};

void check(test_machine const& on, device& machine, problem const& of,
           settings_of_check const& wanted = {}, int runs = 2) {
  task_graph const built = of.graph();
  compiled_graph const graph = built.compile(wanted.order, wanted.classes);
  probe_memory const memory(machine, graph, of.resources);
  auto const run = make_executor(machine, graph, wanted.how,
                                 {.workers = on.shape.blocks, .threads = on.shape.threads},
                                 memory.body(wanted.pause_ticks));

  std::vector<std::uint32_t> const expected = synthetic_values(memory.before);
  std::vector<std::uint32_t> expected_counts(of.resources, 0);
  for (std::uint32_t const r : graph.uses) ++expected_counts[r];

  for (int again = 0; again < runs; ++again) {
    machine.fill_bytes(memory.values, 0xff);
    machine.fill_bytes(memory.runs, 0);
    machine.fill_bytes(memory.counts, 0);
    machine.fill_bytes(memory.plain, 0);
    run->run();
    run->require_done();
    BOOST_TEST(run->finished() == of.tasks());
    BOOST_TEST((machine.copy_to_host(memory.values) == expected));
    BOOST_TEST((machine.copy_to_host(memory.runs) == std::vector<std::uint32_t>(of.tasks(), 1)));
    BOOST_TEST((machine.copy_to_host(memory.counts) == expected_counts));
    BOOST_TEST((machine.copy_to_host(memory.plain) == expected_counts));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tiled_qr_general)

BOOST_AUTO_TEST_CASE(a_few_tasks_run_once_in_order_and_without_conflicts) {
  on_each_machine([](test_machine const& on, device& machine) {
    check(on, machine, random_problem(30, 3, 1), {}, 1);
  });
}

BOOST_AUTO_TEST_CASE(random_graphs_of_dependencies_and_conflicts_run_once_in_order_and_apart) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      BOOST_TEST_CONTEXT("seed " << seed) {
        auto const tasks = static_cast<std::uint32_t>(1 + 61 * (seed - 1));
        std::uint32_t const resources[] = {0, 1, 2, 40};
        check(on, machine, random_problem(tasks, resources[seed % 4], seed),
              {seed % 3 == 0 ? priority_by::none : priority_by::critical_path,
               seed % 2 == 0 ? 32U : 3U});
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(every_execution_keeps_dependencies_and_conflicts) {
  on_each_machine([](test_machine const& on, device& machine) {
    problem const of = random_problem(300, 5, 99);
    for (execution const how :
         {execution::scheduled, execution::in_order, execution::waves, execution::waves_graph})
      check(on, machine, of, {.how = how});
    // All tasks conflict, and are long enough to overlap if locks fail.
    problem const crowd{generate_graph("trivial:width=60,steps=1"),
                        std::vector<std::vector<std::uint32_t>>(60, {0, 1}), 2};
    for (execution const how : {execution::scheduled, execution::waves})
      check(on, machine, crowd, {.how = how, .pause_ticks = 50000});
  });
}

BOOST_AUTO_TEST_CASE(one_worker_meets_no_conflict) {
  on_each_machine([](test_machine const& on, device& machine) {
    task_graph graph({{"work", 1}});
    resource_id const only = graph.add_resource();
    for (int t = 0; t < 40; ++t) graph.uses(graph.add_task(0, std::uint32_t{0}), only);
    compiled_graph const made = graph.compile();
    probe_memory const memory(machine, made, 1);
    auto const run =
        make_executor(machine, made, {.workers = 1, .threads = on.shape.threads}, memory.body());
    run->run();
    run->require_done();
    BOOST_TEST(run->put_backs() == 0U);
  });
}

BOOST_AUTO_TEST_CASE(a_trace_has_every_task_once_and_in_order) {
  on_each_machine([](test_machine const& on, device& machine) {
    problem const of = random_problem(200, 0, 5);
    task_graph const built = of.graph();
    compiled_graph const graph = built.compile();
    probe_memory const memory(machine, graph, 0);
    auto const run = make_executor(
        machine, graph, {.workers = on.shape.blocks, .threads = on.shape.threads}, memory.body());
    trace_buffer trace(machine, on.shape.blocks, 200);
    run->run(trace.arm());
    run->require_done();
    std::vector<trace_event> by_task(200);
    auto const events = trace.events();
    BOOST_TEST(events.size() == 200U);
    for (traced_task const& one : events) by_task[one.event.task] = one.event;
    for (std::uint32_t task = 0; task < 200; ++task) {
      BOOST_TEST(by_task[task].type == task % 2);
      for (std::uint32_t const to : of.after.of(task))
        BOOST_TEST(by_task[task].end_ns <= by_task[to].begin_ns);
    }
  });
}

namespace {

/// A task that outlasts the test.
struct endless_body {
  using scratch = no_scratch;
  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block const&, task_view const&, scratch&) const {
    keep_busy(1000000);
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_timeout_names_what_each_worker_waited_for) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (bool const conflicts : {false, true}) {
      task_graph graph({{"work", 1}});
      resource_id const only = graph.add_resource();
      for (std::uint32_t t = 0; t < 100; ++t) {
        graph.add_task(0);
        if (conflicts) graph.uses(task_id{t}, only);
        if (!conflicts && t > 0) graph.add_dependency(task_id{t - 1}, task_id{t});
      }
      for (execution const how : {execution::scheduled, execution::in_order}) {
        auto const run = make_executor(machine, graph.compile(), how,
                                       {on.shape.blocks, on.shape.threads, 0.005}, endless_body{});
        run->run();
        std::string const said = error_text<timeout_error>([&] { run->require_done(); });
        BOOST_TEST(contains(said, "--timeout-s"));
        BOOST_TEST(contains(said, "worker "));
        BOOST_TEST(run->finished() < 100U);
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(a_grid_or_block_that_does_not_fit_is_refused) {
  on_each_machine([](test_machine const& on, device& machine) {
    task_graph graph({{"work", 1}});
    graph.add_task(0);
    compiled_graph const made = graph.compile();
    auto const run = make_executor(machine, made, {1 << 16, on.shape.threads}, endless_body{});
    BOOST_CHECK_THROW(run->run(), grid_error);
    BOOST_CHECK_THROW(make_executor(machine, made, {-1, 32}, endless_body{}), usage_error);
    BOOST_CHECK_THROW(make_executor(machine, made, {1, 257}, endless_body{}), usage_error);
    BOOST_CHECK_THROW(make_executor(machine, made, {1, 32, 0}, endless_body{}), usage_error);
    BOOST_TEST(make_executor(machine, made, {0, 32}, endless_body{})->workers() > 0);
  });
}

BOOST_AUTO_TEST_SUITE_END()
