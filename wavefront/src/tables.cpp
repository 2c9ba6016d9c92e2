// The columns of the results file and the summary on standard output.

#include <cstdio>
#include <map>
#include <tuple>

#include "gridloom/statistics.hpp"
#include "wavefront/experiment.hpp"

namespace gridloom::wavefront {

result_table runs_table() {
  using enum column_type;
  return {"runs",
          {
              {"experiment", text, "", "experiment the row belongs to"},
              {"arm", text, "", "label of the configuration"},
              {"algorithm", text, "", "algorithm, as --algorithm names it"},
              {"graph", text, "", "lattice or dag"},
              {"rows", integer, "1", "rows of the lattice; 1 for a dag"},
              {"cols", integer, "1", "columns of the lattice; tasks of a dag"},
              {"depth", integer, "1", "depth of the lattice; 1 for a dag"},
              {"tasks", integer, "1", "tasks of the graph"},
              {"edges", integer, "1", "dependences of the graph"},
              {"backend", text, "", "host or cuda"},
              {"blocks", integer, "1", "workers: thread blocks or host threads"},
              {"threads", integer, "1", "threads of a block"},
              {"queues", integer, "1", "locked queues; 0 where there are none"},
              {"hash", text, "", "hash2 of multi_queue"},
              {"body", text, "", "what a task does: noop, work or recurrence"},
              {"work_ns", integer, "ns", "nominal length of a task's synthetic work"},
              {"width", text, "", "who executes a task: a lane (thread) or a block"},
              {"counters", integer, "1", "1: counting build, not to be timed"},
              {"repetition", integer, "1", "number of the repetition"},
              {"order", integer, "1", "place among the arms of this repetition"},
              {"elapsed_ms", real, "ms", "all tasks of the graph: device events, or a steady clock on the host"},
              {"wall_ms", real, "ms", "resetting the scheduler's words, the run, and reading the count back"},
              {"setup_ms", real, "ms", "allocation, host-side preparation and first reset of the arm, once"},
              {"executed", integer, "1", "tasks executed, by the scheduler's own count"},
              {"cas", integer, "1", "compare-and-swap operations of the scheduler (counting build)"},
              {"atomics", integer, "1", "other atomic operations of the scheduler (counting build)"},
              {"loads", integer, "1", "loads of shared words by the scheduler (counting build)"},
              {"stores", integer, "1", "stores to shared words by the scheduler (counting build)"},
              {"verified", text, "", "results of the recurrence equal a serial run's: yes, no, off"},
              {"status", text, "", "ok, timeout or wrong"},
              {"scheduler_bytes", integer, "bytes", "memory beside the graph and the tasks' results"},
              {"units", integer, "1", "tasks that can be executed at the same time"},
          }};
}

result_table trace_table() {
  using enum column_type;
  return {"trace",
          {
              {"arm", text, "", "label of the configuration"},
              {"worker", integer, "1", "worker that executed the task"},
              {"task", integer, "1", "number of the task"},
              {"type", integer, "1", "task type"},
              {"begin_ns", integer, "ns", "begin, on the clock of the backend"},
              {"end_ns", integer, "ns", "end, on the clock of the backend"},
          }};
}

void print_summary(result_table const& runs, double signal_ns, double atomic_ns, std::uint64_t seed) {
  struct line {
    std::vector<double> elapsed;
    double tasks = 0;
    double waves = 0;
    std::string verified;
    std::string status;
  };
  // Keyed by graph, label and grid, in the order of first appearance.
  std::vector<std::string> order;
  std::map<std::string, line> lines;
  for (std::size_t i = 0; i < runs.rows(); ++i) {
    if (runs.integers("counters")[i] != 0) continue;
    char key[200];
    std::snprintf(key, sizeof key, "%-34.34s %6lld x %-6lld %5lld x %-4lld", runs.texts("arm")[i].c_str(),
                  static_cast<long long>(runs.integers("rows")[i]), static_cast<long long>(runs.integers("cols")[i]),
                  static_cast<long long>(runs.integers("blocks")[i]),
                  static_cast<long long>(runs.integers("threads")[i]));
    std::string const name = std::string(key) + " " + std::to_string(runs.integers("work_ns")[i]) + " ns";
    auto [place, fresh] = lines.try_emplace(name);
    if (fresh) order.push_back(name);
    place->second.elapsed.push_back(runs.reals("elapsed_ms")[i]);
    place->second.tasks = static_cast<double>(runs.integers("tasks")[i]);
    place->second.verified = runs.texts("verified")[i];
    place->second.status = runs.texts("status")[i];
  }
  std::printf("floors of this run: signal between workers %.0f ns, atomic operation with result %.0f ns\n", signal_ns,
              atomic_ns);
  std::printf("%-34s %15s %12s %8s %10s %21s %12s  %s\n", "arm", "lattice", "blocks", "work", "median", "95 % interval",
              "tasks/s", "verified");
  for (auto const& name : order) {
    auto const& l = lines.at(name);
    if (l.status != "ok") {
      std::printf("%-80s %s\n", name.c_str(), l.status.c_str());
      continue;
    }
    auto const t = bootstrap_median(l.elapsed, seed);
    std::printf("%-72s %9.3f ms [%9.3f, %9.3f] %10.4g  %s\n", name.c_str(), t.median, t.low, t.high,
                l.tasks / t.median * 1e3, l.verified.c_str());
  }
}

}  // namespace gridloom::wavefront
