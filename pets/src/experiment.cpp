#include "experiment.hpp"

#include <algorithm>
#include <cstdio>

#include "gridloom/clock.hpp"
#include "gridloom/experiment.hpp"
#include "pets/list_scheduler.hpp"
#include "pets/priorities.hpp"

namespace gridloom::pets {
namespace {

struct timed {
  schedule made;
  // Of PETS; its three steps.
  double priorities_ms = 0;
  double order_ms = 0;
  double selection_ms = 0;
  double elapsed_ms = 0;
};

double ms_since(std::uint64_t begin_ns) { return static_cast<double>(now_ns() - begin_ns) * 1e-6; }

timed run_once(task_graph const& graph, list_scheduler const& by) {
  timed result;
  std::uint64_t const begin = now_ns();
  if (by.run != static_cast<decltype(by.run)>(pets)) {
    result.made = by.run(graph, by.how);
    result.elapsed_ms = ms_since(begin);
    return result;
  }
  priorities const found = priorities_of(graph);
  result.priorities_ms = ms_since(begin);
  auto const order = order_of(graph, found);
  result.order_ms = ms_since(begin) - result.priorities_ms;
  result.made = select_processors(graph, order, by.how);
  result.elapsed_ms = ms_since(begin);
  result.selection_ms = result.elapsed_ms - result.priorities_ms - result.order_ms;
  return result;
}

list_scheduler const& scheduler_named(std::string const& name) {
  for (list_scheduler const& one : list_schedulers()) {
    if (one.name == name) return one;
  }
  throw std::invalid_argument("no list scheduler " + name);
}

struct arm {
  named_graph const* of;
  list_scheduler const* by;
  std::uint32_t levels;
  std::string status;  // "" until the first schedule was seen
  schedule first;
  quality found;
  std::vector<double> times_ms;
};

class session {
 public:
  session(common_options const& common, bool store_schedules)
      : common_(common), store_schedules_(store_schedules) {}

  void run_arm(arm& one, int repetition, outcome& result) const {
    timed const done = run_once(one.of->graph, *one.by);
    if (one.status.empty()) {
      look_at(one, done.made, result);
      one.first = done.made;
    } else if (done.made.of != one.first.of) {
      one.status = "differs";
      fail(one, "expected the schedule of the first repetition, got another", result);
    }
    if (repetition < 0) return;
    one.times_ms.push_back(done.elapsed_ms);
    task_graph const& graph = one.of->graph;
    auto const part = [&](double ms) { return one.by->run == pets ? ms : -1.0; };
    result.runs.add_row(
        {one.of->name, static_cast<std::int64_t>(one.of->seed), std::string(one.by->name),
         std::string("host"), std::int64_t{graph.num_tasks},
         static_cast<std::int64_t>(graph.num_edges()), std::int64_t{one.levels},
         std::int64_t{graph.num_processors}, std::int64_t{repetition}, done.elapsed_ms,
         part(done.priorities_ms), part(done.order_ms), part(done.selection_ms),
         static_cast<std::int64_t>(one.found.makespan), one.found.slr, one.found.speedup,
         one.found.efficiency, std::int64_t{common_.verify ? 1 : 0}, one.status});
  }

 private:
  static void fail(arm const& one, std::string const& why, outcome& result) {
    if (!result.failed.empty()) return;
    result.failed = one.of->name + ", " + std::string(one.by->name) + ": " + why;
  }
  void look_at(arm& one, schedule const& made, outcome& result) const {
    task_graph const& graph = one.of->graph;
    one.status = "ok";
    one.found = quality_of(graph, made);
    if (common_.verify) {
      std::string const wrong = check_schedule(graph, made);
      if (!wrong.empty()) {
        one.status = "wrong";
        fail(one, wrong, result);
      }
    }
    if (!store_schedules_) return;
    for (std::uint32_t task = 0; task < graph.num_tasks; ++task) {
      placement const& at = made.of[task];
      result.schedules.add_row({one.of->name, static_cast<std::int64_t>(one.of->seed),
                                std::string(one.by->name), std::int64_t{graph.num_processors},
                                std::int64_t{task}, graph.name_of(task), std::int64_t{at.processor},
                                static_cast<std::int64_t>(at.start),
                                static_cast<std::int64_t>(at.finish)});
    }
  }

