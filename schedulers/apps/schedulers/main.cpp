// gridloom-schedulers: the same task graphs under the schedulers of all artifacts.

#include <algorithm>
#include <filesystem>
#include <optional>

#include "apps/schedulers/metg.hpp"
#include "gridloom/bench/inputs.hpp"
#include "gridloom/taskgraph/generate.hpp"

namespace gridloom::schedulers {

namespace {

struct request {
  std::vector<std::string> specifications;
  bench::graph_input graph;
  std::vector<std::string> durations{"constant"};
  std::vector<std::int64_t> work_ns{0};
  std::vector<std::string> level_blocks{level_blocks_names[0]};
  bool metg = false;
};

struct named_graph {
  std::string name;
  csr_graph graph;
};

/// Reads a graph with durations: its costs on the first processor.
csr_graph read_costs(std::string const& file) {
  weighted_dag read = read_weighted_dag(file);
  if (read.cost_rows != read.graph.tasks() || read.cost_columns == 0)
    throw usage_error(file + ": /graph/costs: expected " + std::to_string(read.graph.tasks()) +
                      " rows, got " + std::to_string(read.cost_rows));
  for (std::size_t at = 0; at < read.costs.size(); at += read.cost_columns)
    read.graph.durations.push_back(read.costs[at]);
  return std::move(read.graph);
}

std::vector<named_graph> graphs_of(request const& wanted) {
  std::vector<named_graph> all;
  for (std::string const& one : wanted.specifications) all.push_back({one, generate_graph(one)});
  bool const own = std::ranges::count(wanted.durations, durations_names().back()) != 0;
  if (std::string const& file = wanted.graph.file; !file.empty()) {
    all.push_back({std::filesystem::path(file).filename().string(),
                   own ? read_costs(file) : read_dag(file)});
  }
  for (auto const& [name, graph] : all) {
    if (graph.tasks() == 0) throw usage_error("--graph: the graph has no tasks");
    auto const is_long = [](std::uint64_t one) { return one > 0; };
    if (own && std::ranges::none_of(graph.durations, is_long))
      throw usage_error("--durations graph: " + name + " has no durations of tasks");
  }
  return all;
}

int body(int argc, char** argv) {
  request wanted;
  bench::program app("gridloom-schedulers",
                     "Runs the same task graphs under the schedulers of all artifacts.",
                     {.trace = true, .threads = true});
  auto const table = all_methods();
  bench::methods<row> const methods(app, "scheduler", "schedulers to run, see --list", table);
  wanted.graph.add_to(app, "task graph from a file");
  app.options()(
      "generate",
      boost::program_options::value(&wanted.specifications)->composing()->value_name("SPEC"),
      "task graph made from a specification, see --list; may be given several times")(
      "work-ns", int_list_option("work-ns", wanted.work_ns, 0, 1000000000),
      "mean time for which a task keeps its worker busy")(
      "durations", choice_list_option("durations", wanted.durations, durations_names()),
      "how the durations of tasks differ; graph: they have the proportions of the graph's costs")(
      "level-blocks",
      choice_list_option("level-blocks", wanted.level_blocks,
                         {level_blocks_names.begin(), level_blocks_names.end()}),
      "launches per level; shared: --workers blocks share the tasks of a level; own: each task has "
      "its block, and --workers blocks run at once")(
      "metg", boost::program_options::bool_switch(&wanted.metg),
      "search for the mean duration with which half the time of a run is work; each step has up to "
      "--repeat runs, of which 7 are enough");
  app.line().add_rules({{.option = "metg", .excludes = {"work-ns", "trace"}}});
  app.line().set_list("schedulers\n" + methods.list() + "graphs\n" + list_graph_generators());
  app.line().add_example("--generate fft:width=512,steps=200 --work-ns 0,2000",
                         "a pattern with empty and short tasks");
  app.line().add_example("--generate lu:tiles=20 --work-ns 5000 --durations constant,graph",
                         "tasks of LU, alike and with their real proportions");
  app.line().add_example("--generate stencil_1d --metg --repeat 7",
                         "the shortest tasks that each scheduler runs efficiently");
  if (!app.parse(argc, argv)) return exit_done;
  if (app.line().given("graph") == app.line().given("generate"))
    throw usage_error("--graph, --generate: expected one of them");
  wanted.graph.check(app);
  bench::require_distinct("work-ns", wanted.work_ns);
  bench::require_distinct("generate", wanted.specifications);
  auto graphs = graphs_of(wanted);
  bench::harness<row> all(app, columns());
  all.show("graph", &scene::name);
  all.show("durations", &scene::durations);
  all.show("work ns", &scene::work_ns);
  all.show("tasks/ms", [](row const& r, double ms) {
    return static_cast<double>(r.problem->graph.tasks()) / ms;
  });
  bench::sweep<settings> over;
  over.over("level-blocks", wanted.level_blocks, &settings::level_blocks);
  std::optional<metg_search> metg;
  if (wanted.metg)
    metg.emplace(app, all);
  else
    all.expect_groups(graphs.size() * wanted.durations.size() * wanted.work_ns.size());
  for (named_graph& one : graphs) {
    scene of(app, one.name, std::move(one.graph));
    auto const arms = methods.arms(
        of, [&](auto const&) { return settings{app.common().workers, app.shape(128).threads}; },
        over);
    for (std::string const& durations : wanted.durations) {
      of.set_durations(durations);
      if (metg) {
        metg->search(of, arms);
        continue;
      }
      for (std::int64_t const work_ns : wanted.work_ns) {
        of.set_work(work_ns);
        all.run(arms);
      }
    }
  }
  if (!metg) return app.finish(all, {all.runs()});
  metg->print();
  return app.finish(all, {all.runs(), metg->found()});
}

}  // namespace
}  // namespace gridloom::schedulers

int main(int argc, char** argv) {
  return gridloom::run_program(argc, argv, gridloom::schedulers::body);
}
