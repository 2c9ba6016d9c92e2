#include "request.hpp"

#include <algorithm>
#include <limits>

#include "goes_with.hpp"
#include "gridloom/bench/catalogue.hpp"
#include "gridloom/parse.hpp"
#include "method_table.hpp"
#include "plan.hpp"

namespace gridloom::juggler {

namespace {

void require_distinct(std::string const& option, std::vector<std::int64_t> all) {
  std::sort(all.begin(), all.end());
  auto const twice = std::adjacent_find(all.begin(), all.end());
  if (twice != all.end())
    throw usage_error(option + ": " + std::to_string(*twice) + " is there twice");
}

void require_once(std::string const& option, std::vector<std::string> all) {
  std::sort(all.begin(), all.end());
  auto const twice = std::adjacent_find(all.begin(), all.end());
  if (twice != all.end()) throw usage_error(option + ": " + *twice + " is there twice");
}

/// "a", "a or b".
std::string either(std::span<std::string_view const> names) {
  std::string text;
  for (std::string_view const name : names)
    text += (text.empty() ? "" : " or ") + std::string(name);
  return text;
}

}  // namespace

void request::add_options(bench::program& app) {
  std::vector<std::string> names{"custom"};
  for (juggler::experiment const& one : experiments()) names.emplace_back(one.name);
  app.options()("experiment", choice_option("experiment", experiment, names),
                "custom: set by the options below; others: the runs behind the figures")(
      "app", choice_list_option("app", apps, app_names()),
      "applications; a file chooses its application by itself")(
      "method", choice_list_option("method", methods, bench::names_of(juggler::methods())),
      "methods that run the tasks, see --list")(
      "rows,n", int_list_option("rows", rows, 1),
      "rows and columns of random matrices and images, elements of random series and sequences")(
      "tile,b", int_list_option("tile", tiles, 1, 1 << 15), "rows and columns of a tile")(
      "bins", int_option("bins", bins, 1, 256), "int_hist: bins of the histogram")(
      "steps", int_list_option("steps", steps, 1, 1 << 20),
      "heat, jacobi: time steps; default 1 and 2")(
      "work-ns", int_list_option("work-ns", work_ns, 0, 1000000000),
      "graph: synthetic work per task in ns")(
      "kernels", choice_option("kernels", kernels, {"own", "loops"}),
      "own: the application's kernels; loops: those of its OpenMP source as juggler-cc translates "
      "it")("dag", text_option(dag_file, "FILE"),
            "write the task graph of one application and size (HDF5), and run nothing")(
      "queue-length", int_option("queue-length", queue_length, 0, std::numeric_limits<int>::max()),
      "entries of each worker's queue; 0: as many as there are tasks")(
      "placing",
      choice_list_option(
          "placing", placings,
          {juggler::worker_placing_names.begin(), juggler::worker_placing_names.end()}),
      "how workers are numbered in a grid that fills a GPU: as blocks are, across its "
      "multiprocessors, or across them by a stride");
}

void request::check(bench::program& app, inputs& given) {
  command_line const& line = app.line();
  tiles_given = line.given("tile");
  work_ns_given = line.given("work-ns");
  workers = app.common().workers;
  juggler::experiment const* const plan = experiment_of(experiment);
  if (plan != nullptr) take(*plan, app);
  require_distinct("--rows", rows);
  require_distinct("--tile", tiles);
  require_distinct("--work-ns", work_ns);
  require_distinct("--steps", steps);
  require_once("--placing", placings);
  if (std::vector<std::string> const file_apps = given.apps_of_files();
      !file_apps.empty() && plan == nullptr && !line.given("app"))
    apps = file_apps;
  given.read(app, apps, plan != nullptr);
  auto const any = [&](auto const& holds) { return std::any_of(apps.begin(), apps.end(), holds); };
  auto const asked = [&](char const* name) {
    return any([&](std::string const& one) { return one == name; });
  };
  auto const is_tiled = [](std::string const& name) { return name != "graph"; };
  require_with(line, asked("graph"), "--app graph", {"work-ns"});
  require_with(line, any(is_tiled), "--app lud, dtw, sw, sat, int_hist, heat or jacobi",
               {"tile", "rows"});
  if (line.given("rows") &&
      !any([&](std::string const& name) { return is_tiled(name) && !given.is_from_file(name); }))
    throw usage_error("--rows: inputs of files have their own");
  require_with(line, asked("int_hist"), "--app int_hist", {"bins"});
  require_with(line, asked("heat") || asked("jacobi"), "--app heat or jacobi", {"steps"});
  if (line.given("placing") && app.machine().is_host())
    throw usage_error("--placing: expected a GPU, host threads have no places");
  check_methods(app);
  check_kernels(app);
  app.output("dag", dag_file);
}

void request::check_kernels(bench::program& app) const {
  if (kernels == "own") return;
  if (experiment != "custom")
    throw usage_error("--kernels: goes with --experiment custom; " + experiment + " has its own");
  for (std::string const& name : apps) {
    if (!has_loops(name))
      throw usage_error("--kernels loops: goes with --app lud, sat, int_hist, heat or jacobi");
  }
  for (std::string const& name : methods) {
    if (app.line().given("method") && !method_of(name).takes_loops())
      throw usage_error("--method " + name + ": does not go with --kernels loops");
  }
}

void request::take(juggler::experiment const& plan, bench::program& app) {
  command_line const& line = app.line();
  auto const has = [](std::vector<std::string> const& names, std::string const& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (char const* option :
       {"rows", "tile", "bins", "steps", "work-ns", "graph", "input", "image", "series", "fasta"}) {
    if (line.given(option) && !has(plan.options, option))
      throw usage_error(std::string("--") + option + ": goes with --experiment custom; " +
                        experiment + " has its own");
  }
  if (!line.given("app")) apps = plan.apps;
  for (std::string const& one : apps) {
    if (!has(plan.apps, one))
      throw usage_error("--app " + one + ": expected " + joined(plan.apps) + " for --experiment " +
                        experiment);
  }
  if (experiment == "timeline" && !line.given("trace"))
    throw usage_error("--experiment timeline: expected a file by --trace");
  // One worker per multiprocessor, so that the cost of a task is the time that one worker waits
  // for.
  if (experiment == "grain" && workers == 0 && !app.machine().is_host())
    workers = app.machine().properties().multiprocessors;
}

void request::check_methods(bench::program& app) {
  all_methods = methods.empty();
  if (all_methods) {
    juggler::experiment const* const plan = experiment_of(experiment);
    methods = plan != nullptr && !plan->methods.empty() ? plan->methods
                                                        : bench::names_of(juggler::methods());
    return;
  }
  for (std::string const& name : methods) {
    method const& how = method_of(name);
    if (std::none_of(apps.begin(), apps.end(), [&](auto const& one) { return how.is_for(one); }))
      throw usage_error("--method " + name + ": goes with --app " + either(how.only_for));
    if (how.needs_gpu && app.machine().is_host())
      throw usage_error("--method " + name + ": expected a GPU, got host threads");
  }
  for (std::string const& one : apps) {
    if (std::none_of(methods.begin(), methods.end(),
                     [&](auto const& name) { return method_of(name).is_for(one); }))
      throw usage_error("--app " + one + ": expected a method that it has, got " + joined(methods) +
                        "; see --list");
  }
  if (app.line().given("placing") &&
      std::none_of(methods.begin(), methods.end(),
                   [](auto const& name) { return method_of(name).places; }))
    throw usage_error("--placing: goes with a method whose workers stay, see --list");
  bool const queues = std::any_of(methods.begin(), methods.end(),
                                  [](auto const& name) { return method_of(name).queues; });
  if (app.line().given("queue-length") && !queues)
    throw usage_error("--queue-length: goes with a method that has queues, see --list");
}

std::vector<subject> request::subjects(inputs const& given,
                                       device_properties const& machine) const {
  if (experiment_of(experiment) != nullptr) return planned(*this, given, machine);
  std::vector<subject> all;
  for (std::string const& app : apps) {
    if (app == "graph") {
      for (std::int64_t const ns : work_ns) {
        all.push_back({.app = app, .work_ns = ns});
        given.describe(all.back());
      }
      continue;
    }
    std::vector<std::int64_t> all_steps{0};
    if (app == "heat" || app == "jacobi") all_steps = steps;
    if (all_steps.empty()) all_steps = {app == "jacobi" ? 2 : 1};
    for (std::int64_t const n : given.is_from_file(app) ? std::vector<std::int64_t>{0} : rows) {
      for (std::int64_t const tile : tiles) {
        for (std::int64_t const count : all_steps) {
          all.push_back({.app = app, .rows = n, .cols = n, .tile = static_cast<int>(tile)});
          all.back().steps = static_cast<int>(count);
          if (app == "int_hist") all.back().bins = bins;
          if (kernels == "loops") all.back().kernels = kernel_kind::loops;
          given.describe(all.back());
        }
      }
    }
  }
  return all;
}

}  // namespace gridloom::juggler
