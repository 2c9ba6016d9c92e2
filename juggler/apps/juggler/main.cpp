// juggler: the paper's applications as graphs of tasks, by Juggler's runtime under its policies.

#include <algorithm>
#include <filesystem>
#include <limits>

#include "arms.hpp"
#include "gridloom/bench/catalogue.hpp"
#include "gridloom/bench/inputs.hpp"
#include "strip_inputs.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::juggler;

/// A run of as many tasks takes some gigabytes for the graph alone.
constexpr std::int64_t most_tiles_cubed = 512;
constexpr std::int64_t most_tiles_squared = 5000;

void add_options(bench::program& app, request& wanted) {
  app.options()("app", choice_list_option("app", wanted.apps, {"lud", "dtw", "sw", "graph"}),
                "whose tasks; graph goes with --graph")(
      "method", choice_list_option("method", wanted.methods, bench::names_of(methods())),
      "who runs them, see --list")("rows,n", int_list_option("rows", wanted.rows, 1),
                                   "rows and columns of the matrices, elements of the series")(
      "tile,b", int_list_option("tile", wanted.tiles, 1, 1 << 15), "rows and columns of a tile")(
      "work-ns", int_list_option("work-ns", wanted.work_ns, 0, 1000000000),
      "graph: synthetic work of a task in ns")(
      "queue-length",
      int_option("queue-length", wanted.queue_length, 0, std::numeric_limits<int>::max()),
      "entries of each worker's queue; 0: all tasks");
}

void require_distinct(std::string const& option, std::vector<std::int64_t> all) {
  std::sort(all.begin(), all.end());
  auto const twice = std::adjacent_find(all.begin(), all.end());
  if (twice != all.end())
    throw usage_error(option + ": " + std::to_string(*twice) + " is there twice");
}

/// Refuses what would be ignored.
void check_options(bench::program& app, request& wanted, bench::graph_input const& graph,
                   strip_inputs& strips) {
  command_line const& line = app.line();
  require_distinct("--rows", wanted.rows);
  require_distinct("--tile", wanted.tiles);
  require_distinct("--work-ns", wanted.work_ns);
  if (!graph.file.empty() && !line.given("app")) wanted.apps = {"graph"};
  auto const asked = [&](char const* name) {
    return std::find(wanted.apps.begin(), wanted.apps.end(), name) != wanted.apps.end();
  };
  strips.read(app, asked("dtw"), asked("sw"));
  // Of these, what has no input of a file has a size.
  bool const has_size = std::any_of(wanted.apps.begin(), wanted.apps.end(), [&](auto const& name) {
    return name != "graph" && !strips.is_from_file(name);
  });
  bool const has_tiles = std::any_of(wanted.apps.begin(), wanted.apps.end(),
                                     [](auto const& name) { return name != "graph"; });
  auto const require = [&](bool there, char const* name,
                           std::initializer_list<char const*> options) {
    for (char const* option : options) {
      if (line.given(option) && !there)
        throw usage_error(std::string("--") + option + ": goes with --app " + name);
    }
  };
  if (asked("graph") && graph.file.empty())
    throw usage_error("--app graph: expected a file by --graph");
  require(asked("graph"), "graph", {"graph", "work-ns"});
  require(has_size, "lud, or dtw or sw without files", {"rows"});
  require(has_tiles, "lud, dtw or sw", {"tile"});
  bool const only_strips =
      std::all_of(wanted.apps.begin(), wanted.apps.end(),
                  [](auto const& name) { return name == "dtw" || name == "sw"; });
  for (std::string const& name : wanted.methods) {
    if (bench::named(methods(), name, "--method").strips && !only_strips)
      throw usage_error("--method " + name + ": goes with --app dtw or sw");
  }
  if (wanted.methods.empty()) wanted.methods = bench::names_of(methods());
  bool const queues = std::any_of(
      wanted.methods.begin(), wanted.methods.end(),
      [](std::string const& name) { return bench::named(methods(), name, "--method").queues; });
  if (line.given("queue-length") && !queues)
    throw usage_error("--queue-length: goes with a method that has queues, see --list");
}

