// juggler: the paper's applications as graphs of tasks, by Juggler's runtime under its policies.

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>

#include "apps/sat/inspection.hpp"
#include "arms.hpp"
#include "gridloom/bench/catalogue.hpp"
#include "gridloom/bench/inputs.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::juggler;

/// A run of as many tasks takes some gigabytes for the graph alone.
constexpr std::int64_t most_tiles_cubed = 512;
constexpr std::int64_t most_tiles_squared = 5000;

std::vector<std::string> const app_names{"lud",  "dtw",    "sat",  "int_hist",
                                         "heat", "jacobi", "graph"};
/// Those of an image.
std::vector<std::string> const image_apps{"sat", "int_hist"};

bool is_one_of(std::vector<std::string> const& names, std::string const& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void add_options(bench::program& app, request& wanted) {
  app.options()("app", choice_list_option("app", wanted.apps, app_names),
                "whose tasks; graph goes with --graph")(
      "method", choice_list_option("method", wanted.methods, bench::names_of(methods())),
      "who runs them, see --list")(
      "rows,n", int_list_option("rows", wanted.rows, 1),
      "rows and columns of the matrices and made images, elements of the series")(
      "tile,b", int_list_option("tile", wanted.tiles, 1, 1 << 15), "rows and columns of a tile")(
      "image", text_option(wanted.image, "FILE.pgm"), "sat, int_hist: a grey image of 8 bits")(
      "bins", int_option("bins", wanted.bins, 1, 256), "int_hist: bins of the histogram")(
      "steps", int_list_option("steps", wanted.steps, 1, 1 << 20),
      "heat, jacobi: time steps; default 1 and 2")(
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
void check_options(bench::program& app, request& wanted, bench::graph_input const& graph) {
  command_line const& line = app.line();
  require_distinct("--rows", wanted.rows);
  require_distinct("--tile", wanted.tiles);
  require_distinct("--work-ns", wanted.work_ns);
  require_distinct("--steps", wanted.steps);
  if (!graph.file.empty() && !line.given("app")) wanted.apps = {"graph"};
  if (!wanted.image.empty() && !line.given("app")) wanted.apps = {"sat"};
  auto const asked = [&](char const* name) { return is_one_of(wanted.apps, name); };
  auto const any = [&](auto const& holds) {
    return std::any_of(wanted.apps.begin(), wanted.apps.end(), holds);
  };
  bool const has_tiles = any([](std::string const& name) { return name != "graph"; });
  bool const has_rows = any([&](std::string const& name) {
    return name != "graph" && (wanted.image.empty() || !is_one_of(image_apps, name));
  });
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
  constexpr char const* tiled = "lud, dtw, sat, int_hist, heat or jacobi";
  require(has_tiles, tiled, {"tile"});
  require(has_tiles, tiled, {"rows"});
  if (line.given("rows") && has_tiles && !has_rows)
    throw usage_error("--rows: the image of --image has its own");
  require(asked("sat") || asked("int_hist"), "sat or int_hist", {"image"});
  require(asked("int_hist"), "int_hist", {"bins"});
  require(asked("heat") || asked("jacobi"), "heat or jacobi", {"steps"});
  wanted.all_methods = wanted.methods.empty();
  if (wanted.all_methods) wanted.methods = bench::names_of(methods());
  bool const queues = std::any_of(
      wanted.methods.begin(), wanted.methods.end(),
      [](std::string const& name) { return bench::named(methods(), name, "--method").queues; });
  for (std::string const& name : wanted.methods) {
    std::string const only(bench::named(methods(), name, "--method").only_for);
    if (!wanted.all_methods && !only.empty() && !asked(only.c_str()))
      throw usage_error("--method " + name + ": goes with --app " + only);
  }
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
  std::int64_t const cols = what.cols == 0 ? what.rows : what.cols;
  double const rounded_rows = static_cast<double>(what.rows) + what.tile;
  double const rounded_cols = static_cast<double>(cols) + what.tile;
  auto const& machine = app.machine().properties();
  double const bytes = what.app == "int_hist" ? 4.0 * what.bins : 8;
  if (bytes * rounded_rows * rounded_cols > 0.4 * static_cast<double>(machine.memory_bytes))
    throw usage_error("--rows: the data of " + what.app + " for " + std::to_string(what.rows) +
                      " rows are more than the memory of " + machine.name + " holds");
  std::int64_t const tiles = (std::max(what.rows, cols) + what.tile - 1) / what.tile;
  bool const by_cube = what.app == "lud";
  std::int64_t const most = by_cube ? most_tiles_cubed : most_tiles_squared;
  if (tiles > most)
    throw usage_error("--tile: " + std::to_string(what.tile) + " gives " + std::to_string(tiles) +
                      " tiles in a row, and tasks by their " + (by_cube ? "cube" : "square") +
                      "; expected at most " + std::to_string(most));
  if (tiles * tiles * what.steps > most_tiles_squared * most_tiles_squared)
    throw usage_error("--steps: " + std::to_string(what.steps) + " steps of " +
                      std::to_string(tiles * tiles) +
                      " tiles are too many tasks; expected at most " +
                      std::to_string(most_tiles_squared * most_tiles_squared) + " in all");
}

std::vector<subject> subjects(request const& wanted, csr_graph const& graph,
                              std::string const& graph_name,
                              std::shared_ptr<grey_image const> const& image) {
  std::vector<subject> all;
  for (std::string const& app : wanted.apps) {
    if (app == "graph") {
      for (std::int64_t const work_ns : wanted.work_ns)
        all.push_back({.app = app, .work_ns = work_ns, .graph = &graph, .graph_name = graph_name});
      continue;
    }
    bool const is_stencil = app == "heat" || app == "jacobi";
    std::vector<std::int64_t> all_steps = wanted.steps;
    if (all_steps.empty()) all_steps = {app == "jacobi" ? 2 : 1};
    if (!is_stencil) all_steps = {0};
    bool const is_read = image && is_one_of(image_apps, app);
    for (std::int64_t const rows : is_read ? std::vector{image->rows} : wanted.rows) {
      for (std::int64_t const tile : wanted.tiles) {
        for (std::int64_t const steps : all_steps) {
          subject made{.app = app, .rows = rows, .tile = static_cast<int>(tile)};
          made.steps = static_cast<int>(steps);
          if (app == "int_hist") made.bins = wanted.bins;
          if (is_read) {
            made.cols = image->cols;
            made.image = image;
            made.image_name = std::filesystem::path(wanted.image).filename().string();
          }
          all.push_back(made);
        }
      }
    }
  }
  return all;
}

/// Gives an application its image: the one that was read, or one made by the seed.
void attach_image(subject& what, std::uint64_t seed) {
  if (!is_one_of(image_apps, what.app)) return;
  if (!what.image) {
    int const brightest = what.app == "sat" ? sat::brightest(what.rows, what.rows) : 255;
    what.image = std::make_shared<grey_image>(make_image(what.rows, what.rows, brightest, seed));
  }
  if (what.app == "sat") sat::require_fit(*what.image, "--image");
}

int body(int argc, char** argv) {
  request wanted;
  bench::graph_input input;
  bench::program app("juggler",
                     "Runs applications as graphs of tasks inside one kernel, and times it.",
                     {.trace = true, .threads = true});
  add_options(app, wanted);
  input.add_to(app, "a task graph; its application is graph");
  command_line& line = app.line();
  line.add_example("-n 960 -b 64", "LU decomposition of 15 × 15 tiles under all policies");
  line.add_example("--app dtw -n 4608 -b 64", "72 × 72 tiles of dynamic time warping");
  line.add_example("--app sat -n 11520 -b 128", "90 × 90 tiles of a summed area table");
  line.add_example("--rows 1024 --tile 32,64 --method lrr,lts", "two sizes of tiles");
  line.add_example("--graph dag.h5 --work-ns 0,1000,10000", "any graph, three lengths of tasks");
  line.set_list("methods\n" + bench::list_of(methods()));
  if (!app.parse(argc, argv)) return exit_done;
  input.check(app);
  check_options(app, wanted, input);
  app.input("image", wanted.image);
  require_threads(app);
  csr_graph graph;
  if (!input.file.empty()) {
    graph = read_dag(input.file);
    if (graph.tasks() == 0) throw usage_error("--graph: the graph has no tasks");
  }
  std::shared_ptr<grey_image const> image;
  if (!wanted.image.empty()) image = std::make_shared<grey_image>(read_pgm(wanted.image));
  auto all_subjects =
      subjects(wanted, graph, std::filesystem::path(input.file).filename().string(), image);
  for (subject const& what : all_subjects) require_fit(app, what);
  bench::harness<row> all(app, runs_columns());
  show_figures(all);
  all.expect_groups(all_subjects.size());
  for (subject& what : all_subjects) {
    attach_image(what, app.common().seed);
    all.run(arms_of(app, wanted, what));
    what.image.reset();
  }
  return app.finish(all, {all.runs()});
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
