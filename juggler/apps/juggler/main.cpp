// The program juggler: the paper's applications under Juggler's runtime and its rivals.

#include <malloc.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <limits>

#include "apps/juggler/arms.hpp"
#include "gridloom/error.hpp"
#include "gridloom/parse.hpp"
#include "gridloom/taskgraph/worker_placing.hpp"
#include "juggler/graph_export.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::juggler;

using names = std::vector<std::string>;
using numbers = std::vector<std::int64_t>;
using apps = std::vector<app_entry const*>;

struct request : method_request {
  names app_names{"lud"};
  numbers rows{512}, across{}, tiles{32};
  /// Empty means the paper's number of steps.
  numbers steps{};
  int bins = 32;
  std::string kernels = "own", check = "all";
  /// The file for the task graph. Empty if tasks are to be run.
  std::string dag_file;
};

void add_options(bench::program& app, request& wanted) {
  app.options()("app", choice_list_option("app", wanted.app_names, bench::names_of(applications())),
                "applications; an input file also chooses its application")(
      "rows,n", int_list_option("rows", wanted.rows, 1),
      "rows and columns of random matrices and images, elements of random series and sequences")(
      "across", int_list_option("across", wanted.across, 1, 1 << 20),
      "instead of --rows: tiles in a row; the number of rows is this times --tile")(
      "tile,b", int_list_option("tile", wanted.tiles, 1, 1 << 15), "rows and columns of a tile")(
      "bins", int_option("bins", wanted.bins, 1, 256), "int_hist: bins of the histogram")(
      "steps", int_list_option("steps", wanted.steps, 1, 1 << 20),
      "heat, jacobi: time steps; default 1 for heat and 2 for jacobi")(
      "kernels", choice_option("kernels", wanted.kernels, {"own", "loops"}),
      "own: the application's kernels; loops: the loops of its OpenMP source, as juggler-cc "
      "translates them")("check", choice_option("check", wanted.check, {"all", "sampled"}),
                         "all: compare all results on the host; sampled: make inputs on the "
                         "machine, compute some tiles "
                         "again, and compare methods by hashes")(
      "dag", text_option(wanted.dag_file, "FILE"),
      "write the task graph of one application and size (HDF5), and run nothing")(
      "queue-length",
      int_option("queue-length", wanted.queue_length, 0, std::numeric_limits<int>::max()),
      "entries of each worker's queue; 0: the number of tasks")(
      "placing",
      choice_list_option("placing", wanted.placings,
                         {worker_placing_names.begin(), worker_placing_names.end()}),
      "numbering of workers in a grid that fills a GPU: across the multiprocessors, or by block")(
      "cofactor", int_list_option("cofactor", wanted.cofactors, 1, 64),
      "instead of --workers: resident workers per multiprocessor, or per processor of the host")(
      "matching",
      choice_list_option("matching", wanted.matchings,
                         {matching_names.begin(), matching_names.end()}),
      "rule of the timed inspection: ranges depend on each other if they overlap, or only if they "
      "are equal, as in the paper")(
      "body", choice_list_option("body", wanted.bodies, {body_names.begin(), body_names.end()}),
      "the tasks' code: part of each method's kernel, or a function that all kernels call");
  app.line().add_rules(
      {{.option = "across", .excludes = {"rows"}},
       {.option = "cofactor", .excludes = {"workers"}},
       {.option = "placing", .not_on_host = "expected a GPU, host threads have no places"},
       {.option = "body", .excludes = {"kernels"}},
       {.option = "check", .excludes = {"input", "image"}},
       {.option = "dag", .excludes = {"output", "trace"}}});
}

