// mhive-generic: the generic test of the thesis (7.1), an execution tree under all schedulers.

#include <algorithm>
#include <filesystem>
#include <span>

#include "arms.hpp"
#include "gridloom/bench/catalogue.hpp"
#include "gridloom/files/atomic_file.hpp"
#include "mhive/require_workers.hpp"
#include "traces.hpp"
#include "tree_file.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::mhive::generic;

std::string list_text() {
  std::string text = "presets:";
  for (preset const& known : presets()) text += " " + std::string(known.name);
  text += "\nschedulers:";
  for (std::string const& name : scheduler_names()) text += " " + name;
  return text + " (the baseline, a kernel for every task type)\ndependencies: phases individual\n";
}

/// The program's own options; they write to `wanted`.
void add_options(bench::program& app, request& wanted) {
  app.options()("tree", text_option(wanted.tree_file, "FILE"), "execution tree from a file")(
      "preset",
      choice_option("preset", wanted.preset, bench::names_of(std::span<preset const>(presets()))),
      "execution tree that comes with the program")(
      "instances", int_option("instances", wanted.instances, 1, most_instances),
      "how often the tree is run")(
      "dependencies",
      choice_list_option("dependencies", wanted.dependencies, {"phases", "individual"}),
      "what keeps the tasks in order")(
      "scheduler", choice_list_option("scheduler", wanted.schedulers, scheduler_names()),
      "schedulers to run; graph is the baseline, a kernel for every task type")(
      "perfetto", text_option(wanted.perfetto, "FILE.json"),
      "write the times of every task as Chrome trace events, for ui.perfetto.dev");
  app.line().refuse("threads", "the schedulers have block sizes of their own");
  app.line().add_example("--preset fig7.2 --instances 10000", "all schedulers, both dependencies");
  app.line().add_example(
      "--tree my.tree --scheduler megakernel --trace trace.h5 --perfetto trace.json",
      "one scheduler on a tree from a file, with the times of every task");
  app.line().set_list(list_text());
}

void check_files(bench::program& app, request const& wanted) {
  if (app.line().given("tree") && app.line().given("preset")) {
    throw usage_error("--tree: cannot go with --preset");
  }
  app.input("tree", wanted.tree_file);
  app.output("perfetto", wanted.perfetto);
}

/// What the machine and the tree refuse, before anything runs.
void check_run(bench::program& app, execution_tree const& tree, request const& wanted) {
  mhive::require_workers(app.machine(), app.common().workers);
  require_instances(tree, wanted.instances, "--instances");
  std::vector<dependencies> kinds;
  for (way const& how : ways_of(wanted)) {
    if (how.dependencies == "launches") continue;
    auto const kind =
        how.dependencies == "phases" ? dependencies::phases : dependencies::individual;
    if (kind == dependencies::phases) require_phases(tree);
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
  }
  require_memory(app.machine().properties(), tree, static_cast<std::uint32_t>(wanted.instances),
                 kinds, app.common().verify, "--instances");
}

int body(int argc, char** argv) {
  request wanted;
  bench::program app("mhive-generic",
                     "Runs an execution tree of synthetic tasks under MHive's schedulers, and "
                     "times them.",
                     {.trace = true});
  add_options(app, wanted);
  if (!app.parse(argc, argv)) return exit_done;
  check_files(app, wanted);
  bool const from_file = app.line().given("tree");
  execution_tree const tree =
      from_file ? read_tree(wanted.tree_file) : preset_tree("--preset", wanted.preset);
  std::string const name =
      from_file ? std::filesystem::path{wanted.tree_file}.filename().string() : wanted.preset;
  check_run(app, tree, wanted);

  app.meta().set("tree", name);
  app.meta().set("instances", std::to_string(wanted.instances));
  bench::harness<row> all(app, runs_columns());
  show_figures(all);
  if (!wanted.perfetto.empty()) all.observe_arms();
  tree_scene scene(app, tree, name, wanted);
  all.run(scene.arms());
  app.set_trace_tables(trace_tables(tree, app.trace().kept()));
  if (!wanted.perfetto.empty() && !app.trace().kept().empty()) {
    std::string const text = chrome_trace(tree, app.trace().kept());
    replace_file(wanted.perfetto, std::as_bytes(std::span{text.data(), text.size()}));
  }
  return app.finish(all, {all.runs()});
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
