// pets: list scheduling of task graphs by PETS, HEFT and CPOP.

#include <algorithm>
#include <cstdio>

#include "batch_experiment.hpp"
#include "experiment.hpp"
#include "gridloom/bench/catalogue.hpp"
#include "gridloom/error.hpp"
#include "pets/generate.hpp"
#include "pets/list_scheduler.hpp"
#include "pets/platform.hpp"
#include "pipeline.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::pets;

struct options {
  std::string dag;
  std::vector<std::string> specifications;
  int processors = static_cast<int>(usual_processors);
  std::string speeds;
  std::string bandwidth;
  std::string latency;
  platform machine;  // of a file, from these
  int count = 1;
  std::vector<std::string> algorithms{"pets_insertion", "pets_append", "heft_insertion",
                                      "cpop_insertion"};
  std::vector<std::string> implementations;
  bool batch = false;
  bool explain = false;
  bool no_schedules = false;
  std::string gantt;
};

// More is no table that anybody reads.
constexpr std::uint32_t most_explained = 100;

void add_options(bench::program& app, options& wanted) {
  namespace po = boost::program_options;
  app.options()("dag", text_option(wanted.dag, "FILE.h5"),
                "task graph with costs and weights, as scripts/datasets imports it")(
      "generate", po::value(&wanted.specifications)->composing()->value_name("SPEC"),
      "task graph by specification; may be given several times")(
      "processors", int_option("processors", wanted.processors, 1, most_processors),
      "processors; else those that a file has costs for or machines of, or an example")(
      "speeds", text_option(wanted.speeds, "A,B,...|FILE"),
      "of processors, for a file with one time a task: 2 takes half the time")(
      "bandwidth", text_option(wanted.bandwidth, "MB/s|FILE"),
      "between processors, for a file with data in bytes; a file has a row a processor")(
      "latency", text_option(wanted.latency, "US|FILE"),
      "microseconds before the data, in the same way; 0 if not given")(
      "count", int_option("count", wanted.count, 1), "graphs of each SPEC, from --seed on")(
      "algorithm",
      choice_list_option("algorithm", wanted.algorithms, bench::names_of(list_schedulers())),
      "list schedulers, see --list")(
      "implementation",
      choice_list_option("implementation", wanted.implementations,
                         bench::names_of(implementations())),
      "of PETS, see --list; default: host, and hand_over on a CUDA device")(
      "batch", po::bool_switch(&wanted.batch),
      "the graphs of each SPEC all at once by PETS with append, beside one host thread")(
      "explain", po::bool_switch(&wanted.explain),
      "print how PETS finds the schedule of a small graph")(
      "gantt", text_option(wanted.gantt, "FILE.svg"), "Gantt chart of the first algorithm")(
      "no-schedules", po::bool_switch(&wanted.no_schedules),
      "leave the schedules out of the results");
}

std::string list_text() {
  std::string text = "algorithms\n";
  for (list_scheduler const& one : list_schedulers()) text += "  " + std::string(one.name) + "\n";
  text += "implementations\n";
  for (implementation const& one : implementations()) {
    text += "  " + std::string(one.name) + ": " + std::string(one.what) + "\n";
  }
  return text + "task graphs (--generate)\n" + generator_help();
}

void check_batch(command_line const& line) {
  if (!line.given("generate")) throw usage_error("--batch: goes with --generate");
  for (char const* option :
       {"algorithm", "implementation", "explain", "gantt", "no-schedules", "timeout-s"}) {
    if (line.given(option)) throw usage_error(std::string("--") + option + ": not with --batch");
  }
}

// What goes with files: fills in the platform.
void read_platform(command_line const& line, options& wanted) {
  for (char const* option : {"speeds", "bandwidth", "latency"}) {
    if (line.given(option) && !line.given("dag")) {
      throw usage_error(std::string("--") + option + ": goes with --dag");
    }
  }
  if (line.given("processors")) {
    wanted.machine.processors = static_cast<std::uint32_t>(wanted.processors);
  }
  if (line.given("speeds")) wanted.machine.speeds = parse_speeds(wanted.speeds);
  if (line.given("bandwidth")) wanted.machine.bandwidth = parse_bandwidth(wanted.bandwidth);
  if (line.given("latency")) wanted.machine.latency = parse_latency(wanted.latency);
}

