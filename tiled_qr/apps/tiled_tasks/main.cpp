// tiled-tasks: graphs of tasks by the general scheduler (report, FR4), and by what a user would write
// without it.

#include <algorithm>
#include <filesystem>

#include "arms.hpp"
#include "client.hpp"
#include "gridloom/bench/catalogue.hpp"
#include "gridloom/bench/inputs.hpp"
#include "inputs/distinct.hpp"
#include "inputs/host_workers.hpp"
#include "tiled_qr/device_matrix.hpp"
#include "tiled_qr/general/task_graph.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::tiled_qr;
using namespace gridloom::tiled_qr::general;

void add_options(bench::program& app, request& wanted) {
  app.options()(
      "client",
      choice_list_option("client", wanted.clients, {"qr", "cholesky", "example", "graph"}),
      "whose tasks; graph goes with --graph")(
      "method", choice_list_option("method", wanted.methods, bench::names_of(methods())),
      "ways to run them, see --list")("rows", int_list_option("rows", wanted.rows, 1),
                                      "rows and columns of the matrices; chunks of the example")(
      "tile", int_option("tile", wanted.tile, 1), "rows and columns of a tile")(
      "updates",
      choice_list_option("updates", wanted.updates, {updates_names[0], updates_names[1]}),
      "cholesky: updates of a tile by dependences, or by conflicts")(
      "work-ns", int_list_option("work-ns", wanted.work_ns, 0, 1000000000),
      "graph: synthetic work of a task in ns")(
      "priority",
      choice_list_option("priority", wanted.priorities,
                         {priority_by_names[0], priority_by_names[1]}),
      "general: which ready task goes next")(
      "classes", int_option("classes", wanted.classes, 1, static_cast<int>(most_classes)),
      "general: queues of ready tasks, one a class of priority");
}

/// Refuses what would be ignored.
void check_options(bench::program& app, request& wanted, bench::graph_input const& graph) {
  auto const asked = [&](char const* client) {
    return std::find(wanted.clients.begin(), wanted.clients.end(), client) != wanted.clients.end();
  };
  command_line const& line = app.line();
  require_distinct("--rows", wanted.rows);
  require_distinct("--work-ns", wanted.work_ns);
  if (!graph.file.empty() && !line.given("client")) wanted.clients = {"graph"};
  if (asked("graph") && graph.file.empty())
    throw usage_error("--client graph: expected a file by --graph");
  if (!asked("graph")) {
    for (char const* option : {"graph", "work-ns"}) {
      if (line.given(option))
        throw usage_error(std::string("--") + option + ": goes with --client graph");
    }
  }
  if (line.given("updates") && !asked("cholesky"))
    throw usage_error("--updates: goes with --client cholesky");
  bool const has_matrix = asked("qr") || asked("cholesky");
  if (line.given("tile") && !has_matrix)
    throw usage_error("--tile: goes with --client qr or cholesky");
  if (line.given("rows") && !has_matrix && !asked("example"))
    throw usage_error("--rows: does not go with --client graph");
  if (!line.given("method")) {
    for (method const& how : methods()) {
      if (std::any_of(wanted.clients.begin(), wanted.clients.end(),
                      [&](std::string const& one) { return has_method(one, how); }))
        wanted.methods.emplace_back(how.name);
    }
  }
  for (std::string const& name : wanted.methods) {
    method const& how = bench::named(methods(), name, "--method");
    if (std::none_of(wanted.clients.begin(), wanted.clients.end(),
                     [&](std::string const& one) { return has_method(one, how); }))
      throw usage_error("--method " + name + ": is for --client " + std::string(how.clients));
  }
  bool const general =
      std::find(wanted.methods.begin(), wanted.methods.end(), "general") != wanted.methods.end();
  for (std::string const& name : wanted.methods) {
    if (line.given("timeout-s") && !bench::named(methods(), name, "--method").stops)
      throw usage_error("--timeout-s: nothing can stop " + name +
                        " while it runs; run it without --timeout-s");
  }
  for (char const* option : {"priority", "classes"}) {
    if (line.given(option) && !general)
      throw usage_error(std::string("--") + option + ": goes with --method general");
  }
}

