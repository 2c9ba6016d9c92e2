// pets: list scheduling of task graphs by PETS, HEFT and CPOP.

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "batch_experiment.hpp"
#include "experiment.hpp"
#include "gridloom/bench/catalogue.hpp"
#include "gridloom/error.hpp"
#include "inputs.hpp"
#include "pets/pets.hpp"
#include "pipeline.hpp"
#include "rivals/list_scheduler.hpp"
#include "schedule_file.hpp"
#include "support/generate.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::pets;

struct options {
  graph_inputs graphs;
  std::vector<std::string> algorithms{"pets_insertion", "pets_append", "heft_insertion",
                                      "cpop_insertion"};
  std::vector<std::string> implementations;
  bool batch = false;
  bool explain = false;
  bool no_schedules = false;
  std::string gantt;
  std::string schedule;
};

// More is no table that anybody reads.
constexpr std::uint32_t most_explained = 100;

void add_options(bench::program& app, options& wanted) {
  namespace po = boost::program_options;
  add_options(app, wanted.graphs);
  app.options()(
      "algorithm",
      choice_list_option("algorithm", wanted.algorithms, bench::names_of(list_schedulers())),
      "list schedulers, see --list")(
      "implementation",
      choice_list_option("implementation", wanted.implementations,
                         bench::names_of(implementations())),
      "of PETS, see --list; default: host, and hand_over on a CUDA device")(
      "batch", po::bool_switch(&wanted.batch),
      "all files, or the graphs of each SPEC, at once by PETS with append, beside one host thread")(
      "schedule", text_option(wanted.schedule, "FILE"),
      "schedule once, without measuring, and write who runs what when: .h5, .csv or .json; - "
      "writes to the terminal")("explain", po::bool_switch(&wanted.explain),
                                "print how PETS finds the schedule of a small graph")(
      "gantt", text_option(wanted.gantt, "FILE.svg"), "Gantt chart of the first algorithm")(
      "no-schedules", po::bool_switch(&wanted.no_schedules),
      "leave the schedules out of the results");
  app.line().add_rules({{.option = "batch",
                         .excludes = {"algorithm", "implementation", "explain", "gantt", "schedule",
                                      "no-schedules"}},
                        {.option = "schedule",
                         .excludes = {"implementation", "repeat", "warmup", "output", "append",
                                      "no-schedules", "workers", "threads"}}});
}

std::string list_text() {
  std::string text = "algorithms\n";
  for (list_scheduler const& one : list_schedulers()) text += std::string(one.name) + "\n";
  return text + "implementations\n" + bench::list_of(implementations()) +
         "task graphs (--generate)\n" + generator_help();
}

bool is_pets(std::string const& algorithm) {
  return bench::named(list_schedulers(), algorithm, "--algorithm").run == gridloom::pets::pets;
}

void check_options(bench::program& app, options& wanted) {
  command_line const& line = app.line();
  check_inputs(app, wanted.graphs);
  std::size_t const graphs = wanted.graphs.graphs();
  if ((wanted.explain || !wanted.gantt.empty()) && graphs != 1) {
    throw usage_error("--explain, --gantt: expected one graph, got " + std::to_string(graphs));
  }
  if (wanted.explain && !is_pets(wanted.algorithms.front())) {
    throw usage_error("--explain: expected PETS to be the first algorithm, got \"" +
                      wanted.algorithms.front() + "\"");
  }
  if (line.given("schedule") && wanted.schedule != "-") {
    app.output("schedule", wanted.schedule);
    (void)form_of(wanted.schedule);
  }
  app.output("gantt", wanted.gantt);
  if (!wanted.gantt.empty() && std::filesystem::path(wanted.gantt).extension() != ".svg") {
    throw usage_error("--gantt: expected a file that ends in .svg, got " + in_quotes(wanted.gantt));
  }
}

