// wavefront: task progression algorithms for wavefronts and other task graphs, on a GPU or on host
// threads.

#include <algorithm>
#include <cstdio>

#include "../distinct.hpp"
#include "arms.hpp"
#include "columns.hpp"
#include "gridloom/bench/catalogue.hpp"
#include "gridloom/bench/inputs.hpp"
#include "plan.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::wavefront;

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
  text += "experiments:";
  for (auto const* name : experiment_names)
    text += std::string(name == experiment_names.front() ? " " : ", ") + name;
  return text + "\n";
}

/// The program's own options; they write to `wanted`.
void add_options(bench::program& app, request& wanted) {
  app.options()("experiment",
                choice_option("experiment", wanted.experiment,
                              {experiment_names.begin(), experiment_names.end()}),
                "custom: what the options below say; others: the arms behind a figure")(
      "algorithm",
      choice_list_option("algorithm", wanted.algorithms,
                         bench::names_of<algorithm_info>(algorithms())),
      "algorithms to run, see --list; of an experiment's own only these")(
      "rows", int_option("rows", wanted.size.rows, 1), "rows of the lattice")(
      "cols", int_option("cols", wanted.size.cols, 1), "columns of the lattice")(
      "depth", int_option("depth", wanted.size.depth, 1),
      "depth of the lattice; above 1 the 3-D sweep")(
      "queues", int_list_option("queues", wanted.queue_shares, 1, 100),
      "multi_queue: queues in percent of the workers")(
      "hash",
      choice_list_option("hash", wanted.hashes, {task_hash_names.begin(), task_hash_names.end()}),
      "multi_queue: which queue a task goes to")(
      "width", choice_option("width", wanted.width, {"auto", "lane", "block"}),
      "who executes a task: a thread or a whole block")(
      "body", choice_list_option("body", wanted.bodies, {body_names.begin(), body_names.end()}),
      "what a task does, if --work-ns is 0; wide: a recurrence of 16 bytes")(
      "block-sizes", int_list_option("block-sizes", wanted.block_sizes, 1, 1024),
      "threads of a block, an arm each")("work-ns",
                                         int_list_option("work-ns", wanted.work_ns, 0, 1000000000),
                                         "synthetic work of a task in ns")(
      "durations",
      choice_list_option("durations", wanted.durations,
                         {task_durations_names.begin(), task_durations_names.end()}),
      "how the lengths of tasks are drawn, with --work-ns as their mean; the same tasks for all "
      "arms")(
      "tiles", int_list_option("tiles", wanted.tiles, 1, 1 << 20),
      "omp_tiles: cells of a tile's side, or of a graph from a file so many tasks that follow "
      "one another level by level; an arm each")(
      "counters", boost::program_options::bool_switch(&wanted.counters),
      "also count accesses, in a run of its own")(
      "measure", choice_option("measure", wanted.measure, {"all", "times", "counts"}),
      "leave the timed or the counting runs out")(
      "publish-every", int_option("publish-every", wanted.publish_every, 1, 1 << 20),
      "stripes: columns between two signals")(
      "ring-slots", int_option("ring-slots", wanted.ring_slots, 0, 1 << 30),
      "ticket_queue: capacity of the ring, a power of two; 0: by the graph")(
      "fences", choice_option("fences", wanted.fences, {"all", "one"}),
      "ticket_queue: all that tasks need which exchange data, or the one that others need")(
      "edges", choice_option("edges", wanted.edges, {"packed", "rows"}),
      "ticket_queue, graphs from files: packed copies a task's first successors to one place; "
      "rows: "
      "the graph as it is")(
      "numbering",
      choice_option("numbering", wanted.numbering,
                    {task_numbering_names.begin(), task_numbering_names.end()}),
      "in_order: the order of tasks; own: by their numbers, row by row; levels: level by level")(
      "look-ahead", choice_option("look-ahead", wanted.look_ahead, {"on", "off"}),
      "in_order: whether a warp that waits asks for the edges of its next tasks");
}

/// Refuses an option of algorithms that were not asked for.
void require_used(command_line const& line, request const& wanted) {
  struct own_option {
    char const* name;
    char const* algorithm;
  };
  for (auto const& [name, algorithm] :
       {own_option{"queues", "multi_queue"}, own_option{"hash", "multi_queue"},
        own_option{"publish-every", "stripes"}, own_option{"ring-slots", "ticket_queue"},
        own_option{"fences", "ticket_queue"}, own_option{"tiles", "omp_tiles"},
        own_option{"edges", "ticket_queue"}, own_option{"look-ahead", "in_order"}}) {
    auto const& all = wanted.algorithms;
    if (line.given(name) && std::find(all.begin(), all.end(), algorithm) == all.end())
      throw usage_error(std::string("--") + name + ": goes with --algorithm " + algorithm);
  }
  if (line.given("numbering") &&
      std::none_of(wanted.algorithms.begin(), wanted.algorithms.end(), is_in_order))
    throw usage_error(
        "--numbering: goes with --algorithm in_order, in_order_ticket or in_order_cluster");
}

/// Refuses what an experiment has, but no arm of it that was asked for.
void require_swept(command_line const& line, request const& wanted) {
  auto const& all = wanted.algorithms;
  bool const tiles = std::find(all.begin(), all.end(), "omp_tiles") != all.end();
  bool const blocks = std::any_of(
      all.begin(), all.end(), [](std::string const& name) { return name.starts_with("waves_"); });
  if (line.given("tiles") && !tiles) throw usage_error("--tiles: goes with --algorithm omp_tiles");
  if (line.given("block-sizes") && !blocks)
    throw usage_error("--block-sizes: goes with waves, whose blocks the experiment sweeps");
}

