// pets: list scheduling of task graphs by PETS and its rivals.

#include <algorithm>
#include <cstdio>

#include "batches.hpp"
#include "gridloom/error.hpp"
#include "gridloom/printable.hpp"
#include "pets/pets.hpp"
#include "schedule_file.hpp"
#include "scheduling.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::pets;

struct options {
  graph_inputs graphs;
  std::vector<std::string> algorithms{"pets_insertion", "pets_append", "heft_insertion",
                                      "cpop_insertion"};
  /// The chosen list schedulers, in the order of `algorithms`.
  std::vector<list_scheduler const*> by;
  bool batch = false;
  std::string results = "makespans";
  bool explain = false;
  bool no_schedules = false;
  std::string schedule;
};

void add_options(bench::program& app, options& wanted) {
  namespace po = boost::program_options;
  add_options(app, wanted.graphs);
  app.options()(
      "algorithm",
      choice_list_option("algorithm", wanted.algorithms, bench::names_of(list_schedulers())),
      "list schedulers, see --list")(
      "batch", po::bool_switch(&wanted.batch),
      "schedule all files, or all graphs of each SPEC, at once by PETS with append; compare with "
      "host threads")("results",
                      choice_option("results", wanted.results, {"makespans", "schedules"}),
                      "what a batch delivers to the host, and host threads too")(
      "schedule", text_option(wanted.schedule, "FILE"),
      "schedule once, without measuring, and write where and when each task runs; FILE ends in "
      ".h5, .csv or .json, or is - for the terminal")(
      "explain", po::bool_switch(&wanted.explain),
      "print how PETS finds the schedule of a small graph")(
      "no-schedules", po::bool_switch(&wanted.no_schedules),
      "leave the schedules out of the results");
  app.line().add_rules({{.option = "batch",
                         .excludes = {"algorithm", "implementation", "explain", "schedule",
                                      "no-schedules", "trace"}},
                        {.option = "results", .needs = {"batch"}},
                        {.option = "schedule",
                         .excludes = {"implementation", "repeat", "warmup", "output", "append",
                                      "no-schedules", "workers", "threads", "trace"}}});
}

/// Registers the file of the schedules.
void add_schedule(bench::program& app, std::string const& file) {
  if (file == "-") return;
  app.output("schedule", file);
  auto const ending = std::filesystem::path(file).extension();
  if (!file.empty() && ending != ".h5" && ending != ".hdf5" && ending != ".csv" &&
      ending != ".json")
    throw usage_error("--schedule: expected a file that ends in .h5, .csv or .json, or -, got " +
                      in_quotes(file));
}

void check_options(bench::program& app, options& wanted) {
  for (std::string const& name : wanted.algorithms)
    wanted.by.push_back(&bench::named(list_schedulers(), name, "--algorithm"));
  check_inputs(app, wanted.graphs);
  std::size_t const graphs = wanted.graphs.graphs();
  if (wanted.explain && graphs != 1)
    throw usage_error("--explain: expected one graph, got " + std::to_string(graphs));
  if (wanted.explain && wanted.by.front()->run != gridloom::pets::pets) {
    throw usage_error("--explain: expected PETS to be the first algorithm, got \"" +
                      wanted.algorithms.front() + "\"");
  }
  add_schedule(app, wanted.schedule);
}

bool is_for_devices(method const* one) { return !one->host_code; }

/// The implementations that --implementation names, or else all that the machine has.
std::vector<method const*> chosen(bench::program& app, options const& wanted,
                                  bench::methods<run_row, traits> const& implementations) {
  auto all = implementations.entries();
  command_line const& line = app.line();
  if (!line.given("implementation") && app.machine().is_host()) {
    for (std::string const option : {"workers", "threads"}) {
      if (line.given(option))
        throw usage_error("--" + option + ": goes with --implementation; the host alone has none");
    }
    std::erase_if(all, is_for_devices);
  }
  if (line.common().backend == "cuda" && std::none_of(all.begin(), all.end(), is_for_devices))
    throw usage_error("--backend: expected auto or host for the implementation host");
  bool const any_scheduler = std::any_of(
      all.begin(), all.end(), [](method const* one) { return one->traits.any_scheduler; });
  for (list_scheduler const* one : wanted.by) {
    if (!any_scheduler && one->run != gridloom::pets::pets)
      throw usage_error("--implementation: expected host among them for " + std::string(one->name));
  }
  return all;
}

