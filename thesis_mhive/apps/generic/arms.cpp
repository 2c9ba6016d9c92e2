#include "arms.hpp"

#include <algorithm>
#include <utility>

#include "gridloom/error.hpp"
#include "gridloom/parse.hpp"

namespace gridloom::mhive::generic {
namespace {

/// Limits of a trace: its number of events, and of workers that it tells apart.
constexpr std::int64_t most_events = std::int64_t{1} << 24U;
constexpr std::int64_t most_workers = std::int64_t{1} << 20U;

/// Runs the tree under one scheduler. An extra run records a certificate, which shows whether tasks
/// kept their order.
class tree_work final : public bench::work<row> {
 public:
  tree_work(scene& of, row const& what)
      : scene_(of), what_(what), runner_(of.make_runner(*what.by)) {}

  void prepare() override { done_ = {}; }
  double timed_run(device& /*machine*/) override {
    done_ = runner_->run(what_.method, {});
    return done_.elapsed_ms;
  }
  void verify() override {
    run_probe probe;
    probe.certificate = scene_.certified().arm();
    (void)runner_->run(what_.method, probe);
    auto const faults = scene_.certified().faults(scene_.run.seed, what_.by->kind);
    if (!faults.empty()) throw wrong_result(joined(faults, "\n  "));
  }
  void record(row& to) const override { to.run = done_; }

  bool observe() override {
    run_probe probe;
    probe.trace = scene_.arm_trace();
    (void)runner_->run(what_.method, probe);
    return true;
  }

 private:
  scene& scene_;
  row const what_;
  // The scene owns the runner, so that schedulers share the memory of a tree.
  std::unique_ptr<tree_runner>& runner_;
  report done_;
};

constexpr bench::method<row> under(std::string_view name, std::string_view what, bench::origin by) {
  return {.name = name,
          .what = what,
          .by = by,
          .takes = "dependencies",
          .traced = true,
          .make = bench::makes<tree_work>};
}
constexpr bench::method<row> table[] = {
    under("time_sliced", "TSK: the host launches one kernel per task type",
          bench::origin::published),
    under("megakernel", "MK: one persistent kernel", bench::origin::published),
    under("megakernel_1024",
          "MK with registers limited so that 1,024 threads fit on a multiprocessor",
          bench::origin::ours),
    under("device_controller", "PDC: a controller launches kernels from the device",
          bench::origin::published),
    under("resident_controller", "PDC with workers that stay resident", bench::origin::ours),
    {.name = "graph",
     .what = "a CUDA graph with one kernel per task type, without MHive",
     .by = bench::origin::rival,
     .traced = true,
     .make = bench::makes<tree_work>}};

}  // namespace

std::span<bench::method<row> const> all_methods() { return table; }

scene::scene(bench::program& frame, execution_tree of, std::string its_name, std::string preset,
             std::int64_t instances)
    : app(frame),
      machine(frame.machine()),
      tree(std::move(of)),
      name(std::move(its_name)),
      experiment(preset.empty() ? "custom" : std::move(preset)),
      run{&tree, static_cast<std::uint32_t>(instances), frame.common().seed, frame.common().workers,
          frame.common().timeout_s} {
  require_instances(tree, instances, "--instances");
}

void scene::require_fit(std::span<dependencies const> kinds) {
  for (dependencies const kind : kinds) {
    if (kind == dependencies::phases) require_phases(tree);
  }
  require_memory(machine.properties(), tree, run.instances, kinds, app.common().verify,
                 "--instances");
  for (std::uint64_t const n : count_tasks(tree, run.seed, run.instances)) tasks += n;
}

std::unique_ptr<tree_runner>& scene::make_runner(ordering const& by) {
  auto& runner = runners_[&by];
  // The memory may be enough for only one runner.
  runner.reset();
  runner = by.make(machine, run);
  return runner;
}

certificate& scene::certified() {
  if (!certificate_) certificate_.emplace(machine, tree, run.instances);
  return *certificate_;
}

trace_ref scene::arm_trace() {
  std::int64_t const workers = workers_traced();
  if (workers > most_workers) {
    throw usage_error("--trace: expected a run of at most " + std::to_string(most_workers) +
                      " warps, got " + std::to_string(workers) + "; use fewer --instances");
  }
  auto const room = static_cast<std::uint64_t>(std::max(most_events / workers, std::int64_t{16}));
  bench::traced_graph graph;
  // A graph of more tasks than a trace can hold is left out.
  if (tasks <= std::uint64_t{most_events})
    graph.successors = task_graph(tree, run.seed, run.instances);
  return app.arm_trace(
      static_cast<int>(workers),
      static_cast<std::uint32_t>(std::min(room, std::max(tasks, std::uint64_t{1}))),
      std::move(graph));
}

std::int64_t scene::workers_traced() const {
  auto const& properties = machine.properties();
  if (machine.is_host()) return std::max(run.workers, properties.multiprocessors) + 1;
  std::int64_t const warps =
      std::int64_t{properties.multiprocessors} * properties.threads_per_multiprocessor / 32;
  // Numbers of blocks of 256 threads, by worker size.
  std::map<int, std::int64_t> blocks;
  std::int64_t most = std::max(2 * warps, 8 * (std::int64_t{run.workers} + 1));
  for (task_definition const& task : tree.tasks()) {
    std::int64_t& sum = blocks[task.worker_size];
    sum += std::int64_t{run.instances} * task.worker_size / 256 + 1;
    most = std::max(most, 8 * sum);
  }
  return most;
}

kernel_facts counters::largest() const {
  kernel_facts found;
  for (kernel_report const& kernel : run.kernels) {
    if (kernel.facts.registers > found.registers) found = kernel.facts;
  }
  return found;
}

bench::schema<row> columns() {
  return {
      {"experiment", "", "name of the preset; custom: a tree from a file", &scene::experiment},
      {"scheduler", "", "name of the scheduler, as in --scheduler", &row::method},
      {"dependencies", "",
       "what orders the tasks: phases, individual dependencies, or launches (graph only)", &row::by,
       &ordering::name},
      {"tree", "", "preset or file name of the execution tree", &scene::name},
      {"instances", "1", "number of instances of the tree", &scene::run, &tree_run::instances},
      {"seed", "1", "seed that selects the transitions to take", &scene::run, &tree_run::seed},
      {"tasks", "1", "number of tasks of all instances", &scene::tasks},
      {"workers", "1", "requested number of thread blocks or host threads; 0: all that fit",
       &scene::run, &tree_run::workers},
      {"phase_changes", "1", "number of phase changes", &row::run, &report::phase_changes},
      {"rounds", "1", "rounds of the controller; 0: the scheduler has none", &row::run,
       &report::rounds},
      {"launches", "1", "number of kernel launches by the controller or the graph", &row::run,
       &report::launches},
      {"registers", "1", "registers per thread of the largest kernel", &row::largest,
       &kernel_facts::registers},
      {"local_bytes", "bytes", "local memory per thread of that kernel", &row::largest,
       &kernel_facts::local_bytes},
      {"blocks_per_multiprocessor", "1",
       "blocks of that kernel that fit on a multiprocessor at once", &row::largest,
       &kernel_facts::blocks_per_multiprocessor},
  };
}

}  // namespace gridloom::mhive::generic
