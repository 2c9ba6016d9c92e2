// The columns of the results and trace files, the summary on standard output.

#include <cmath>
#include <cstdio>
#include <map>

#include "experiment.hpp"
#include "gridloom/bench/statistics.hpp"

namespace gridloom::mhive::generic {

result_table runs_table() {
  using enum column_type;
  return {"runs",
          {
              {"experiment", text, "", "preset, or custom for a tree from a file"},
              {"arm", text, "", "scheduler and dependencies"},
              {"scheduler", text, "", "scheduler, as --scheduler names it"},
              {"dependencies", text, "", "phases, individual, or launches for the graph"},
              {"tree", text, "", "preset or file of the execution tree"},
              {"instances", integer, "1", "instances of the tree"},
              {"seed", integer, "1", "which transitions are taken follows from it"},
              {"tasks", integer, "1", "tasks of all instances"},
              {"backend", text, "", "host or cuda"},
              {"workers", integer, "1", "thread blocks or host threads asked for; 0: all that fit"},
              {"repetition", integer, "1", "number of the repetition"},
              {"order", integer, "1", "place among the arms of this repetition"},
              {"elapsed_ms", real, "ms",
               "all tasks: device events, or a steady clock on the host; NaN for a failed run"},
              {"wall_ms", real, "ms", "filling the queues, the run, and reading its words back"},
              {"phase_changes", integer, "1", "changes of the current phase"},
              {"rounds", integer, "1", "rounds of the controller; 0 where there is none"},
              {"launches", integer, "1", "kernels launched by a controller or the graph"},
              {"registers", integer, "1", "registers a thread of the largest kernel"},
              {"local_bytes", integer, "bytes", "local memory a thread of that kernel"},
              {"blocks_per_multiprocessor", integer, "1", "blocks of that kernel that run at once"},
              {"verified", text, "", "certificate of an untimed run: yes, no, off"},
              {"status", text, "", "ok, timeout, failed or wrong"},
          }};
}

std::vector<result_table> trace_tables(execution_tree const& tree,
                                       std::span<traced_run const> traces) {
  using enum column_type;
  auto const whole = [](auto value) { return static_cast<std::int64_t>(value); };
  result_table events{"trace",
                      {
                          {"arm", text, "", "scheduler and dependencies"},
                          {"worker", integer, "1", "warp or host worker that executed the task"},
                          {"node", integer, "1", "number of the task type, see tree"},
                          {"name", text, "", "name of the task type"},
                          {"begin_ns", integer, "ns", "begin, from the arm's first"},
                          {"end_ns", integer, "ns", "end, from the arm's first begin"},
                      }};
  for (traced_run const& traced : traces) {
    std::string const label = traced.what.label();
    for (auto const& [worker, event] : traced.tasks) {
      events.add_row({label, whole(worker), whole(event.type), tree.tasks().at(event.type).name,
                      whole(event.begin_ns), whole(event.end_ns)});
    }
  }
  result_table nodes{"tree",
                     {
                         {"node", integer, "1", "number in topological order"},
                         {"name", text, "", "name of the task type"},
                         {"phase", integer, "1", "phase, from 0"},
                         {"worker", integer, "1", "threads that execute a task together"},
                         {"flops", integer, "1", "floating-point operations of a task"},
                     }};
  for (std::size_t node = 0; node < tree.tasks().size(); ++node) {
    task_definition const& task = tree.tasks()[node];
    nodes.add_row({whole(node), task.name, whole(task.phase), whole(task.worker_size), task.flops});
  }
  result_table edges{"edges",
                     {
                         {"from", integer, "1", "node whose task the other depends on"},
                         {"to", integer, "1", "node that depends"},
                         {"probability", real, "1", "with which the transition is taken"},
                     }};
  for (transition const& edge : tree.transitions()) {
    edges.add_row({whole(edge.from), whole(edge.to), edge.probability});
  }
  return {std::move(events), std::move(nodes), std::move(edges)};
}

void print_summary(result_table const& runs, std::uint64_t seed) {
  struct line {
    std::vector<double> elapsed, wall;
    std::string verified, status = "ok";
    double tasks = 0;
  };
  std::map<std::string, line> lines;
  for (std::size_t i = 0; i < runs.rows(); ++i) {
    line& l = lines[runs.texts("arm")[i]];
    l.verified = runs.texts("verified")[i];
    l.tasks = static_cast<double>(runs.integers("tasks")[i]);
    if (runs.texts("status")[i] != "ok") {
      l.status = runs.texts("status")[i];
      continue;
    }
    l.elapsed.push_back(runs.reals("elapsed_ms")[i]);
    l.wall.push_back(runs.reals("wall_ms")[i]);
  }
  std::printf("%-34s %10s %23s %10s %10s %s\n", "arm", "run ms", "95 % interval", "tasks/s",
              "wall ms", "verified");
  for (auto const& [label, l] : lines) {
    if (l.elapsed.empty() || l.status != "ok") {
      std::printf("%-34s %s\n", label.c_str(), l.status.c_str());
      continue;
    }
    auto const t = bootstrap_median(l.elapsed, seed);
    std::printf("%-34s %10.4f [%10.4f,%10.4f] %10.3g %10.3f %s\n", label.c_str(), t.median, t.low,
                t.high, l.tasks / t.median * 1e3, median(l.wall), l.verified.c_str());
  }
}

}  // namespace gridloom::mhive::generic
