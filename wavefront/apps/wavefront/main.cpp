// wavefront: the paper's algorithms, ours and rivals on wavefronts and other task graphs, on a GPU
// or on host threads.

#include <algorithm>
#include <cstdio>

#include "arms.hpp"
#include "gridloom/bench/inputs.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::wavefront;
using numbers = std::vector<std::int64_t>;
using names = std::vector<std::string>;

/// The program's own options.
struct request {
  lattice_size size{1000, 1000, 1};
  bench::graph_input graph;
  numbers queue_shares{100}, block_sizes, work_ns{0}, tiles{64};
  names hashes{"a"}, bodies{"noop"}, durations{"constant"}, fences{"all"};
  std::string width = "auto", edges = "packed", numbering = "auto", look_ahead = "on";
  std::string measure = "all";
  bool counters = false;
  int publish_every = 16, ring_slots = 0;
};

void add_options(bench::program& app, request& wanted) {
  wanted.graph.add_to(app, "task graph from a file instead of a lattice");
  app.options()("rows", int_option("rows", wanted.size.rows, 1), "rows of the lattice")(
      "cols", int_option("cols", wanted.size.cols, 1), "columns of the lattice")(
      "depth", int_option("depth", wanted.size.depth, 1),
      "depth of the lattice; above 1, the lattice has three dimensions")(
      "width", choice_option("width", wanted.width, {"auto", "lane", "block"}),
      "what executes a task: one thread or a whole block")(
      "block-sizes", int_list_option("block-sizes", wanted.block_sizes, 1, 1024),
      "threads per block; one arm per value")(
      "body",
      choice_list_option("body", wanted.bodies, {body_names.begin(), body_names.begin() + 3}),
      "what a task does if --work-ns is 0; wide: a recurrence with results of 16 bytes")(
      "work-ns", int_list_option("work-ns", wanted.work_ns, 0, 1000000000),
      "synthetic work per task in ns")(
      "durations",
      choice_list_option("durations", wanted.durations,
                         {task_durations_names.begin(), task_durations_names.end()}),
      "how the lengths of tasks are drawn; --work-ns is their mean; all arms get the same lengths")(
      "queues", int_list_option("queues", wanted.queue_shares, 1, 100),
      "multi_queue: number of queues in percent of the workers")(
      "hash",
      choice_list_option("hash", wanted.hashes, {task_hash_names.begin(), task_hash_names.end()}),
      "multi_queue: how the queue of a task is chosen")(
      "publish-every", int_option("publish-every", wanted.publish_every, 1, 1 << 20),
      "stripes: number of columns between two signals to the stripe below")(
      "ring-slots", int_option("ring-slots", wanted.ring_slots, 0, 1 << 30),
      "ticket_queue: capacity of the ring, a power of two; 0: derived from the graph")(
      "fences", choice_list_option("fences", wanted.fences, {"all", "one"}),
      "ticket_queue: number of fences per task; all: for tasks that exchange data; one: for tasks "
      "that do not")("edges", choice_option("edges", wanted.edges, {"packed", "rows"}),
                     "ticket_queue, graphs from files: packed: a copy where one load gets up to "
                     "four successors; rows: the graph as it is")(
      "numbering",
      choice_option("numbering", wanted.numbering,
                    {task_numbering_names.begin(), task_numbering_names.end()}),
      "in_order: the order of tasks; own: by their numbers; levels: level by level")(
      "look-ahead", choice_option("look-ahead", wanted.look_ahead, {"on", "off"}),
      "in_order: whether a waiting warp reads the edges of its next tasks")(
      "tiles", int_list_option("tiles", wanted.tiles, 1, 1 << 20),
      "omp_tiles: side of a tile in cells; for graphs from files, number of tasks per tile; one "
      "arm per value")("counters", boost::program_options::bool_switch(&wanted.counters),
                       "also count memory accesses of the schedulers, in a separate run")(
      "measure", choice_option("measure", wanted.measure, {"all", "counts"}),
      "counts: only count memory accesses, without timed runs");
  app.line().add_rules(
      {{.option = "graph", .excludes = {"rows", "cols", "depth"}},
       {.option = "threads", .excludes = {"block-sizes"}},
       {.option = "block-sizes",
        .not_on_host = "has no effect on the host, where a worker is one thread; expected "
                       "--backend cuda"},
       {.option = "work-ns", .excludes = {"body recurrence", "body wide"}},
       {.option = "durations", .needs = {"work-ns"}}});
}

