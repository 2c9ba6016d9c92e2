// mhive-generic: the generic test of the thesis (7.1). It runs an execution tree under all
// schedulers.

#include <algorithm>
#include <filesystem>
#include <span>

#include "arms.hpp"
#include "gridloom/bench/catalogue.hpp"
#include "mhive/require_workers.hpp"
#include "tree_file.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::mhive::generic;

struct request {
  // Empty if a preset is used.
  std::string tree_file;
  std::string preset = "fig7.1";
  std::int64_t instances = 1000;
  std::vector<std::string> dependencies{"phases", "individual"};
};

void add_options(bench::program& app, request& wanted) {
  auto const names = bench::names_of(std::span<preset const>(presets()));
  app.options()("tree", text_option(wanted.tree_file, "FILE"), "execution tree from a file")(
      "preset", choice_option("preset", wanted.preset, names),
      "built-in execution tree, see --list")(
      "instances", int_option("instances", wanted.instances, 1, most_instances),
      "number of instances of the tree")(
      "dependencies",
      choice_list_option("dependencies", wanted.dependencies,
                         bench::names_of(std::span<ordering const>(orderings))),
      "what orders the tasks, see --list");
  command_line& line = app.line();
  line.refuse("threads", "the schedulers choose their block sizes");
  line.add_rules({{.option = "tree", .excludes = {"preset"}}});
  line.add_example("--preset fig7.2 --instances 10000",
                   "all schedulers with both kinds of dependencies");
  line.add_example("--tree my.tree --scheduler megakernel --trace trace.h5",
                   "one scheduler on a tree from a file, with the times of all tasks");
}

scene scene_of(bench::program& app, request const& wanted) {
  if (!app.line().given("tree"))
    return {app, preset_tree("--preset", wanted.preset), wanted.preset, wanted.preset,
            wanted.instances};
  return {app, read_tree(wanted.tree_file),
          std::filesystem::path{wanted.tree_file}.filename().string(), "", wanted.instances};
}

std::vector<dependencies> kinds_of(std::vector<bench::arm<row>> const& arms) {
  std::vector<dependencies> kinds;
  for (ordering const& by : orderings) {
    if (std::any_of(arms.begin(), arms.end(), [&](auto const& one) { return one.row.by == &by; }))
      kinds.push_back(by.kind);
  }
  return kinds;
}

struct task_row {
  std::string arm;
  traced_task task;
  std::string name;
};
struct node_row {
  std::size_t node;
  task_definition task;
};

/// The tables of a trace file: trace, tree and edges.
std::vector<result_table> trace_tables(execution_tree const& tree,
                                       std::span<bench::arm_trace const> traces) {
  bench::table<task_row> tasks(
      "trace", {{"arm", "", "scheduler and dependencies", &task_row::arm},
                {"worker", "1", "warp or host worker that executed the task",
                 [](task_row const& r) { return r.task.worker; }},
                {"task", "1", "number of the task: instance * task types + node",
                 [&](task_row const& r) {
                   return r.task.event.task * tree.tasks().size() + r.task.event.type;
                 }},
                {"node", "1", "number of the task type in the table tree",
                 [](task_row const& r) { return r.task.event.type; }},
                {"name", "", "name of the task type", &task_row::name},
                {"begin_ns", "ns", "begin of the task, counted from the arm's first begin",
                 [](task_row const& r) { return r.task.event.begin_ns; }},
                {"end_ns", "ns", "end of the task, counted from the arm's first begin",
                 [](task_row const& r) { return r.task.event.end_ns; }}});
  for (bench::arm_trace const& traced : traces) {
    for (traced_task const& task : traced.tasks) {
      tasks.add({traced.arm, task, tree.tasks().at(task.event.type).name});
    }
  }
  bench::table<node_row> nodes(
      "tree",
      {{"node", "1", "number of the task type, in topological order", &node_row::node},
       {"name", "", "name of the task type", [](node_row const& r) { return r.task.name; }},
       {"phase", "1", "phase, from 0", [](node_row const& r) { return r.task.phase; }},
       {"worker", "1", "threads per task", [](node_row const& r) { return r.task.worker_size; }},
       {"flops", "1", "floating-point operations per task",
        [](node_row const& r) { return r.task.flops; }}});
  for (std::size_t node = 0; node < tree.tasks().size(); ++node) {
    nodes.add({node, tree.tasks()[node]});
  }
  bench::table<transition> edges(
      "edges", {{"from", "1", "number of the task type that comes first", &transition::from},
                {"to", "1", "number of the task type that depends on it", &transition::to},
                {"probability", "1", "probability that an instance takes the transition",
                 &transition::probability}});
  for (transition const& edge : tree.transitions()) edges.add(edge);
  return {tasks.contents(), nodes.contents(), edges.contents()};
}

int body(int argc, char** argv) {
  request wanted;
  bench::program app(
      "mhive-generic",
      "Runs an execution tree of synthetic tasks under MHive's schedulers, and measures the time.",
      {.trace = true});
  bench::methods<row> const ways(app, "scheduler", "schedulers to run, see --list; default: all",
                                 all_methods());
  add_options(app, wanted);
  std::string list = ways.list() + "presets:";
  for (preset const& known : presets()) list += " " + std::string(known.name);
  app.line().set_list(list + "\ndependencies: phases individual\n");
  if (!app.parse(argc, argv)) return exit_done;
  app.input("tree", wanted.tree_file);
  mhive::require_workers(app.machine(), app.common().workers);

  scene of = scene_of(app, wanted);
  bench::sweep<settings> over;
  over.over("dependencies", wanted.dependencies, [](settings& s, std::string const& name) {
    s.by = &bench::named(std::span<ordering const>(orderings), name, "--dependencies");
  });
  auto arms = ways.arms(
      of, [](auto const&) { return settings{}; }, over);
  for (auto& one : arms)
    one.name = std::string(one.row.method) + ", " + std::string(one.row.by->name);
  of.require_fit(kinds_of(arms));
  app.meta().set("tree", of.name);
  app.meta().set("instances", std::to_string(wanted.instances));
  bench::harness<row> all(app, columns());
  all.show("tasks/s", [](row const& r, double ms) {
    return static_cast<double>(r.problem->tasks) / ms * 1e3;
  });
  all.run(arms);
  app.set_trace_tables(trace_tables(of.tree, app.trace().kept()));
  return app.finish(all, {all.runs()});
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