// Fills in the default, and refuses what would not run.
void choose_implementations(command_line const& line, options& wanted, device const& machine) {
  if (!line.given("implementation")) {
    wanted.implementations = {"host"};
    if (!machine.is_host()) wanted.implementations.emplace_back("hand_over");
  }
  auto const any = [&](bool implementation::*trait) {
    return std::any_of(wanted.implementations.begin(), wanted.implementations.end(),
                       [&](std::string const& name) {
                         return bench::named(implementations(), name, "--implementation").*trait;
                       });
  };
  if (!any(&implementation::on_device)) {
    for (char const* option : {"workers", "threads"}) {
      if (line.given(option)) {
        throw usage_error(std::string("--") + option + ": the implementation host has none");
      }
    }
    if (line.common().backend == "cuda") {
      throw usage_error("--backend: expected auto or host for the implementation host");
    }
  }
  if (line.given("threads") && !any(&implementation::one_launch)) {
    throw usage_error("--threads: expected hand_over or in_order among the implementations");
  }
  if (any(&implementation::any_scheduler)) return;
  for (std::string const& algorithm : wanted.algorithms) {
    if (!is_pets(algorithm)) {
      throw usage_error("--implementation: expected host among them for " + algorithm);
    }
  }
}

void explain_first(task_graph const& graph, std::string const& algorithm) {
  if (graph.num_tasks > most_explained) {
    throw usage_error("--explain: expected at most " + std::to_string(most_explained) +
                      " tasks, got " + std::to_string(graph.num_tasks));
  }
  explain(graph, algorithm);
}

void draw_first(named_graph const& first, options const& wanted) {
  std::string const& algorithm = wanted.algorithms.front();
  list_scheduler const& one = bench::named(list_schedulers(), algorithm, "--algorithm");
  write_gantt(wanted.gantt, first.graph, one.run(first.graph, one.how),
              first.name + ", " + algorithm);
}

int run_one_by_one(bench::program& app, options& wanted) {
  choose_implementations(app.line(), wanted, app.machine());
  graph_source const graphs = graphs_of(wanted.graphs, app.common().seed);
  results all(app.machine(), app.common());
  app.begin(all.tables());
  if (wanted.explain) explain_first(graphs.make(0).graph, wanted.algorithms.front());
  run(app.machine(), graphs, {wanted.algorithms, wanted.implementations, !wanted.no_schedules},
      app.common(), all);
  if (!wanted.gantt.empty()) draw_first(graphs.make(0), wanted);
  return app.finish(all.runs, all.tables());
}

// A schedule is wanted, not how long it takes: one run of each algorithm, and no floors.
bool wants_schedules(command_line const& line, options const& wanted) {
  if (line.given("schedule")) return true;
  bool const measures = line.given("repeat") || line.given("warmup") || line.given("output") ||
                        line.given("implementation") || line.given("no-schedules");
  return !measures && (wanted.explain || !wanted.gantt.empty());
}

int run_for_schedules(bench::program& app, options const& wanted) {
  graph_source const graphs = graphs_of(wanted.graphs, app.common().seed);
  if (wanted.explain) explain_first(graphs.make(0).graph, wanted.algorithms.front());
  make_schedules(graphs, wanted.algorithms, wanted.schedule, app);
  if (!wanted.gantt.empty()) draw_first(graphs.make(0), wanted);
  app.put_in_place();
  return exit_done;
}

int run_as_batches(bench::program& app, options const& wanted) {
  bench::harness<batch_row> all(app, batch_columns(), "batches");
  show_batches(all);
  run_batches(batches_of(wanted.graphs, app.common().seed), app.common(), app.machine(), all);
  return app.finish(all, {all.runs()});
}

int body(int argc, char** argv) {
  options wanted;
  bench::program app("pets", "Schedules task graphs on processors of different speeds.",
                     {.threads = true});
  add_options(app, wanted);
  command_line& line = app.line();
  line.refuse("trace", "list schedulers have none");
  line.add_example("--generate v=1000,ccr=2 --processors 4", "a random graph by four algorithms");
  line.add_example(
      "--generate v=100000 --algorithm pets_append --implementation host,csr,hand_over",
      "one schedule by several implementations");
  line.add_example("--generate v=100 --count 1000 --batch", "1,000 graphs at once");
  line.add_example("--dag graph.h5 --algorithm pets_append --explain", "step by step");
  line.add_example("--dag workflow.h5 --bandwidth 100 --algorithm heft_insertion --schedule s.csv",
                   "a schedule of a workflow");
  line.set_list(list_text());
  if (!app.parse(argc, argv)) return exit_done;
  check_options(app, wanted);
  if (wanted.batch) return run_as_batches(app, wanted);
  return wants_schedules(app.line(), wanted) ? run_for_schedules(app, wanted)
                                             : run_one_by_one(app, wanted);
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