void check_options(bench::program& app, options& wanted) {
  command_line const& line = app.line();
  if (line.given("dag") == line.given("generate")) {
    throw usage_error("--dag, --generate: expected one of them");
  }
  if (line.given("dag") && line.given("count")) {
    throw usage_error("--count: goes with --generate");
  }
  std::size_t const graphs =
      wanted.dag.empty() ? wanted.specifications.size() * static_cast<std::size_t>(wanted.count)
                         : 1;
  if ((wanted.explain || !wanted.gantt.empty()) && graphs != 1) {
    throw usage_error("--explain, --gantt: expected one graph, got " + std::to_string(graphs));
  }
  if (wanted.explain && !wanted.algorithms.front().starts_with("pets_")) {
    throw usage_error("--explain: expected PETS to be the first algorithm, got \"" +
                      wanted.algorithms.front() + "\"");
  }
  if (wanted.batch) check_batch(line);
  read_platform(line, wanted);
  for (std::string const& one : wanted.specifications) {
    if (!one.empty()) (void)parameters_of(one);
  }
  app.input("dag", wanted.dag);
  app.output("gantt", wanted.gantt);
}

// Fills in the default, and refuses what would not run.
void choose_implementations(command_line const& line, options& wanted, device const& machine) {
  if (!line.given("implementation")) {
    wanted.implementations = {"host"};
    if (!machine.is_host()) wanted.implementations.emplace_back("hand_over");
  }
  auto const& how = wanted.implementations;
  if (how == std::vector<std::string>{"host"}) {
    for (char const* option : {"workers", "threads"}) {
      if (line.given(option)) {
        throw usage_error(std::string("--") + option + ": the implementation host has none");
      }
    }
    if (line.common().backend == "cuda") {
      throw usage_error("--backend: expected auto or host for the implementation host");
    }
  }
  bool const one_launch = std::any_of(how.begin(), how.end(), [](std::string const& name) {
    return name == "hand_over" || name == "in_order";
  });
  if (line.given("threads") && !one_launch) {
    throw usage_error("--threads: expected hand_over or in_order among the implementations");
  }
  if (std::find(how.begin(), how.end(), "host") != how.end()) return;
  for (std::string const& algorithm : wanted.algorithms) {
    if (!algorithm.starts_with("pets_")) {
      throw usage_error("--implementation: expected host among them for " + algorithm);
    }
  }
}

graph_source graphs_of(command_line const& line, options const& wanted) {
  auto const& common = line.common();
  std::uint32_t const processors = wanted.machine.processors;
  if (!wanted.dag.empty()) {
    std::string const name = std::filesystem::path(wanted.dag).filename().string();
    return {1, [=, dag = wanted.dag, on = wanted.machine](std::size_t) {
              return named_graph{name, 0, {.kind = "file"}, read_task_graph(dag, on)};
            }};
  }
  auto const count = static_cast<std::size_t>(wanted.count);
  return {wanted.specifications.size() * count,
          [=, seed = common.seed, of = wanted.specifications](std::size_t i) {
            std::string const& specification = of[i / count];
            std::uint64_t const own = seed + i % count;
            return named_graph{specification, own, parameters_of(specification),
                               generate(specification, processors, own)};
          }};
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
  graph_source const graphs = graphs_of(app.line(), wanted);
  results all(app.machine(), app.common());
  app.begin(all.tables());
  if (wanted.explain) explain_first(graphs.make(0).graph, wanted.algorithms.front());
  run(app.machine(), graphs, {wanted.algorithms, wanted.implementations, !wanted.no_schedules},
      app.common(), all);
  if (!wanted.gantt.empty()) draw_first(graphs.make(0), wanted);
  return app.finish(all.runs, all.tables());
}

int run_as_batches(bench::program& app, options const& wanted) {
  std::vector<batch_request> requests;
  for (std::string const& specification : wanted.specifications) {
    requests.push_back({specification, static_cast<std::uint32_t>(wanted.processors),
                        static_cast<std::size_t>(wanted.count)});
  }
  bench::harness<batch_row> all(app, batch_columns(), "batches");
  show_batches(all);
  run_batches(requests, app.common(), app.machine(), all);
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
  line.set_list(list_text());
  if (!app.parse(argc, argv)) return exit_done;
  check_options(app, wanted);
  return wanted.batch ? run_as_batches(app, wanted) : run_one_by_one(app, wanted);
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