settings base_of(bench::program& app, request const& wanted, method const& one) {
  auto const& info = *one.traits.info;
  settings base;
  base.algorithm = &info;
  bool const lane = wanted.width == "auto" ? info.lanes : wanted.width == "lane";
  base.width = lane ? task_width::lane : task_width::block;
  launch_shape const usual = default_grid(info, base.width, app.machine().properties());
  common_options const& common = app.common();
  base.blocks = common.workers > 0 && !info.one_thread ? common.workers : usual.blocks;
  base.threads = common.threads > 0 ? common.threads : usual.threads;
  base.publish_every = static_cast<std::uint32_t>(wanted.publish_every);
  base.ring_slots = static_cast<std::uint32_t>(wanted.ring_slots);
  return base;
}

/// The index of a name in a list of names.
template <class Value, class Names>
Value value_of(Names const& all, std::string const& name) {
  return static_cast<Value>(std::find(all.begin(), all.end(), name) - all.begin());
}

bench::sweep<settings> sweep_of(request const& wanted, scene const& of) {
  struct length {
    std::int64_t ns;
    std::string durations;
  };
  std::vector<length> lengths;
  for (std::int64_t const ns : wanted.work_ns) {
    if (ns == 0) lengths.push_back({0, "constant"});
    for (auto const& name : ns == 0 ? names{} : wanted.durations) lengths.push_back({ns, name});
  }
  using name = std::string;
  auto const unless = [](name usual) {
    return [usual](name const& value) { return value == usual ? "" : " " + value; };
  };
  auto const unless_then = [](name usual, name text) {
    return [usual, text](name const& value) { return value == usual ? "" : text; };
  };
  bench::sweep<settings> over;
  over.over(
      "look-ahead", names{wanted.look_ahead},
      [](settings& s, name const& value) { s.looks_ahead = value == "on"; },
      unless_then("on", " no look-ahead"));
  over.over(
      "edges", names{wanted.edges},
      [](settings& s, name const& value) { s.packs_successors = value == "packed"; },
      unless("packed"));
  over.over(
      "fences", wanted.fences,
      [](settings& s, name const& value) { s.orders_memory = value == "all"; },
      unless_then("all", " one fence"));
  over.over(
      "numbering", names{wanted.numbering},
      [](settings& s, name const& value) {
        s.numbering = value_of<task_numbering>(task_numbering_names, value);
      },
      unless("auto"));
  over.over("block-sizes", wanted.block_sizes, &settings::threads);
  over.over("tiles", wanted.tiles, &settings::tile,
            [](std::int64_t tile) { return " tile " + std::to_string(tile); });
  over.over(
      "hash", wanted.hashes,
      [](settings& s, name const& value) { s.hash = value_of<task_hash>(task_hash_names, value); },
      [](name const& value) { return " " + value; });
  over.over("queues", wanted.queue_shares, &settings::queue_share,
            [](std::int64_t share) { return " " + std::to_string(share) + "%"; });
  over.over(
      "body", wanted.bodies,
      [](settings& s, name const& value) {
        s.body = value_of<body_kind>(body_names, value);
        s.wide_results = s.body == body_kind::wide;
      },
      unless(wanted.bodies.size() > 1 ? "noop" : wanted.bodies.front()));
  over.over(
      "work-ns", lengths,
      [](settings& s, length const& one) {
        if (one.ns == 0) return;
        s.body = body_kind::work;
        s.work_ns = one.ns;
        s.durations = value_of<task_durations>(task_durations_names, one.durations);
      },
      [](length const& one) {
        if (one.ns == 0) return std::string();
        return " " + std::to_string(one.ns) + " ns" +
               (one.durations == "constant" ? "" : " " + one.durations);
      });
  bool const counts = wanted.counters || wanted.measure == "counts";
  std::vector<int> builds;
  if (wanted.measure != "counts") builds.push_back(0);
  if (counts) builds.push_back(1);
  over.over("counters", builds, &settings::counters, [](int) { return ""; });
  over.then([&of](settings& s) { of.complete(s); });
  return over;
}

