// wavefront: task progression algorithms for wavefronts and other task graphs, on a GPU or on host
// threads.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "gridloom/bench/program.hpp"
#include "gridloom/bench/results.hpp"
#include "experiment.hpp"
#include "wavefront/floors.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::wavefront;
namespace po = boost::program_options;

std::vector<std::string> hash_names() { return {task_hash_names.begin(), task_hash_names.end()}; }

std::vector<std::string> algorithm_names() {
  std::vector<std::string> names;
  for (auto const& info : algorithms()) names.emplace_back(info.name);
  return names;
}

std::string list_of_algorithms() {
  std::string text = "algorithms (host, cuda: where they run; lane, block: who executes a task)\n";
  for (auto const& info : algorithms()) {
    char line[200];
    std::snprintf(line, sizeof line, "  %-16.40s %-5s%-5s %-5s%-6s %.100s\n",
                  std::string(info.name).c_str(), info.on_host ? "host" : "",
                  info.on_cuda ? "cuda" : "", info.lanes ? "lane" : "", info.blocks ? "block" : "",
                  std::string(info.about).c_str());
    text += line;
  }
  return text + "experiments: custom, fig3, scaling, metg, smoke\n";
}

/// The program's own options; they write to `wanted`.
po::options_description own_options(request& wanted) {
  po::options_description group("Experiment");
  group.add_options()("experiment",
                      choice_option("experiment", wanted.experiment,
                                    {"custom", "fig3", "scaling", "metg", "smoke"}),
                      "custom: what the options below say; others: the arms behind a figure")(
      "algorithm", choice_list_option("algorithm", wanted.algorithms, algorithm_names()),
      "algorithms to run, see --list; of an experiment's own only these")(
      "rows", int_option("rows", wanted.size.rows, 1), "rows of the lattice")(
      "cols", int_option("cols", wanted.size.cols, 1), "columns of the lattice")(
      "depth", int_option("depth", wanted.size.depth, 1),
      "depth of the lattice; above 1 the 3-D sweep")(
      "graph", text_option(wanted.graph_file, "FILE.h5"), "any task graph instead of a lattice")(
      "queues", int_list_option("queues", wanted.queue_shares, 1, 100),
      "multi_queue: queues in percent of the workers")(
      "hash", choice_list_option("hash", wanted.hashes, hash_names()),
      "multi_queue: which queue a task goes to")(
      "width", choice_option("width", wanted.width, {"auto", "lane", "block"}),
      "who executes a task: a thread or a whole block")(
      "body", choice_option("body", wanted.body, {"noop", "recurrence"}),
      "what a task does, if --work-ns is 0")(
      "work-ns", int_list_option("work-ns", wanted.work_ns, 0, 1000000000),
      "synthetic work of a task in ns")("counters", po::bool_switch(&wanted.counters),
                                        "also count accesses, in a run of its own")(
      "measure", choice_option("measure", wanted.measure, {"all", "times", "counts"}),
      "leave the timed or the counting runs out")(
      "publish-every", int_option("publish-every", wanted.publish_every, 1, 1 << 20),
      "stripes: columns between two signals")(
      "ring-slots", int_option("ring-slots", wanted.ring_slots, 0, 1 << 30),
      "ticket_queue: capacity of the ring, a power of two; 0: by the graph")(
      "fences", choice_option("fences", wanted.fences, {"all", "one"}),
      "ticket_queue: all that tasks need which exchange data, or the one that others need");
  return group;
}

