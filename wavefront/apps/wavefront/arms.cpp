#include "arms.hpp"

#include <algorithm>
#include <filesystem>

#include "gridloom/error.hpp"
#include "gridloom/taskgraph/cluster.hpp"
#include "wavefront/ours/result_word.hpp"

namespace gridloom::wavefront {
namespace {

template <class Value>
void require_equal(std::vector<Value> const& found, std::vector<Value> const& expected) {
  std::size_t wrong = 0;
  std::size_t first_wrong = 0;
  for (std::size_t task = 0; task < expected.size(); ++task) {
    if (!(found[task] == expected[task]) && wrong++ == 0) first_wrong = task;
  }
  if (wrong == 0) return;
  throw wrong_result(std::to_string(wrong) + " of " + std::to_string(expected.size()) +
                     " results differ from the serial run, first at task " +
                     std::to_string(first_wrong));
}

csr_graph in_rows(graph_view const& of) {
  csr_graph rows{{0}, {}};
  std::visit(
      [&](auto const& graph) {
        for (std::uint32_t task = 0; task < graph.tasks(); ++task) {
          auto const to = graph.successors(task);
          for (std::uint32_t k = 0; k < to.size(); ++k) rows.columns.push_back(to[k]);
          rows.row_offsets.push_back(rows.columns.size());
        }
      },
      of);
  return rows;
}

/// One configuration with its scheduler. The counting build does not count the accesses of bodies,
/// so it is verified with the recurrence.
class scheduler_work final : public bench::work<row> {
 public:
  scheduler_work(scene& of, row const& what) : scene_(of), what_(what), runs_(make(what.counters)) {
    runs_->reset();
  }

  void prepare() override {
    any_body body = scene_.body_of(what_);
    probe_ref observer;
    if (what_.counters) {
      if (scene_.app.common().verify) body = scene_.body_that_shows_order(what_);
      scene_.machine.fill_bytes(scene_.counts, 0);
      observer.counts = scene_.counts.data();
    }
    runs_->prepare(body, observer);
  }
  void copy_in() override { runs_->reset(); }
  void run() override { runs_->run(); }
  void copy_out() override { executed_ = runs_->finished(); }
  void check() override { require_all(*scene_.dog, executed_, scene_.tasks()); }

  void verify() override {
    if (!what_.counters) {
      execute(*runs_, scene_.body_that_shows_order(what_), {});
      check();
    }
    if (what_.wide_results) {
      require_equal(scene_.machine.copy_to_host(scene_.memory.wide_values),
                    scene_.graph.wide_reference());
    } else {
      require_equal(scene_.machine.copy_to_host(scene_.memory.values), scene_.graph.reference());
    }
  }

  void record(row& to) const override {
    if (what_.counters) to.counts = scene_.machine.copy_to_host(scene_.counts)[0];
    to.executed = executed_;
    to.bytes_per_task =
        static_cast<double>(scene_.graph.bytes() + runs_->bytes()) / scene_.tasks();
    if (!what_.algorithm->by_levels) return;
    to.waves_ms = scene_.graph.levels_ms();
    to.record_ms = runs_->set_up().state_ms - to.waves_ms;
  }

  bool observe() override {
    if (!what_.algorithm->observable) return false;
    // The timed arm writes the trace.
    if (what_.counters) return true;
    auto const observed = make(true);
    constexpr std::uint32_t most_events = 1U << 24;
    int const workers = what_.units();
    probe_ref observer;
    observer.trace = scene_.app.arm_trace(
        workers,
        std::min(scene_.tasks(), std::max(most_events / static_cast<std::uint32_t>(workers), 16U)),
        {in_rows(scene_.graph.host_view()), {}});
    execute(*observed, scene_.body_of(what_), observer);
    return true;
  }

 private:
  [[nodiscard]] std::unique_ptr<body_executor> make(bool observe) const {
    return make_scheduler(
        {scene_.machine, scene_.graph, scene_.memory, *scene_.dog, what_, observe});
  }
  void execute(body_executor& what, any_body const& body, probe_ref const& observer) {
    what.reset();
    what.prepare(body, observer);
    what.run();
    scene_.machine.synchronize();
    executed_ = what.finished();
  }