/// Leaves out arms whose share is too small for one queue. Throws usage_error if only one share was
/// given.
std::vector<bench::arm<row>> with_queues(std::vector<bench::arm<row>> arms, request const& wanted) {
  std::erase_if(arms, [&](bench::arm<row> const& one) {
    if (one.row.queues > 0) return false;
    if (wanted.queue_shares.size() == 1) {
      throw usage_error("--queues: " + std::to_string(one.row.queue_share) + " % of " +
                        std::to_string(one.row.blocks) +
                        " workers gives no queue; use a larger percentage");
    }
    return true;
  });
  return arms;
}

/// Leaves out counting builds of schedulers that cannot be observed. The others have no times.
std::vector<bench::arm<row>> with_observers(std::vector<bench::arm<row>> arms) {
  std::string hidden;
  for (auto& one : arms) one.untimed = one.row.counters;
  std::erase_if(arms, [&](bench::arm<row> const& one) {
    if (!one.row.counters || one.row.algorithm->observable) return false;
    hidden += "wavefront: " + one.name + ": memory accesses of its scheduler cannot be counted\n";
    return true;
  });
  if (arms.empty())
    throw usage_error(
        "--measure counts: expected an algorithm whose memory accesses can be counted");
  std::fputs(hidden.c_str(), stderr);
  return arms;
}

void show_figures(bench::harness<row>& all) {
  auto const times = [](auto a, auto b) { return std::to_string(a) + " x " + std::to_string(b); };
  all.show("graph", [=](row const& r, double) {
    auto const& of = *r.problem;
    return times(of.rows(), of.cols()) +
           (of.planes() > 1 ? " x " + std::to_string(of.planes()) : "");
  });
  all.show("blocks", [=](row const& r, double) { return times(r.blocks, r.threads); });
  all.show("work ns", [](row const& r, double) { return r.work_ns; });
  all.show("tasks/s", [](row const& r, double ms) { return r.problem->tasks() / ms * 1e3; });
  all.show("ns/hop", [](row const& r, double ms) { return ms * 1e6 / r.problem->depth(); });
  all.show("B/task", [](row const& r, double) {
    return r.bytes_per_task;
  });
}

int body(int argc, char** argv) {
  request wanted;
  bench::program app("wavefront",
                     "Runs task graphs with scheduling inside the GPU, and measures the time.",
                     {.trace = true, .threads = true});
  bench::methods<row, traits> const algorithms(app, "algorithm", "algorithms to run, see --list",
                                               all_methods(), {"ticket_queue"});
  add_options(app, wanted);
  command_line& line = app.line();
  line.add_example("--algorithm ticket_queue,multi_queue --rows 2000 --cols 2000",
                   "two algorithms on one lattice");
  line.add_example("--graph dag.h5 --algorithm ticket_queue --counters",
                   "a graph from a file, with counts of memory accesses");
  if (!app.parse(argc, argv)) return exit_done;
  wanted.graph.check(app);
  if (app.line().given("durations") && wanted.work_ns == numbers{0})
    throw usage_error("--durations: goes with --work-ns above 0, the mean of the durations");

  scene of(app, wanted.graph.file, wanted.size);
  auto const arms = with_observers(with_queues(
      algorithms.arms(
          of, [&](method const& one) { return base_of(app, wanted, one); }, sweep_of(wanted, of)),
      wanted));
  int most_observers = 1;
  bool wide = false;
  for (auto const& one : arms) {
    most_observers = std::max(most_observers, one.row.blocks * one.row.threads);
    wide |= one.row.wide_results;
  }
  of.allocate(most_observers, wide);
  app.meta().set("publish_every", std::to_string(wanted.publish_every));
  app.meta().set("ring_slots", std::to_string(wanted.ring_slots));
  bench::harness<row> all(app, columns());
  show_figures(all);
  all.run(arms);
  if (!app.common().trace.empty()) {
    bench::table<bench::arm<row>> workers("workers", worker_columns());
    for (auto const& one : arms) {
      if (!one.row.counters) workers.add(one);
    }
    app.set_trace_tables({app.trace().tasks(), workers.contents()});
  }
  return app.finish(all, {all.runs()});
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
