#pragma once
// The test that every scheduler of task graphs passes. A scheduler takes part through a function
// that makes its executor.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gridloom/taskgraph/executor.hpp"
#include "gridloom/taskgraph/generate.hpp"
#include "gridloom/taskgraph/patterns.hpp"
#include "gridloom/taskgraph/synthetic_graph.hpp"
#include "test_machines.hpp"

namespace gridloom::test {

/// Makes the executor of a scheduler. The graph has passed check_dag and has a task.
using executor_maker = std::function<std::unique_ptr<executor>(
    device&, csr_graph const&, synthetic_graph_ref const&, executor_settings const&)>;

struct named_graph {
  std::string name;
  csr_graph graph;
};

/// Every pattern as one chain of steps, as a wide and as a square graph; one task; a random graph.
inline std::vector<named_graph> const& executor_graphs() {
  static std::vector<named_graph> const all = [] {
    // Task numbers also fall along edges, and some tasks have none.
    auto const* const random = "random:tasks=700,window=700,degree=4,least=0,shuffle=1,seed=3";
    std::vector<named_graph> made{{"one task", {{0, 0}, {}}},
                                  {"random graph, shuffled", generate_graph(random)}};
    for (std::string_view const name : pattern_names()) {
      for (auto const& [width, steps] : {std::pair{1, 40}, {130, 3}, {17, 17}}) {
        std::string const size = std::to_string(width) + " x " + std::to_string(steps);
        made.push_back({std::string(name) + ", " + size, make_pattern(name, width, steps, 7)});
      }
    }
    return made;
  }();
  return all;
}

/// Runs a graph several times and requires that each task ran once, after its predecessors.
inline void check_runs(test_machine const& on, csr_graph const& graph, std::int64_t work_ns,
                       task_durations durations, executor_maker const& make) {
  device& machine = *on.machine;
  synthetic_graph tasks(machine, graph);
  tasks.set_work(work_ns, durations, 3);
  auto const run =
      make(machine, graph, tasks.ref(), {.workers = on.shape.blocks, .threads = on.shape.threads});
  BOOST_TEST(run->workers() >= 1);
  BOOST_TEST(run->launches() >= 1U);
  for (int again = 0; again < 3; ++again) {
    tasks.clear();
    run->run();
    BOOST_CHECK_NO_THROW(run->require_done());
    BOOST_TEST(run->finished() == graph.tasks());
    tasks.fetch();
    BOOST_CHECK_NO_THROW(tasks.verify());
  }
}

/// Empty and short tasks on all graphs. Some of the short tasks are long.
inline void check_executor(executor_maker const& make) {
  on_each_machine([&](test_machine const& on, device&) {
    for (named_graph const& one : executor_graphs()) {
      for (std::int64_t const work_ns : {0, 700}) {
        BOOST_TEST_CONTEXT(one.name << ", " << work_ns << " ns") {
          check_runs(on, one.graph, work_ns, task_durations::rare_long, make);
        }
      }
    }
  });
}

}  // namespace gridloom::test
