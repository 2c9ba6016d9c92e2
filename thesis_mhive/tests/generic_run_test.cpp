// Tests runs of the presets under all schedulers, with phases and with individual dependencies, and
// runs of the baseline. Certificates compare them with the serial order.

#include <boost/test/unit_test.hpp>
#include <set>
#include <utility>

#include "generic_run.hpp"
#include "gridloom/error.hpp"
#include "test_machines.hpp"
#include "test_support.hpp"
#include "tree_file.hpp"

namespace gridloom::mhive::generic::test {
namespace {

using namespace gridloom::test;

constexpr std::uint32_t instances = 200;
constexpr std::uint64_t seed = 7;

struct case_of_run {
  std::string_view scheduler;
  dependencies kind;
};
std::vector<case_of_run> all_cases() {
  std::vector<case_of_run> cases;
  for (std::string_view const scheduler : {"time_sliced", "megakernel", "megakernel_1024",
                                           "device_controller", "resident_controller"}) {
    for (dependencies const kind : {dependencies::phases, dependencies::individual}) {
      cases.push_back({scheduler, kind});
    }
  }
  return cases;
}

std::unique_ptr<tree_runner> make_runner(device& machine, tree_run const& run, dependencies kind) {
  return kind == dependencies::phases ? make_phases_runner(machine, run)
                                      : make_individual_runner(machine, run);
}

// Runs twice with and twice without a certificate, because each run starts with the memory that the
// previous one left. The certificates must show no faults.
void check(device& machine, tree_runner& runner, execution_tree const& tree, std::uint32_t n,
           std::string_view scheduler, dependencies kind) {
  certificate record{machine, tree, n};
  for (int repetition = 0; repetition < 2; ++repetition) {
    run_probe probe;
    probe.certificate = record.arm();
    (void)runner.run(scheduler, probe);
    for (std::string const& fault : record.faults(seed, kind)) BOOST_ERROR(fault);
    (void)runner.run(scheduler, {});
  }
}

BOOST_AUTO_TEST_SUITE(generic_runs)

BOOST_AUTO_TEST_CASE(every_task_runs_once_and_after_its_predecessors) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (std::string_view const name : {"fig7.1", "fig7.2"}) {
      execution_tree const tree = preset_tree("--preset", name);
      tree_run const run{&tree, instances, seed, on.shape.blocks, 60};
      for (case_of_run const& c : all_cases()) {
        BOOST_TEST_CONTEXT(name << ", " << c.scheduler << ", phases "
                                << (c.kind == dependencies::phases)) {
          auto const runner = make_runner(machine, run, c.kind);
          check(machine, *runner, tree, instances, c.scheduler, c.kind);
        }
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(the_baseline_keeps_the_same_order) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (std::string_view const name : {"fig7.1", "fig7.2"}) {
      execution_tree const tree = preset_tree("--preset", name);
      auto const runner = make_graph_runner(machine, {&tree, instances, seed, on.shape.blocks, 60});
      check(machine, *runner, tree, instances, "graph", dependencies::individual);
    }
  });
}

// The tree has all worker sizes, all phases, a task that skips to the last phase, and tasks with
// many predecessors.
BOOST_AUTO_TEST_CASE(trees_of_full_size_run) {
  std::string text;
  for (int task = 0; task < most_tasks; ++task) {
    constexpr int sizes[] = {1, 32, 64, 256};
    std::string const name = "n" + std::to_string(task);
    text += "task " + name + " flops=" + std::to_string(task % 5 * 300) +
            " worker=" + std::to_string(sizes[task % 4]) + " phase=" + std::to_string(task / 4) +
            "\n";
    if (task < 4) continue;
    for (int before = task / 4 * 4 - 4; before < task / 4 * 4; ++before) {
      if ((task + before) % 4 == 3) continue;
      text += "edge n" + std::to_string(before) + " " + name + " probability=0.6\n";
    }
    if (task >= 28) text += "edge n0 " + name + "\n";
  }
  execution_tree const tree = parse_tree(text, "full");
  on_each_machine([&](test_machine const& on, device& machine) {
    tree_run const run{&tree, 40, seed, on.shape.blocks, 60};
    for (case_of_run const& c : all_cases()) {
      BOOST_TEST_CONTEXT(c.scheduler << ", phases " << (c.kind == dependencies::phases)) {
        auto const runner = make_runner(machine, run, c.kind);
        check(machine, *runner, tree, 40, c.scheduler, c.kind);
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(a_single_task_without_work_runs) {
  execution_tree const tree = parse_tree("task only flops=0 worker=1\n", "one");
  on_each_machine([&](test_machine const& on, device& machine) {
    for (case_of_run const& c : all_cases()) {
      auto const runner = make_runner(machine, {&tree, 1, seed, on.shape.blocks, 60}, c.kind);
      check(machine, *runner, tree, 1, c.scheduler, c.kind);
    }
  });
}

BOOST_AUTO_TEST_CASE(a_trace_holds_every_task_once) {
  execution_tree const tree = preset_tree("--preset", "fig7.2");
  auto const counts = count_tasks(tree, seed, instances);
  on_each_machine([&](test_machine const& on, device& machine) {
    for (case_of_run const& c : all_cases()) {
      auto const runner =
          make_runner(machine, {&tree, instances, seed, on.shape.blocks, 60}, c.kind);
      // Time-sliced kernels have one worker per task. On the host, one worker may execute all
      // tasks.
      trace_buffer events = machine.is_host() ? trace_buffer{machine, on.shape.blocks + 1, 1 << 12}
                                              : trace_buffer{machine, 1 << 13, 1 << 11};
      run_probe probe;
      probe.trace = events.arm();
      (void)runner->run(c.scheduler, probe);
      BOOST_TEST(events.dropped() == 0U);
      std::vector<std::uint64_t> seen(counts.size());
      std::set<std::pair<std::uint32_t, std::uint32_t>> tasks;
      for (traced_task const& task : events.events()) {
        ++seen.at(task.event.type);
        BOOST_TEST(task.event.task < instances);
        BOOST_TEST(tasks.emplace(task.event.task, task.event.type).second);
      }
      BOOST_TEST(seen == counts);
    }
  });
}

BOOST_AUTO_TEST_CASE(a_tree_that_contradicts_its_phases_is_refused) {
  execution_tree const tree = parse_tree(
      "task a flops=1 worker=1 phase=1\ntask b flops=1 worker=1 phase=1\nedge a b\n", "f");
  on_each_machine([&](test_machine const& /*on*/, device& machine) {
    BOOST_TEST(message_of<usage_error>([&] {
                 (void)make_phases_runner(machine, {&tree, 1, seed, 1, 60});
               }).starts_with("f:3: expected with phases"));
  });
}

BOOST_AUTO_TEST_CASE(instances_beyond_memory_are_refused) {
  execution_tree const tree = preset_tree("--preset", "fig7.2");
  device_properties small;
  small.name = "small";
  small.memory_bytes = std::size_t{1} << 20U;
  std::vector<dependencies> const kinds{dependencies::individual};
  BOOST_CHECK_NO_THROW(require_memory(small, tree, 100, kinds, true, "--instances"));
  auto const refused = [&](std::uint32_t n) {
    return message_of<usage_error>(
        [&] { require_memory(small, tree, n, kinds, true, "--instances"); });
  };
  BOOST_TEST(
      refused(100000).starts_with("--instances: expected instances that fit into the 1 MiB"));
  BOOST_TEST(refused(2000000000).starts_with("--instances: expected at most 2^30 tasks"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace gridloom::mhive::generic::test