/// Whether only schedules are wanted, without measurements. Then each algorithm runs once.
bool wants_schedules(command_line const& line, options const& wanted) {
  if (line.given("schedule")) return true;
  bool const measures = line.given("repeat") || line.given("warmup") || line.given("output") ||
                        line.given("implementation") || line.given("no-schedules") ||
                        line.given("trace");
  return !measures && wanted.explain;
}

int run_one_by_one(bench::program& app, options const& wanted, graph_source const& graphs,
                   std::vector<method const*> const& implementations) {
  bench::table<analysed_graph> stored("graphs", graph_columns());
  bench::table<copy_row> memory("memory", copy_columns());
  bench::table<task_row> schedules("schedules", task_columns());
  bench::harness<run_row> all(app, run_columns());
  auto const tables = [&] {
    return std::vector{all.runs(), stored.contents(), memory.contents(), schedules.contents()};
  };
  app.begin(tables());
  show_runs(all);
  if (wanted.explain) explain(graphs.make(0).graph, *wanted.by.front());
  if (std::any_of(implementations.begin(), implementations.end(), is_for_devices))
    add_copies(app.machine(), app.common().repeat, memory);
  all.expect_groups(graphs.count);
  for (std::size_t number = 0; number < graphs.count; ++number) {
    scene of(app.machine(), app.common(), graphs.make(number), &app.trace());
    all.run(arms_of(of, wanted.by, implementations));
    if (!of.platform().empty())
      std::printf("%s\n", printable(of.name + ": " + of.platform()).c_str());
    stored.add(of);
    for (list_scheduler const* one : wanted.by) {
      auto const known = of.expected.find(one->name);
      if (!wanted.no_schedules && known != of.expected.end())
        add_schedule(of, one->name, known->second.made, schedules);
    }
  }
  return app.finish(all, tables());
}

int run_as_batches(bench::program& app, options const& wanted) {
  bench::harness<batch_row> all(app, batch_columns(), "batches");
  show_batches(all);
  auto const requests = batches_of(wanted.graphs, app.common().seed);
  all.expect_groups(requests.size());
  auto const whole =
      wanted.results == "schedules" ? batch_output::schedules : batch_output::makespans;
  for (batch_request const& request : requests) {
    batch_scene of(request, app.common(), app.machine());
    all.run(arms_of(of, whole));
  }
  return app.finish(all, {all.runs()});
}

int body(int argc, char** argv) {
  options wanted;
  bench::program app("pets", "Schedules task graphs on processors of different speeds.",
                     {.trace = true, .threads = true});
  bench::methods<run_row, traits> const implementations(
      app, "implementation", "implementations of PETS, see --list; hand_over only on a CUDA device",
      all_methods(), {"host", "hand_over"});
  add_options(app, wanted);
  command_line& line = app.line();
  line.add_example("--generate v=1000,ccr=2 --processors 4", "a random graph by four algorithms");
  line.add_example(
      "--generate v=100000 --algorithm pets_append --implementation host,csr,hand_over",
      "one schedule by several implementations");
  line.add_example("--generate v=100 --count 1000 --batch", "1,000 graphs at once");
  line.add_example("--dag graph.h5 --algorithm pets_append --explain", "step by step");
  line.add_example("--dag workflow.h5 --bandwidth 100 --algorithm heft_insertion --schedule s.csv",
                   "a schedule of a workflow");
  line.set_list("algorithms\n" + joined(bench::names_of(list_schedulers()), "\n") +
                "\nimplementations\n" + implementations.list() + "task graphs (--generate)\n" +
                generator_help());
  if (!app.parse(argc, argv)) return exit_done;
  check_options(app, wanted);
  if (wanted.batch) return run_as_batches(app, wanted);
  graph_source const graphs = graphs_of(wanted.graphs, app.common().seed);
  if (!wants_schedules(line, wanted))
    return run_one_by_one(app, wanted, graphs, chosen(app, wanted, implementations));
  if (wanted.explain) explain(graphs.make(0).graph, *wanted.by.front());
  make_schedules(graphs, wanted.by, wanted.schedule, app);
  app.put_in_place();
  return exit_done;
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