/// Options of the program that an experiment takes beside --algorithm, --measure and sizes.
bool takes(std::string const& experiment, std::string_view option) {
  struct own_options {
    char const* experiment;
    std::vector<std::string_view> options;
  };
  static std::vector<own_options> const all{
      {"metg", {"graph", "width", "work-ns", "durations"}},
      {"rivals", {"graph", "body", "block-sizes", "tiles"}},
      {"widths", {"body"}},
      {"peak", {"hash", "queues"}},
  };
  for (auto const& own : all) {
    if (own.experiment == experiment)
      return std::find(own.options.begin(), own.options.end(), option) != own.options.end();
  }
  return experiment == "custom";
}

/// Refuses what would be ignored or says two things at once.
void check_options(command_line const& line, request const& wanted) {
  bool const sized = wanted.size_given;
  if (sized && line.given("graph"))
    throw usage_error("--graph: cannot go with --rows, --cols or --depth");
  for (auto const* option :
       {"graph", "queues", "hash", "width", "body", "block-sizes", "work-ns", "durations", "tiles",
        "counters", "publish-every", "ring-slots", "fences", "edges", "numbering", "look-ahead"}) {
    if (line.given(option) && !takes(wanted.experiment, option)) {
      throw usage_error(std::string("--") + option + ": goes with --experiment custom; " +
                        wanted.experiment + " has its own");
    }
  }
  if (sized && wanted.experiment == "scaling")
    throw usage_error("--rows, --cols, --depth: scaling has sizes of its own");
  if (wanted.experiment == "custom") require_used(line, wanted);
  if (wanted.experiment == "rivals" && wanted.algorithms_given) require_swept(line, wanted);
  if (line.given("workers") && wanted.experiment == "custom" &&
      wanted.algorithms == std::vector<std::string>{"serial"})
    throw usage_error("--workers: serial is one thread");
  auto const body_with_results = std::find_if(wanted.bodies.begin(), wanted.bodies.end(),
                                              [](auto const& name) { return name != "noop"; });
  if (line.given("block-sizes") && line.given("threads"))
    throw usage_error("--block-sizes: cannot go with --threads");
  if (body_with_results != wanted.bodies.end() && line.given("work-ns"))
    throw usage_error("--work-ns: cannot go with --body " + *body_with_results);
  auto const& lengths = wanted.work_ns;
  if (wanted.experiment == "metg" && wanted.work_given &&
      std::find(lengths.begin(), lengths.end(), 0) != lengths.end())
    throw usage_error("--work-ns: metg needs tasks that take time, from 1 ns on");
  if (wanted.experiment == "custom" && line.given("durations") && !wanted.has_work())
    throw usage_error("--durations: goes with --work-ns, which is their mean");
  if (wanted.experiment == "custom" && wanted.measure == "counts" && !wanted.counters)
    throw usage_error("--measure counts: goes with --counters, or an experiment that counts");
  if (wanted.measure == "times" && wanted.counters)
    throw usage_error("--counters: cannot go with --measure times");
  for (auto const& [list, option] :
       {std::pair{&wanted.work_ns, "--work-ns"}, std::pair{&wanted.queue_shares, "--queues"},
        std::pair{&wanted.block_sizes, "--block-sizes"}, std::pair{&wanted.tiles, "--tiles"}})
    wavefront::require_distinct(*list, option);
}

int body(int argc, char** argv) {
  request wanted;
  bench::graph_input graph;
  bench::program app("wavefront",
                     "Runs task graphs by algorithms that schedule inside the GPU, and times them.",
                     {.trace = true, .threads = true});
  add_options(app, wanted);
  graph.add_to(app, "any task graph instead of a lattice");
  command_line& line = app.line();
  line.add_example("--algorithm ticket_queue,multi_queue --rows 2000 --cols 2000",
                   "two algorithms on one lattice");
  line.add_example("--experiment fig3 --output results/fig3.h5",
                   "the paper's Fig. 3 and what goes beyond");
  line.add_example("--graph dag.h5 --algorithm ticket_queue --counters",
                   "any task graph, with counted accesses");
  line.set_list(list_of_algorithms());
  if (!app.parse(argc, argv)) return exit_done;
  wanted.graph_file = graph.file;
  wanted.algorithms_given = line.given("algorithm");
  wanted.bodies_given = line.given("body");
  wanted.work_given = line.given("work-ns");
  wanted.hashes_given = line.given("hash");
  wanted.shares_given = line.given("queues");
  wanted.size_given = line.given("rows") || line.given("cols") || line.given("depth");
  graph.check(app);
  check_options(line, wanted);

  auto const& properties = app.machine().properties();
  auto const groups = plan(wanted, app.common(), properties);
  bool any_observable = false;
  for (auto const& group : groups) {
    for (auto const& a : group.arms) {
      require_fit(properties, group.graph_file.empty(), a.config);
      any_observable |= find_algorithm(a.config.algorithm).observable;
    }
  }
  app.require_trace(any_observable);
  app.meta().set("publish_every", std::to_string(wanted.publish_every));
  app.meta().set("ring_slots", std::to_string(wanted.ring_slots));
  bench::harness<row> all(app, runs_columns());
  bench::table<named_row> traced("workers", worker_columns());
  show_figures(all);
  all.expect_groups(groups.size());
  for (auto const& group : groups) {
    graph_scene scene(app, group);
    auto const arms = scene.arms();
    for (auto const& one : arms) {
      if (!one.row.counters) traced.add({one.name, one.row});
    }
    all.run(arms);
  }
  if (!app.common().trace.empty()) app.set_trace_tables({app.trace().tasks(), traced.contents()});
  return app.finish(all, {all.runs()});
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