/// Workers that wait for each other need a thread each.
void require_threads(bench::program& app) {
  constexpr int most = host_backend::max_workers;
  if (app.machine().is_host() && app.common().workers > most)
    throw usage_error("--workers: expected at most " + std::to_string(most) + " on the host, got " +
                      std::to_string(app.common().workers));
}

/// Refuses what could not run before anything is made.
void require_fit(bench::program& app, subject const& what) {
  if (what.app == "graph") return;
  // In this order: the number of bytes of a large matrix is beyond an integer.
  double const side = static_cast<double>(what.rows) + what.tile;
  double const other = static_cast<double>(what.cols) + what.tile;
  bool const is_lud = what.app == "lud";
  // A matrix; or its tiles' last rows and columns.
  double const bytes = is_lud ? 8 * side * side : 16 * side * other / what.tile;
  auto const& machine = app.machine().properties();
  if (bytes > 0.4 * static_cast<double>(machine.memory_bytes))
    throw usage_error("--rows: two matrices of " + std::to_string(what.rows) +
                      " rows are more than the memory of " + machine.name + " holds");
  std::int64_t const tiles = (std::max(what.rows, what.cols) + what.tile - 1) / what.tile;
  bool const by_cube = is_lud;
  std::int64_t const most = by_cube ? most_tiles_cubed : most_tiles_squared;
  if (tiles > most)
    throw usage_error("--tile: " + std::to_string(what.tile) + " gives " + std::to_string(tiles) +
                      " tiles in a row, and tasks by their " + (by_cube ? "cube" : "square") +
                      "; expected at most " + std::to_string(most));
}

std::vector<subject> subjects(request const& wanted, strip_inputs const& strips,
                              csr_graph const& graph, std::string const& graph_name) {
  std::vector<subject> all;
  for (std::string const& app : wanted.apps) {
    if (app == "graph") {
      for (std::int64_t const work_ns : wanted.work_ns)
        all.push_back({.app = app, .work_ns = work_ns, .graph = &graph, .graph_name = graph_name});
      continue;
    }
    bool const one_size = strips.is_from_file(app);
    for (std::int64_t const rows : one_size ? std::vector<std::int64_t>{0} : wanted.rows) {
      for (std::int64_t const tile : wanted.tiles) {
        all.push_back({.app = app, .rows = rows, .tile = static_cast<int>(tile)});
        if (app == "dtw" || app == "sw") strips.describe(all.back());
      }
    }
  }
  return all;
}

int body(int argc, char** argv) {
  request wanted;
  bench::graph_input input;
  strip_inputs strips;
  bench::program app("juggler",
                     "Runs applications as graphs of tasks inside one kernel, and times it.",
                     {.trace = true, .threads = true});
  add_options(app, wanted);
  input.add_to(app, "a task graph; its application is graph");
  strips.add_options(app);
  command_line& line = app.line();
  line.add_example("-n 960 -b 64", "LU decomposition of 15 × 15 tiles under all policies");
  line.add_example("--app dtw -n 4608 -b 64", "72 × 72 tiles of dynamic time warping");
  line.add_example("--app sw -n 4608 -b 64", "the same of Smith-Waterman alignment");
  line.add_example("--app sw --fasta a.fasta --matrix BLOSUM62 -b 64",
                   "the first two proteins of a file");
  line.add_example("--rows 1024 --tile 32,64 --method lrr,lts", "two sizes of tiles");
  line.add_example("--graph dag.h5 --work-ns 0,1000,10000", "any graph, three lengths of tasks");
  line.set_list("methods\n" + bench::list_of(methods()));
  if (!app.parse(argc, argv)) return exit_done;
  input.check(app);
  check_options(app, wanted, input, strips);
  require_threads(app);
  csr_graph graph;
  if (!input.file.empty()) {
    graph = read_dag(input.file);
    if (graph.tasks() == 0) throw usage_error("--graph: the graph has no tasks");
  }
  auto all_subjects =
      subjects(wanted, strips, graph, std::filesystem::path(input.file).filename().string());
  for (subject& what : all_subjects) {
    require_fit(app, what);
    strips.make(what, app.common().seed);
  }
  bench::harness<row> all(app, runs_columns());
  show_figures(all);
  all.expect_groups(all_subjects.size());
  for (subject const& what : all_subjects) all.run(arms_of(app, wanted, what));
  return app.finish(all, {all.runs()});
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
