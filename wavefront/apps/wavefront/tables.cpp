// The columns of the results file and the summary on standard output.

#include <cstdio>
#include <map>

#include "gridloom/bench/statistics.hpp"
#include "experiment.hpp"

namespace gridloom::wavefront {

result_table runs_table() {
  using enum column_type;
  return {
      "runs",
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
          {"critical_path", integer, "1", "tasks on the longest path"},
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
          {"elapsed_ms", real, "ms",
           "all tasks of the graph: device events, or a steady clock on the host"},
          {"wall_ms", real, "ms",
           "resetting the scheduler's words, the run, and reading the count back"},
          {"setup_ms", real, "ms",
           "allocation, host-side preparation and first reset of the arm, once"},
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

namespace {

/// What the summary prints of one configuration.
struct summary_line {
  std::vector<double> elapsed, wall;
  double setup = 0;
  double tasks = 0;
  double path = 0;
  double bytes = 0;
  std::string verified;
  std::string status;
};

/// Grid and graph beside the label, aligned, so that keys sort as a reader would.
std::string key_of(result_table const& runs, std::size_t row) {
  auto const whole = [&](char const* name) {
    return static_cast<long long>(runs.integers(name)[row]);
  };
  char key[240];
  std::snprintf(key, sizeof key, "%-32.32s %6lld x %-6lld %5lld x %-4lld %7lld",
                runs.texts("arm")[row].c_str(), whole("rows"), whole("cols"), whole("blocks"),
                whole("threads"), whole("work_ns"));
  return key;
}

}  // namespace

void print_summary(result_table const& runs, double signal_ns, double atomic_ns,
                   std::uint64_t seed) {
  std::map<std::string, summary_line> lines;
  for (std::size_t i = 0; i < runs.rows(); ++i) {
    if (runs.integers("counters")[i] != 0) continue;
    auto& l = lines[key_of(runs, i)];
    l.elapsed.push_back(runs.reals("elapsed_ms")[i]);
    l.wall.push_back(runs.reals("wall_ms")[i]);
    l.setup = runs.reals("setup_ms")[i];
    l.tasks = static_cast<double>(runs.integers("tasks")[i]);
    l.path = static_cast<double>(runs.integers("critical_path")[i]);
    l.bytes = static_cast<double>(runs.integers("scheduler_bytes")[i]);
    l.verified = runs.texts("verified")[i];
    l.status = runs.texts("status")[i];
  }
  if (lines.empty()) return;
  std::printf(
      "floors of this run: signal between workers %.0f ns, atomic operation with result %.0f ns\n",
      signal_ns, atomic_ns);
  std::printf("%-32s %15s %12s %7s | %9s %21s %9s %8s %7s | %9s %8s %s\n", "arm", "lattice",
              "blocks", "work ns", "run ms", "95 % interval", "tasks/s", "ns/hop", "B/task",
              "with reset", "set-up", "verified");
  for (auto const& [key, l] : lines) {
    if (l.status != "ok") {
      std::printf("%s | %s\n", key.c_str(), l.status.c_str());
      continue;
    }
    auto const t = bootstrap_median(l.elapsed, seed);
    std::printf("%s | %9.3f [%9.3f,%9.3f] %9.3g %8.0f %7.1f | %9.1f %8.1f %s\n", key.c_str(),
                t.median, t.low, t.high, l.tasks / t.median * 1e3, t.median * 1e6 / l.path,
                l.bytes / l.tasks, median(l.wall), l.setup, l.verified.c_str());
  }
}

}  // namespace gridloom::wavefront