  common_options const& common_;
  bool store_schedules_;
};

void print(arm const& one, std::uint64_t seed) {
  auto const t = bootstrap_median(one.times_ms, seed);
  std::printf("%-32s %-15s %12llu %8.4f %8.4f %8.4f %10.4f [%.4f, %.4f] %s\n", one.of->name.c_str(),
              std::string(one.by->name).c_str(),
              static_cast<unsigned long long>(one.found.makespan), one.found.slr, one.found.speedup,
              one.found.efficiency, t.median, t.low, t.high, one.status.c_str());
}

}  // namespace

result_table runs_table() {
  using enum column_type;
  return {"runs",
          {{"graph", text, "", "file or specification of the task graph"},
           {"graph_seed", integer, "1", "seed of a generated graph"},
           {"algorithm", text, "", "list scheduler and policy"},
           {"backend", text, "", "host or cuda"},
           {"tasks", integer, "1", "tasks"},
           {"edges", integer, "1", "edges"},
           {"levels", integer, "1", "tasks on the longest path"},
           {"processors", integer, "1", "processors"},
           {"repetition", integer, "1", "number of the repetition"},
           {"elapsed_ms", real, "ms", "from the graph to the schedule"},
           {"priorities_ms", real, "ms", "levels and ranks; -1 where not told apart"},
           {"order_ms", real, "ms", "order; -1 where not told apart"},
           {"selection_ms", real, "ms", "selection of processors; -1 where not told apart"},
           {"makespan", integer, "1", "finish of the last task, in units of the graph"},
           {"slr", real, "1", "makespan over the critical path with least costs"},
           {"speedup", real, "1", "least time on one processor over the makespan"},
           {"efficiency", real, "1", "speedup over the processors"},
           {"verified", integer, "1", "1: the schedule was checked"},
           {"status", text, "", "ok, wrong, or differs: from the first repetition"}}};
}

result_table schedules_table() {
  using enum column_type;
  return {"schedules",
          {{"graph", text, "", "file or specification of the task graph"},
           {"graph_seed", integer, "1", "seed of a generated graph"},
           {"algorithm", text, "", "list scheduler and policy"},
           {"processors", integer, "1", "processors there are"},
           {"task", integer, "1", "number of the task"},
           {"name", text, "", "name of the task"},
           {"processor", integer, "1", "where it runs"},
           {"start", integer, "1", "when it starts, in units of the graph"},
           {"finish", integer, "1", "when it is done, in units of the graph"}}};
}

outcome run(graph_source const& graphs, std::vector<std::string> const& algorithms,
            common_options const& common, bool store_schedules) {
  outcome result{runs_table(), schedules_table(), {}};
  session const running{common, store_schedules};
  std::printf("%-32s %-15s %12s %8s %8s %8s %10s\n", "graph", "algorithm", "makespan", "SLR",
              "speedup", "eff.", "ms");
  for (std::size_t number = 0; number < graphs.count; ++number) {
    named_graph const graph = graphs.make(number);
    std::vector<arm> arms;
    std::uint32_t const levels = levels_of(graph.graph).num_levels;
    for (std::string const& name : algorithms) {
      arms.push_back({&graph, &scheduler_named(name), levels, {}, {}, {}, {}});
    }
    for (int k = -common.warmup; k < common.repeat; ++k) {
      auto const turn = static_cast<std::size_t>(k + common.warmup);
      for (std::size_t const i : balanced_order(arms.size(), turn, common.seed)) {
        running.run_arm(arms[i], k, result);
      }
    }
    for (arm const& one : arms) print(one, common.seed);
  }
  return result;
}

}  // namespace gridloom::pets
