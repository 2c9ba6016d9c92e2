// gridloom-schedulers: the same task graphs under the schedulers of all artifacts.

#include <algorithm>
#include <filesystem>

#include "apps/schedulers/all.hpp"
#include "gridloom/bench/inputs.hpp"
#include "gridloom/bench/methods.hpp"
#include "gridloom/taskgraph/generate.hpp"
#include "gridloom/taskgraph/shape.hpp"

namespace gridloom::schedulers {

namespace {

struct request {
  std::vector<std::string> specifications;
  std::vector<std::int64_t> work_ns{0};
  bench::graph_input graph;
};

/// A graph with a duration of its tasks, and what all arms on it share.
struct scene {
  bench::program& app;
  std::string name;
  csr_graph const& graph;
  graph_shape shape;
  std::int64_t work_ns;
};

struct settings {
  int workers = 1, threads = 1;
};
struct counted {
  std::int64_t launches = bench::missing_integer, finished = bench::missing_integer;
  std::int64_t workers_used = bench::missing_integer;
  double bytes_per_task = bench::missing_real;
  kernel_facts kernel{};
};
using row = bench::row_of<scene, settings, counted>;

synthetic_scheduler const& named(std::string_view name) {
  auto const& all = all_schedulers();
  return *std::find_if(all.begin(), all.end(), [&](auto const& one) { return one.name == name; });
}

class graph_work final : public bench::work<row> {
 public:
  graph_work(scene& of, row const& what)
      : of_(of),
        data_(of.app.machine(), of.graph, of.work_ns),
        executor_(named(what.method)
                      .make(of.app.machine(), of.graph, data_.ref(),
                            {.workers = what.workers,
                             .threads = what.threads,
                             .timeout_s = of.app.common().timeout_s})) {}

  void prepare() override { data_.clear(); }
  /// Includes the reset of counters and queues, which every repetition needs.
  void run() override { executor_->run(); }
  void copy_out() override { data_.fetch(); }
  void check() override { executor_->require_done(); }
  void verify() override { data_.verify(); }
  bool observe() override {
    constexpr std::uint64_t most_events = 1U << 22U;
    auto const events = static_cast<std::uint32_t>(std::min(of_.graph.tasks(), most_events));
    data_.clear();
    executor_->run(of_.app.arm_trace(executor_->workers(), events, {of_.graph, {}}));
    of_.app.machine().synchronize();
    return true;
  }
  void record(row& to) const override {
    to.launches = static_cast<std::int64_t>(executor_->launches());
    to.finished = static_cast<std::int64_t>(executor_->finished());
    to.workers_used = executor_->workers();
    to.bytes_per_task =
        static_cast<double>(executor_->bytes()) / static_cast<double>(of_.graph.tasks());
    to.kernel = executor_->facts();
  }

