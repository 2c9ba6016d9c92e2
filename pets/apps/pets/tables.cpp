#include "scheduling.hpp"

#include <algorithm>
#include <vector>

#include "gridloom/bench/text_table.hpp"
#include "pets/rivals/host_threads.hpp"

namespace gridloom::pets {
namespace {

constexpr char const* graph_text = "file or specification of the task graph";
constexpr char const* seed_text = "seed of a generated graph";
constexpr char const* unit_text = "us or 1: of makespans, starts, finishes, costs and ranks";
constexpr char const* algorithm_text = "list scheduler and policy";

std::string steps_text(step_times const& steps) {
  if (!steps.metrics_ms) return "";
  std::string text = bench::shown_number(steps.entries_ms.value_or(0));
  for (auto const& ms : {steps.metrics_ms, steps.sort_ms, steps.selection_ms}) {
    text += " + " + bench::shown_number(ms.value_or(0));
  }
  return text;
}

}  // namespace

bench::schema<run_row> run_columns() {
  using row = run_row;
  return {
      {"graph", "", graph_text, &scene::name},
      {"graph_seed", "1", seed_text, &scene::seed},
      {"algorithm", "", algorithm_text, [](row const& r) { return r.by->name; }},
      {"implementation", "", "implementation of the steps", &row::method},
      {"selection", "", "host or device: where processors are selected", &row::selection},
      {"tasks", "1", "number of tasks", &scene::tasks},
      {"edges", "1", "number of edges", &scene::edges},
      {"depth", "1", "tasks on the longest path", &scene::depth},
      {"processors", "1", "number of processors", &scene::processors},
      {"workers", "1", "requested number of workers; 0: the implementation's choice",
       &row::workers},
      {"threads", "1", "requested threads per block; 0: the implementation's choice",
       &row::threads},
      {"entries_ms", "ms", "entry discovery; NaN if not timed separately", &row::steps,
       &step_times::entries_ms},
      {"metrics_ms", "ms", "levels and ranks; NaN if not timed separately", &row::steps,
       &step_times::metrics_ms},
      {"sort_ms", "ms", "order; NaN if not timed separately", &row::steps, &step_times::sort_ms},
      {"selection_ms", "ms", "selection of processors; NaN if not timed separately", &row::steps,
       &step_times::selection_ms},
      {"metrics_bytes", "bytes",
       "read and written by entry discovery and metrics in their layout; 0 on the host",
       &row::metrics_bytes},
      {"padding", "1",
       "neighbours that the layout has room for, over those that there are; NaN on the host",
       &row::padding},
      {"launches", "1", "kernels of these two steps", &row::launches},
      {"makespan", "1", "finish of the last task, in the column unit", &row::found,
       &quality::makespan},
      {"unit", "", unit_text, &scene::unit},
      {"slr", "1", "makespan over the critical path with least costs", &row::found, &quality::slr},
      {"speedup", "1", "least time on one processor over the makespan", &row::found,
       &quality::speedup},
      {"efficiency", "1", "speedup over the processors", &row::found, &quality::efficiency},
  };
}

bench::schema<analysed_graph> graph_columns() {
  using row = analysed_graph;
  return {
      {"graph", "", graph_text, &row::name},
      {"graph_seed", "1", seed_text, &row::seed},
      {"processors", "1", "number of processors", &row::processors},
      {"unit", "", unit_text, &row::unit},
      {"platform", "",
       "processors and links of a graph from a file, in words; empty for generated graphs",
       &row::platform},
      {"sha256", "", "checksum of the file; empty for generated graphs", &row::sha256},
      {"kind", "", "random, topcuoglu, file, or the name of another generator", &row::parameters,
       &graph_parameters::kind},
      {"tasks", "1", "number of tasks", &row::tasks},
      {"edges", "1", "number of edges", &row::edges},
      {"depth", "1", "tasks on the longest path", &row::depth},
      {"widest_level", "1", "tasks of the widest level", &row::widest_level},
      {"lower_bound", "1", "critical path with least costs, or least costs over the processors",
       [](row const& g) { return lower_bound(g.graph); }},
      {"v", "1", "requested tasks; here and below, -1: no parameter of this kind", &row::parameters,
       &graph_parameters::v},
      {"alpha", "1", "shape", &row::parameters, &graph_parameters::alpha},
      {"beta", "1", "mean out-degree", &row::parameters, &graph_parameters::beta},
      {"ccr", "1", "communication to computation", &row::parameters, &graph_parameters::ccr},
      {"eta", "1", "range of a task's costs", &row::parameters, &graph_parameters::eta},
      {"jump", "1", "levels that an edge may span; 0: any", &row::parameters,
       &graph_parameters::jump},
      {"degree", "1", "most children and most parents of a task; 0: any", &row::parameters,
       &graph_parameters::degree},
  };
}

bench::schema<copy_row> copy_columns() {
  return {
      {"backend", "", "host or cuda", &copy_row::backend},
      {"repetition", "1", "number of the repetition", &copy_row::repetition},
      {"bytes", "bytes",
       "read and written by a copy within the machine's memory, by all host threads on the host",
       &copy_row::bytes},
      {"elapsed_ms", "ms", "time of the copy", &copy_row::elapsed_ms},
  };
}

bench::schema<task_row> task_columns() {
  using row = task_row;
  using graph = analysed_graph;
  return {
      {"graph", "", graph_text, &graph::name},
      {"graph_seed", "1", seed_text, &graph::seed},
      {"algorithm", "", algorithm_text, &row::algorithm},
      {"processors", "1", "number of processors", &graph::processors},
      {"task", "1", "number of the task", &row::task},
      {"name", "", "name of the task",
       [](row const& r) { return r.problem->graph.name_of(r.task); }},
      {"level", "1", "number of edges on the longest path from an entry",
       [](row const& r) { return r.problem->by.level[r.task]; }},
      {"rank", "1", "rank by PETS: ACC + DTC + RPT",
       [](row const& r) { return r.problem->by.rank[r.task]; }},
      {"place", "1", "position of the task in the algorithm's order", &row::place},
      {"processor", "1", "processor of the task", &row::at, &placement::processor},
      {"start", "1", "start of the task, in the column unit", &row::at, &placement::start},
      {"finish", "1", "end of the task, in the column unit", &row::at, &placement::finish},
      {"unit", "", unit_text, &graph::unit},
  };
}

void show_runs(bench::harness<run_row>& all) {
  all.show("graph", &scene::name);
  all.show("depth", &scene::depth);
  all.show("makespan", [](run_row const& r) {
    std::string const& unit = r.problem->unit();
    return std::to_string(r.found.makespan) + (unit == "1" ? "" : " " + unit);
  });
  all.show("SLR", &run_row::found, &quality::slr);
  all.show("speedup", &run_row::found, &quality::speedup);
  all.show("eff.", &run_row::found, &quality::efficiency);
  all.show("last: entries + metrics + sort + selection", &run_row::steps, steps_text);
}

void add_schedule(analysed_graph const& of, std::string_view algorithm, schedule const& made,
                  bench::table<task_row>& to) {
  std::vector<std::uint32_t> places(of.tasks());
  for (std::uint32_t i = 0; i < of.tasks(); ++i) places[made.order[i]] = i;
  for (std::uint32_t task = 0; task < of.tasks(); ++task) {
    to.add({&of, algorithm, task, places[task], made.of[task]});
  }
}

void add_copies(device& machine, int repetitions, bench::table<copy_row>& to) {
  // Larger than the caches of a server.
  std::size_t const bytes = std::size_t{1} << 28U;
  auto const from = machine.allocate<std::uint64_t>(bytes / sizeof(std::uint64_t));
  auto const copy = machine.allocate<std::uint64_t>(bytes / sizeof(std::uint64_t));
  machine.fill_bytes(from, 0);
  for (int k = -1; k < repetitions; ++k) {
    double const elapsed_ms = machine.time_ms([&] {
      if (!machine.is_host()) return machine.copy_on_device(copy, from);
      auto const threads = static_cast<std::size_t>(all_host_threads());
      by_host_threads(all_host_threads(), [&](int i) {
        std::size_t const begin = from.size() * static_cast<std::size_t>(i) / threads;
        std::size_t const end = from.size() * static_cast<std::size_t>(i + 1) / threads;
        std::copy(from.data() + begin, from.data() + end, copy.data() + begin);
      });
    });
    if (k >= 0) to.add({machine.properties().backend, k, 2 * bytes, elapsed_ms});
  }
}

}  // namespace gridloom::pets