void add_examples(command_line& line) {
  line.add_example("-n 960 -b 64", "LU decomposition of 15 × 15 tiles under all policies");
  line.add_example("--app dtw,sw -n 4608 -b 64", "72 × 72 tiles of time warping and of alignment");
  line.add_example("--app sw --fasta a.fasta --matrix BLOSUM62 -b 64",
                   "the first two proteins of a file");
  line.add_example("--app sat --across 90 -b 32,128",
                   "90 × 90 tiles of a summed area table, in two sizes");
  line.add_example("--app heat -n 512 -b 32 --dag heat.dag.h5", "the graph of its tasks as a file");
}

bool has_file(app_entry const& one, command_line const& line) {
  return std::any_of(one.files.begin(), one.files.end(),
                     [&](std::string const& option) { return line.given(option); });
}

/// The applications named by --app, else those that take the given files, else the default.
apps chosen_apps(command_line const& line, request const& wanted) {
  apps file_apps;
  for (app_entry const& one : applications()) {
    // Two applications take images; the first one is chosen.
    bool const is_new = std::none_of(file_apps.begin(), file_apps.end(),
                                     [&](auto const* other) { return other->files == one.files; });
    if (has_file(one, line) && is_new) file_apps.push_back(&one);
  }
  if (!line.given("app") && !file_apps.empty()) return file_apps;
  apps found;
  for (std::string const& name : wanted.app_names)
    found.push_back(&bench::named(applications(), name, "--app"));
  return found;
}

/// Refuses options that do not fit the chosen applications.
void check_options(bench::program& app, request const& wanted, apps const& chosen) {
  command_line const& line = app.line();
  bench::require_takers(line, "app", applications(), chosen);
  for (app_entry const* one : chosen) {
    if (wanted.kernels == "loops" && !one->takes_option("kernels"))
      throw usage_error("--kernels loops: " + std::string(one->name) +
                        " has no kernels of OpenMP loops; use another --app");
  }
  char const* const size = line.given("across") ? "across" : "rows";
  if (line.given(size) && std::all_of(chosen.begin(), chosen.end(),
                                      [&](auto const* one) { return has_file(*one, line); }))
    throw usage_error("--" + std::string(size) + ": inputs from files have their own size");
}

/// Refuses a method that no chosen application has, and an application that has no chosen method.
void check_methods(command_line const& line, request const& wanted,
                   bench::methods<row, traits> const& methods, apps const& chosen) {
  auto const entries = methods.entries();
  names app_names, all;
  for (app_entry const* is : chosen) app_names.emplace_back(is->name);
  methods.require_goes_with("app", app_names);
  if (!line.given("method")) return;
  for (method_entry const* one : entries) {
    all.emplace_back(one->name);
    if (wanted.kernels == "loops" && !one->traits.loops)
      throw usage_error("--method " + all.back() + ": cannot go with --kernels loops");
  }
  for (app_entry const* is : chosen) {
    if (std::none_of(entries.begin(), entries.end(),
                     [&](auto const* one) { return one->is_for(is->name); }))
      throw usage_error("--app " + std::string(is->name) +
                        ": expected a method of this application, got " + joined(all) +
                        "; see --list");
  }
}

/// All sizes of an application. Random inputs are made later.
std::vector<subject> subjects_of(app_entry const& one, request const& wanted, inputs const& given) {
  subject base{.is = &one, .steps = one.steps};
  app_input const* const file = given.first_of(one.files);
  if (file != nullptr) {
    base.rows = file->rows;
    base.cols = file->cols;
    base.input = *file;
  }
  base.kernels = wanted.kernels == "loops" ? kernel_kind::loops : kernel_kind::own;
  base.how = wanted.check == "sampled" ? checking::sampled : checking::all;
  if (one.takes_option("bins")) base.bins = wanted.bins;
  if (one.takes_option("lane-columns")) base.lane_columns = given.lane_columns();
  bool const by_tiles = !wanted.across.empty();
  std::string const size = by_tiles ? "across" : "rows";
  bench::sweep<subject> over;
  over.over(size, by_tiles ? wanted.across : wanted.rows, &subject::rows)
      .over("tile", wanted.tiles, &subject::tile)
      .over("steps", wanted.steps, &subject::steps)
      .then([&](subject& to) {
        if (file != nullptr) return;
        if (by_tiles) to.rows *= to.tile;
        to.cols = to.rows;
      });
  auto const varies = [&](std::string const& option) {
    return one.takes_option(option) && (file == nullptr || option != size);
  };
  std::vector<subject> all;
  for (auto const& [label, what] : over.variants(base, varies)) all.push_back(what);
  return all;
}