void require_threads(bench::program& app, request const& wanted) {
  if (!app.machine().is_host()) return;
  for (std::string const& name : wanted.methods) {
    if (name == "general" || name == "fr2")
      require_host_threads("--workers", app.common().workers, name);
  }
}

std::vector<subject> subjects(request const& wanted, csr_graph const& graph,
                              std::string const& graph_name) {
  std::vector<subject> all;
  for (std::string const& client : wanted.clients) {
    if (client == "graph") {
      for (std::int64_t const work_ns : wanted.work_ns)
        all.push_back(
            {.client = client, .work_ns = work_ns, .graph = &graph, .graph_name = graph_name});
      continue;
    }
    for (std::int64_t const rows : wanted.rows) {
      if (client == "cholesky") {
        for (std::string const& updates : wanted.updates)
          all.push_back({.client = client, .rows = rows, .updates = updates});
      } else {
        all.push_back({.client = client, .rows = rows});
      }
    }
  }
  return all;
}

/// Refuses what could not run before anything is made.
void require_fit(bench::program& app, request const& wanted, subject const& what) {
  if (what.client == "graph") return;
  constexpr std::int64_t most_chunks = 1 << 20;
  if (what.client == "example") {
    if (what.rows > most_chunks)
      throw usage_error("--rows: expected at most " + std::to_string(most_chunks) +
                        " chunks of the example, got " + std::to_string(what.rows));
    return;
  }
  tiling const cut = make_tiling(what.rows, what.rows, wanted.tile);
  double const bytes = 8 * static_cast<double>(what.rows) * static_cast<double>(what.rows);
  auto const& machine = app.machine().properties();
  if (bytes > 0.4 * static_cast<double>(machine.memory_bytes))
    throw usage_error("--rows: two matrices of " + std::to_string(what.rows) +
                      " rows are more than the memory of " + machine.name + " holds");
  if (cut.p() > 512)
    throw usage_error("--tile: " + std::to_string(wanted.tile) + " gives " +
                      std::to_string(cut.p()) +
                      " tiles in a row, and tasks by their cube; expected at most 512");
}

int body(int argc, char** argv) {
  request wanted;
  bench::graph_input input;
  bench::program app("tiled-tasks",
                     "Runs tasks with dependencies and conflicts, and times who schedules them.",
                     {.trace = true, .threads = true});
  add_options(app, wanted);
  input.add_to(app, "a task graph; its client is graph");
  command_line& line = app.line();
  line.add_example("--client qr,cholesky --rows 1024", "two factorisations by tasks");
  line.add_example("--client cholesky --updates in-order,any-order --method general",
                   "dependences against conflicts");
  line.add_example("--graph dag.h5 --work-ns 0,1000,10000", "any graph, three lengths of tasks");
  line.set_list("methods\n" + bench::list_of(methods()));
  if (!app.parse(argc, argv)) return exit_done;
  input.check(app);
  check_options(app, wanted, input);
  require_threads(app, wanted);
  app.require_trace(std::any_of(
      wanted.methods.begin(), wanted.methods.end(),
      [](std::string const& name) { return bench::named(methods(), name, "--method").traced; }));
  csr_graph graph;
  if (!input.file.empty()) {
    graph = read_dag(input.file);
    if (graph.tasks() == 0) throw usage_error("--graph: the graph has no tasks");
  }
  auto const all_subjects =
      subjects(wanted, graph, std::filesystem::path(input.file).filename().string());
  for (subject const& what : all_subjects) require_fit(app, wanted, what);
  bench::harness<row> all(app, runs_columns());
  show_figures(all);
  all.expect_groups(all_subjects.size());
  for (subject const& what : all_subjects) all.run(arms_of(app, wanted, what));
  return app.finish(all, {all.runs()});
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