 private:
  scene& of_;
  synthetic_graph data_;
  std::unique_ptr<executor> executor_;
};

std::vector<bench::method<row>> all_methods() {
  std::vector<bench::method<row>> made;
  for (synthetic_scheduler const& one : all_schedulers()) {
    bench::origin const by = one.by == origin::published ? bench::origin::published
                             : one.by == origin::ours    ? bench::origin::ours
                                                         : bench::origin::rival;
    made.push_back({.name = one.name,
                    .what = one.about,
                    .by = by,
                    .on_cuda = one.on_cuda,
                    .needs = one.needs,
                    .traced = true,
                    .stops_on_cuda = one.stops_on_cuda,
                    .make = bench::makes<graph_work>});
  }
  return made;
}

/// The critical path, or all work divided by the workers, whichever is larger.
double least_ms(row const& r) {
  if (r.workers_used == bench::missing_integer) return bench::missing_real;
  double const share =
      static_cast<double>(r.problem->graph.tasks()) / static_cast<double>(r.workers_used);
  return std::max(static_cast<double>(r.problem->shape.depth), share) *
         static_cast<double>(r.problem->work_ns) * 1e-6;
}

bench::schema<row> columns() {
  return {
      {"graph", "", "specification or file of the graph", &scene::name},
      {"scheduler", "", "scheduler, as --scheduler names it", &row::method},
      {"tasks", "1", "number of tasks",
       [](row const& r) { return static_cast<std::int64_t>(r.problem->graph.tasks()); }},
      {"edges", "1", "number of dependences",
       [](row const& r) { return static_cast<std::int64_t>(r.problem->graph.edges()); }},
      {"depth", "1", "tasks on the longest path",
       [](row const& r) { return r.problem->shape.depth; }},
      {"widest_level", "1", "tasks of the widest level",
       [](row const& r) { return r.problem->shape.widest_level; }},
      {"work_ns", "ns", "how long each task keeps its worker busy", &scene::work_ns},
      {"critical_path_ns", "ns", "the longest path, in time",
       [](row const& r) { return r.problem->shape.depth * r.problem->work_ns; }},
      {"workers", "1", "blocks of the largest launch, or host threads", &row::workers_used},
      {"threads", "1", "threads per block", &row::threads},
      {"launches", "1", "kernel launches per run", &row::launches},
      {"finished", "1", "number of tasks that the scheduler counted", &row::finished},
      {"bytes_per_task", "bytes", "device memory of the graph and the scheduler",
       &row::bytes_per_task},
      {"registers", "1", "registers per thread of the kernel",
       bench::kernel_fact(&kernel_facts::registers)},
      {"blocks_per_multiprocessor", "1", "blocks of the kernel on a multiprocessor at once",
       bench::kernel_fact(&kernel_facts::blocks_per_multiprocessor)},
      {"least_ms", "ms", "lower bound of the run: critical path, or work divided by workers",
       least_ms},
      {"tasks_per_ms", "1/ms", "number of tasks divided by elapsed_ms",
       [](row const& r, double ms) { return static_cast<double>(r.problem->graph.tasks()) / ms; }},
  };
}

struct named_graph {
  std::string name;
  csr_graph graph;
};

std::vector<named_graph> graphs_of(request const& wanted) {
  if (!wanted.graph.file.empty()) {
    named_graph one{std::filesystem::path(wanted.graph.file).filename().string(),
                    read_dag(wanted.graph.file)};
    if (one.graph.tasks() == 0) throw usage_error("--graph: the graph has no tasks");
    std::vector<named_graph> all;
    all.push_back(std::move(one));
    return all;
  }
  std::vector<named_graph> all;
  for (std::string const& one : wanted.specifications) all.push_back({one, generate_graph(one)});
  return all;
}

int body(int argc, char** argv) {
  request wanted;
  bench::program app("gridloom-schedulers",
                     "Runs the same task graphs under the schedulers of all artifacts.",
                     {.trace = true, .threads = true});
  auto const table = all_methods();
  bench::methods<row> const methods(app, "scheduler", "schedulers to run, see --list", table);
  wanted.graph.add_to(app, "task graph from a file");
  app.options()(
      "generate",
      boost::program_options::value(&wanted.specifications)->composing()->value_name("SPEC"),
      "task graph made from a specification, see --list; may be given several times")(
      "work-ns", int_list_option("work-ns", wanted.work_ns, 0, 1000000000),
      "how long each task keeps its worker busy");
  app.line().set_list("schedulers\n" + methods.list() + "graphs\n" + list_graph_generators());
  app.line().add_example("--generate fft:width=512,steps=200 --work-ns 0,2000",
                         "a pattern with empty and short tasks");
  if (!app.parse(argc, argv)) return exit_done;
  if (app.line().given("graph") == app.line().given("generate"))
    throw usage_error("--graph, --generate: expected one of them");
  wanted.graph.check(app);
  bench::require_distinct("work-ns", wanted.work_ns);
  auto const graphs = graphs_of(wanted);
  bench::harness<row> all(app, columns());
  all.show("tasks/ms", [](row const& r, double ms) {
    return static_cast<double>(r.problem->graph.tasks()) / ms;
  });
  all.expect_groups(graphs.size() * wanted.work_ns.size());
  for (named_graph const& one : graphs) {
    graph_shape const shape = shape_of(one.graph);
    for (std::int64_t const work_ns : wanted.work_ns) {
      scene of{app, one.name, one.graph, shape, work_ns};
      all.run(methods.arms(of, [&](auto const&) {
        // 0 workers: as many as fit, which depends on the scheduler's kernel.
        return settings{static_cast<int>(app.common().workers), app.shape(128).threads};
      }));
    }
  }
  return app.finish(all, {all.runs()});
}

}  // namespace
}  // namespace gridloom::schedulers

int main(int argc, char** argv) {
  return gridloom::run_program(argc, argv, gridloom::schedulers::body);
}