void make_input(inputs const& given, subject& what, bench::program const& app) {
  if (what.is->make_input != nullptr) what.is->make_input(given, what, app.common().seed);
}

/// Number of problems that the arms keep: one for all on each machine, besides those of their own.
std::size_t problems_of(std::vector<bench::arm<row>> const& arms) {
  std::size_t own = 0, on_host = 0;
  for (bench::arm<row> const& one : arms) {
    method_entry const& as = *one.row.as;
    if (as.traits.own_data) {
      ++own;
    } else if (as.host_code) {
      on_host = 1;
    }
  }
  bool const is_shared = own + on_host < arms.size();
  return own + on_host + (is_shared ? 1 : 0);
}

/// Writes the task graph of one subject and runs nothing. Uses only the host.
int write_dag(bench::program& app, request const& wanted, inputs const& given,
              std::deque<scene>& scenes) {
  if (scenes.size() != 1)
    throw usage_error("--dag: expected one application of one size, got " +
                      std::to_string(scenes.size()));
  scene& what = scenes.front();
  make_input(given, what, app);
  auto const made = what.is->make(bench::host_machine(), what, app.common().seed);
  write_graph_file(wanted.dag_file, made->dag(), what.is->types);
  what.describe(made->dag());
  std::printf("%lld tasks, %s at once, %lld edges: %s\n", static_cast<long long>(what.tasks),
              at_once_text(what.shape).c_str(), static_cast<long long>(what.edges),
              wanted.dag_file.c_str());
  app.put_in_place();
  return exit_done;
}

/// Keeps freed memory in the process. glibc would return it to the system, and each inspection would
/// spend most of its time on page faults.
void keep_freed_memory() {
  (void)mallopt(M_MMAP_THRESHOLD, 1 << 25);
  (void)mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

int body(int argc, char** argv) {
  keep_freed_memory();
  request wanted;
  inputs given;
  bench::program app("juggler",
                     "Runs applications as graphs of tasks inside one kernel, and times it.",
                     {.trace = true, .threads = true});
  bench::methods<row, traits> const methods(app, "method", "methods that run the tasks, see --list",
                                            all_methods());
  add_options(app, wanted);
  given.add_options(app);
  add_examples(app.line());
  if (!app.parse(argc, argv)) return exit_done;
  apps const chosen = chosen_apps(app.line(), wanted);
  check_options(app, wanted, chosen);
  check_methods(app.line(), wanted, methods, chosen);
  given.read(app);
  app.output("dag", wanted.dag_file);

  std::deque<scene> scenes;
  for (app_entry const* one : chosen) {
    for (subject const& what : subjects_of(*one, wanted, given)) {
      require_fit(app.machine(), what);
      scenes.emplace_back(app, what);
    }
  }
  if (!wanted.dag_file.empty()) return write_dag(app, wanted, given, scenes);
  std::vector<std::vector<bench::arm<row>>> groups;
  for (scene& of : scenes) {
    groups.push_back(arms_of(methods, of, wanted));
    require_room(app.machine(), of, problems_of(groups.back()));
  }
  bench::harness<row> all(app, columns());
  show_figures(all);
  all.expect_groups(scenes.size());
  // Frees the data of each subject before making the next.
  for (std::size_t k = 0; k < scenes.size(); ++k) {
    make_input(given, scenes[k], app);
    all.run(groups[k]);
    scenes[k].input = {};
  }
  return app.finish(all, {all.runs()});
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