/// Refuses what would be ignored or says two things at once.
void check_options(command_line const& line, request const& wanted) {
  auto const& common = line.common();
  bool const sized = line.given("rows") || line.given("cols") || line.given("depth");
  if (sized && line.given("graph"))
    throw usage_error("--graph: cannot go with --rows, --cols or --depth");
  if (wanted.experiment != "custom") {
    for (auto const* option : {"graph", "queues", "hash", "width", "body", "work-ns", "counters",
                               "publish-every", "ring-slots", "fences"}) {
      if (line.given(option)) {
        throw usage_error(std::string("--") + option + ": goes with --experiment custom; " +
                          wanted.experiment + " has its own");
      }
    }
    if (sized && wanted.experiment == "scaling")
      throw usage_error("--rows, --cols, --depth: scaling has sizes of its own");
  }
  if (wanted.body == "recurrence" && line.given("work-ns"))
    throw usage_error("--work-ns: cannot go with --body recurrence");
  if (wanted.measure == "times" && wanted.counters)
    throw usage_error("--counters: cannot go with --measure times");
  for (auto const* list : {&wanted.work_ns, &wanted.queue_shares}) {
    auto sorted = *list;
    std::sort(sorted.begin(), sorted.end());
    if (auto const twice = std::adjacent_find(sorted.begin(), sorted.end());
        twice != sorted.end()) {
      throw usage_error(std::string(list == &wanted.work_ns ? "--work-ns" : "--queues") + ": " +
                        std::to_string(*twice) + " is there twice");
    }
  }
  for (auto const& [option, file] :
       {std::pair{"--output", common.output}, std::pair{"--trace", common.trace}}) {
    std::error_code none_there;
    if (!file.empty() && !wanted.graph_file.empty() &&
        std::filesystem::equivalent(file, wanted.graph_file, none_there)) {
      throw usage_error(std::string(option) + ": is the file that --graph reads");
    }
  }
}

/// The parameters of a run, defaults included, beside what is known of the machine.
run_meta meta_of(int argc, char** argv, device_properties const& machine,
                 common_options const& common, request const& wanted) {
  run_meta meta = collect_meta("wavefront", argc, argv, machine, common);
  meta.set("publish_every", std::to_string(wanted.publish_every));
  meta.set("ring_slots", std::to_string(wanted.ring_slots));
  return meta;
}

int body(int argc, char** argv) {
  request wanted;
  command_line line("wavefront",
                    "Runs task graphs by algorithms that schedule inside the GPU, and times them.");
  line.add_group(own_options(wanted));
  line.add_example("--algorithm ticket_queue,multi_queue --rows 2000 --cols 2000",
                   "two algorithms on one lattice");
  line.add_example("--experiment fig3 --output results/fig3.h5",
                   "the paper's Fig. 3 and what goes beyond");
  line.add_example("--graph dag.h5 --algorithm ticket_queue --counters",
                   "any task graph, with counted accesses");
  line.set_list(list_of_algorithms());
  if (!line.parse(argc, argv)) return exit_done;
  auto const& common = line.common();
  wanted.algorithms_given = line.given("algorithm");
  wanted.size_given = line.given("rows") || line.given("cols") || line.given("depth");
  check_options(line, wanted);

  device machine(common.backend, common.device);
  auto const& properties = machine.properties();
  auto const groups = plan(wanted, common, properties);
  for (auto const& group : groups) {
    for (auto const& a : group.arms) require_fit(properties, group.graph_file.empty(), a.config);
  }
  run_meta meta = meta_of(argc, argv, properties, common, wanted);
  if (!common.output.empty() && common.append) {
    std::vector<result_table> const empty{runs_table()};
    require_appendable(common.output, meta, empty);
  }

  auto const floors = measure_floors(machine);
  meta.set("signal_ns", std::to_string(floors.signal_ns));
  meta.set("atomic_ns", std::to_string(floors.atomic_ns));
  outcome const result = run(machine, groups, common);
  print_summary(result.runs, floors.signal_ns, floors.atomic_ns, common.seed);
  auto const mode = common.append ? write_mode::append : write_mode::replace;
  if (!common.output.empty()) {
    std::vector<result_table> const tables{result.runs};
    write_results(common.output, meta, tables, mode);
  }
  if (!common.trace.empty()) {
    std::vector<result_table> const tables{result.traces};
    write_results(common.trace, meta, tables, write_mode::replace);
  }
  return result.failed ? exit_failed : exit_done;
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