  scene& scene_;
  row const what_;
  std::unique_ptr<body_executor> runs_;
  std::uint64_t executed_ = 0;
};

/// Number of threads per block for in_order, given the average number of tasks that can run at
/// once. Warps that run too far ahead poll in vain and slow the others down. Measured on one H200
/// with one block per multiprocessor, on graphs with 24, 400 and 2,000 tasks at once.
int in_order_threads(double tasks_at_once) {
  return tasks_at_once < 100 ? 32 : tasks_at_once < 1000 ? 64 : 128;
}

/// The grid of in_order_cluster, where `asked` leaves it to the graph. There is one block per two
/// warps of tasks that can run at once on average, because each block adds a ring to fill. There
/// are lanes for several times as many tasks, so that a warp has the edges of its next tasks early.
/// There are at most 8 blocks and 2,048 lanes, which are fastest on wide graphs on one H200.
launch_shape cluster_grid(launch_shape asked, double tasks_at_once, int most_blocks) {
  constexpr int enough_blocks = 8;
  constexpr double enough_lanes = 2048;
  if (asked.blocks == by_the_graph) {
    asked.blocks = 1;
    while (asked.blocks < std::min(most_blocks, enough_blocks) && 64 * asked.blocks < tasks_at_once)
      asked.blocks *= 2;
  }
  if (asked.threads == by_the_graph) {
    double const wanted = std::min(4 * tasks_at_once, enough_lanes);
    asked.threads = asked.blocks == 1 ? 256 : 64;
    while (asked.threads < most_in_order_lanes && asked.blocks * asked.threads < wanted)
      asked.threads *= 2;
  }
  return asked;
}

device_graph graph_of(device& machine, std::string const& file, lattice_size size) {
  return file.empty() ? device_graph(machine, size) : device_graph(machine, read_dag(file));
}

}  // namespace

scene::scene(bench::program& frame, std::string const& graph_file, lattice_size size)
    : app(frame),
      machine(frame.machine()),
      graph(graph_of(machine, graph_file, size)),
      counts(machine.allocate<access_counts>(1)),
      input_(std::filesystem::path(graph_file).filename().string()) {}

void scene::complete(settings& what) const {
  auto const& info = *what.algorithm;
  if (machine.is_host()) what.threads = 1;
  double const at_once = static_cast<double>(tasks()) / depth();
  if (info.in_order && info.one_cluster) {
    auto const grid = cluster_grid({what.blocks, what.threads}, at_once,
                                   most_cluster_blocks_of(machine.properties()));
    what.blocks = grid.blocks;
    what.threads = grid.threads;
  } else if (what.threads == by_the_graph) {
    what.threads = in_order_threads(at_once);
  }
  what.queues = info.many_queues() ? static_cast<int>(what.blocks * what.queue_share / 100) : 1;
  if (what.queues < 1) return;
  require_fit(machine.properties(), graph.is_lattice(), what);
}

void scene::allocate(int most_observers, bool wide) {
  // Each task needs a counter, a result, and the serial result on the host. Wide results need
  // words, too. Queues are small in comparison.
  double const bytes_per_task =
      wide ? 12 + 2 * sizeof(wide_value) + sizeof(result_word<wide_value>) : 12;
  if (bytes_per_task * tasks() > 0.9 * static_cast<double>(machine.properties().memory_bytes)) {
    throw usage_error(std::to_string(tasks()) + " tasks do not fit into the memory of " +
                      machine.properties().name + "; use a smaller graph");
  }
  dog.emplace(machine, most_observers, app.common().timeout_s);
  memory.dependencies = machine.allocate<std::uint32_t>(tasks());
  memory.words = machine.allocate<scheduler_words>(1);
}

drawn_work const& scene::drawn(task_durations kind) const {
  auto const [place, is_new] = drawn_.try_emplace(kind);
  if (is_new) place->second = work_of(graph, kind, seed());
  return place->second;
}

std::uint32_t scene::seed() const {
  std::uint64_t const seed = app.common().seed;
  return static_cast<std::uint32_t>(seed ^ seed >> 32);
}

any_body scene::body_of(settings const& what) {
  if (what.body == body_kind::work) {
    auto const ticks = static_cast<std::uint64_t>(static_cast<double>(what.work_ns) *
                                                  machine.properties().ticks_per_ns);
    return work_body{ticks, what.durations, seed()};
  }
  if (what.body == body_kind::noop) return noop_body{};
  if (what.wide_results) {
    if (memory.wide_values.size() == 0) memory.wide_values = machine.allocate<wide_value>(tasks());
    return wide_body{memory.wide_values.data()};
  }
  if (memory.values.size() == 0) memory.values = machine.allocate<std::uint32_t>(tasks());
  return recurrence_body{memory.values.data()};
}

any_body scene::body_that_shows_order(settings const& what) {
  settings shown = what;
  shown.body = what.wide_results ? body_kind::wide : body_kind::recurrence;
  any_body const body = body_of(shown);
  if (what.wide_results) {
    machine.fill_bytes(memory.wide_values, 0xa5);
  } else {
    machine.fill_bytes(memory.values, 0xa5);
  }
  return body;
}

launch_shape default_grid(algorithm_info const& info, task_width width,
                          device_properties const& machine) {
  // Measured on one H200 with 132 multiprocessors. The paper's grid is for a K20X.
  constexpr launch_shape paper{220, 32};
  constexpr int blocks_per_sm_by_block = 4;
  constexpr int lanes_of_launches = 256;
  // With 132 blocks, these are 12,672 lanes for the 10,000 rows of the paper's lattice.
  constexpr int lanes_of_queues = 96;
  int const sms = machine.multiprocessors;
  launch_shape grid = paper;
  if (info.lanes) {
    grid = {sms, info.by_levels  ? lanes_of_launches
                 : info.in_order ? by_the_graph
                                 : lanes_of_queues};
    if (width == task_width::block) grid = {sms * blocks_per_sm_by_block, paper.threads};
  }
  if (machine.backend == "host") grid = {sms, 1};
  if (info.one_cluster && !info.in_order) grid.blocks = std::min(grid.blocks, most_cluster_blocks);
  if (info.one_cluster && info.in_order)
    grid.blocks = machine.backend == "host" ? std::min(sms, most_cluster_blocks) : by_the_graph;
  if (info.one_thread) grid.blocks = 1;
  return grid;
}

std::vector<method> const& all_methods() {
  struct texts {
    std::string what, takes;
  };
  static std::vector<texts> const own = [] {
    std::vector<texts> all;
    for (auto const& info : algorithms()) {
      texts one{std::string(info.about), info.one_thread ? "" : "workers"};
      if (!info.blocks) one.what += "; --width lane";
      if (!info.lanes) one.what += "; --width block";
      if (info.many_queues()) one.takes += " queues hash";
      if (info.tiled) one.takes += " tiles";
      if (info.lattice_only) one.takes += " publish-every";
      if (info.in_order) one.takes += " numbering";
      if (info.looks_ahead) one.takes += " look-ahead";
      if (info.has_ring) one.takes += " ring-slots fences edges";
      all.push_back(std::move(one));
    }
    return all;
  }();
  static std::vector<method> const all = [] {
    std::vector<method> made;
    for (auto const& info : algorithms()) {
      auto const& [what, takes] = own[made.size()];
      made.push_back({.name = info.name,
                      .what = what,
                      .takes = takes,
                      .on_host = info.on_host,
                      .on_cuda = info.on_cuda,
                      .needs = info.needs,
                      .traced = info.observable,
                      .stops = !info.by_levels || *info.by_levels > level_end::graph_pdl,
                      .traits = {&info},
                      .make = bench::makes<scheduler_work>});
    }
    return made;
  }();
  return all;
}

bench::schema<row> columns() {
  auto const work_ms = [](row const& r) {
    return r.body == body_kind::work ? static_cast<double>(r.work_ns) * 1e-6 : 0;
  };
  auto const name_of = [](auto const& names, auto value) {
    return std::string(names[static_cast<std::size_t>(value)]);
  };
  return {
      {"algorithm", "", "name of the algorithm, as in --algorithm", &row::method},
      {"graph", "", "lattice or dag", &scene::kind},
      {"input", "", "name of the graph's file, without its folder; empty: a lattice of indices",
       &scene::input},
      {"rows", "1", "rows of the lattice; 1 for a dag", &scene::rows},
      {"cols", "1", "columns of the lattice; number of tasks of a dag", &scene::cols},
      {"planes", "1", "depth of the lattice; 1 for a dag", &scene::planes},
      {"tasks", "1", "number of tasks", &scene::tasks},
      {"edges", "1", "number of dependences", &scene::edges},
      {"depth", "1", "tasks on the longest path", &scene::depth},
      {"workers", "1", "thread blocks or host threads", &row::blocks},
      {"threads", "1", "threads per block", &row::threads},
      {"queues", "1", "number of locked queues; 0: the algorithm has none",
       [=](row const& r) {
         if (r.algorithm->many_queues()) return r.queues;
         return r.algorithm->published == published_method::single_queue ? 1 : 0;
       }},
      {"hash", "", "multi_queue: hash that selects the queue of a task",
       [=](row const& r) {
         return r.algorithm->many_queues() ? name_of(task_hash_names, r.hash) : "";
       }},
      {"numbering", "", "in_order: order of the tasks: auto, own or levels",
       [=](row const& r) {
         return r.algorithm->in_order ? name_of(task_numbering_names, r.numbering) : "";
       }},
      {"tile", "1",
       "omp_tiles: side of a tile in cells, or number of a dag's tasks per tile; 0: no tiles",
       [=](row const& r) { return r.algorithm->tiled ? r.tile : 0; }},
      {"body", "", "what a task does: noop, recurrence, wide or work",
       [=](row const& r) { return name_of(body_names, r.body); }},
      {"work_ns", "ns", "synthetic work per task; the mean of the drawn lengths", &row::work_ns},
      {"durations", "",
       "how lengths of tasks are drawn: constant, uniform, exponential or rare-long; empty: no "
       "work",
       [=](row const& r) {
         return r.body == body_kind::work ? name_of(task_durations_names, r.durations) : "";
       }},
      {"work_total_ms", "ms", "sum of the drawn lengths of all tasks",
       [=](row const& r) { return work_ms(r) * r.problem->drawn(r.durations).total; }},
      {"work_path_ms", "ms", "largest sum of the drawn lengths along one path",
       [=](row const& r) { return work_ms(r) * r.problem->drawn(r.durations).path; }},
      {"width", "", "what executes a task: a lane (thread) or a block",
       [](row const& r) { return r.width == task_width::lane ? "lane" : "block"; }},
      {"counters", "1", "1: the row has counts and no times", &row::counters},
      {"executed", "1", "number of executed tasks that the scheduler counted", &row::executed},
      {"cas", "1", "compare-and-swap operations of the scheduler (counting build)", &row::counts,
       &access_counts::compare_exchanges},
      {"atomics", "1", "other atomic operations of the scheduler (counting build)", &row::counts,
       &access_counts::atomics},
      {"loads", "1", "loads of shared words by the scheduler (counting build)", &row::counts,
       &access_counts::loads},
      {"stores", "1", "stores to shared words by the scheduler (counting build)", &row::counts,
       &access_counts::stores},
      {"bytes_per_task", "bytes", "memory of the graph and the scheduler, without results",
       &row::bytes_per_task},
      {"units", "1", "number of tasks that can run at the same time",
       [](row const& r) { return r.units(); }},
      {"waves_ms", "ms", "computing the levels on the host and copying them; not in setup_ms",
       &row::waves_ms},
      {"record_ms", "ms", "recording the CUDA graph and making it ready; not in setup_ms",
       &row::record_ms},
  };
}

bench::schema<bench::arm<row>> worker_columns() {
  std::map<std::string, std::string> const texts{
      {"algorithm", ""},
      {"tasks", ""},
      {"workers", ""},
      {"threads", ""},
      {"width", "what executes a task: a lane (each lane is a worker of the trace) or a block"},
      {"queues", "number of locked queues; worker w takes its tasks from queue w mod queues"}};
  bench::schema<bench::arm<row>> chosen{{"arm", "", "name of the arm", &bench::arm<row>::name}};
  for (auto const& run_column : columns()) {
    auto const found = texts.find(run_column.described.name);
    if (found == texts.end()) continue;
    column described = run_column.described;
    if (!found->second.empty()) described.description = found->second;
    chosen.emplace_back(described, [value = run_column.value](bench::arm<row> const& one,
                                                              bench::measured const& times) {
      return value(one.row, times);
    });
  }
  return chosen;
}

}  // namespace gridloom::wavefront
