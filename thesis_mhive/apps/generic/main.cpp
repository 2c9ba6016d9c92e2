// mhive-generic: the generic test of the thesis (7.1), an execution tree under all schedulers.

#include <algorithm>
#include <filesystem>
#include <utility>

#include "gridloom/file/atomic_file.hpp"
#include "experiment.hpp"
#include "gridloom/bench/experiment.hpp"
#include "tree_file.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::mhive::generic;
namespace po = boost::program_options;

std::string list_text() {
  std::string text = "presets:";
  for (preset const& known : presets()) text += " " + std::string(known.name);
  text += "\nschedulers:";
  for (std::string const& name : scheduler_names()) text += " " + name;
  return text + " (the baseline, a kernel for every task type)\ndependencies: phases individual\n";
}

po::options_description own_options(request& wanted) {
  po::options_description group("Experiment");
  group.add_options()("tree", text_option(wanted.tree_file, "FILE"), "execution tree from a file")(
      "preset", text_option(wanted.preset, "NAME"), "execution tree that comes with the program")(
      "instances", int_option("instances", wanted.instances, 1, most_instances),
      "how often the tree is run")(
      "dependencies",
      choice_list_option("dependencies", wanted.dependencies, {"phases", "individual"}),
      "what keeps the tasks in order")(
      "scheduler", choice_list_option("scheduler", wanted.schedulers, scheduler_names()),
      "schedulers to run, see --list")(
      "perfetto", text_option(wanted.perfetto, "FILE.json"),
      "write the times of every task as Chrome trace events, for ui.perfetto.dev");
  return group;
}

void check_options(command_line const& line, request const& wanted) {
  auto const& common = line.common();
  if (line.given("tree") && line.given("preset")) {
    throw usage_error("--tree: cannot go with --preset");
  }
  if (line.given("tree") && wanted.tree_file.empty()) {
    throw usage_error("--tree: expected a file name, got an empty one");
  }
  if (line.given("threads")) {
    throw usage_error("--threads: expected none, the schedulers have block sizes of their own");
  }
  if (line.given("perfetto")) require_writable(wanted.perfetto, "--perfetto");
  require_different_files({{"--tree", wanted.tree_file},
                           {"--output", common.output},
                           {"--trace", common.trace},
                           {"--perfetto", wanted.perfetto}});
}

/// What the machine and the tree refuse, before anything runs.
void check_run(device const& machine, execution_tree const& tree, request const& wanted,
               common_options const& common) {
  std::int64_t const most = host_backend::max_workers - 1;  // a controller is one more
  if (machine.is_host() && common.workers > most) {
    throw usage_error("--workers: expected at most " + std::to_string(most) + " on the host, got " +
                      std::to_string(common.workers));
  }
  require_instances(tree, wanted.instances, "--instances");
  std::vector<dependencies> kinds;
  for (arm const& what : arms_of(wanted)) {
    if (what.dependencies == "launches") continue;
    auto const kind =
        what.dependencies == "phases" ? dependencies::phases : dependencies::individual;
    if (kind == dependencies::phases) require_phases(tree);
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
  }
  require_memory(machine.properties(), tree, static_cast<std::uint32_t>(wanted.instances), kinds,
                 common.verify, "--instances");
}

run_meta meta_of(int argc, char** argv, device_properties const& machine,
                 common_options const& common, request const& wanted, std::string const& tree) {
  run_meta meta = collect_meta("mhive-generic", argc, argv, machine, common);
  meta.set("tree", tree);
  meta.set("instances", std::to_string(wanted.instances));
  return meta;
}

int body(int argc, char** argv) {
  request wanted;
  command_line line("mhive-generic",
                    "Runs an execution tree of synthetic tasks under MHive's schedulers, and times "
                    "them.");
  line.add_group(own_options(wanted));
  line.add_example("--preset fig7.2 --instances 10000", "all schedulers, both dependencies");
  line.add_example("--tree my.tree --scheduler megakernel --trace trace.h5 --perfetto trace.json",
                   "one scheduler on a tree from a file, with the times of every task");
  line.set_list(list_text());
  if (!line.parse(argc, argv)) return exit_done;
  auto const& common = line.common();
  check_options(line, wanted);
  bool const from_file = line.given("tree");
  execution_tree const tree =
      from_file ? read_tree(wanted.tree_file) : preset_tree("--preset", wanted.preset);
  std::string const name =
      from_file ? std::filesystem::path{wanted.tree_file}.filename().string() : wanted.preset;

  device machine(common.backend, common.device);
  check_run(machine, tree, wanted, common);
  run_meta const meta = meta_of(argc, argv, machine.properties(), common, wanted, name);
  if (!common.output.empty() && common.append) {
    std::vector<result_table> const empty{runs_table()};
    require_appendable(common.output, meta, empty);
  }
  bool const traced = !common.trace.empty() || !wanted.perfetto.empty();
  outcome const result = run_arms(machine, tree, name, wanted, common, traced);
  print_summary(result.runs, common.seed);
  if (!common.output.empty()) {
    std::vector<result_table> const tables{result.runs};
    write_results(common.output, meta, tables,
                  common.append ? write_mode::append : write_mode::replace);
  }
  if (!common.trace.empty()) {
    write_results(common.trace, meta, trace_tables(tree, result.traces), write_mode::replace);
  }
  if (!wanted.perfetto.empty()) {
    std::string const text = chrome_trace(tree, result.traces);
    replace_file(wanted.perfetto, std::as_bytes(std::span{text.data(), text.size()}));
  }
  return result.failed ? exit_failed : exit_done;
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
