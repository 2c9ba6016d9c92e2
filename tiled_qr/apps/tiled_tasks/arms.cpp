#include "apps/tiled_tasks/arms.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "check/residual.hpp"
#include "gridloom/bench/harness.hpp"
#include "inputs/families.hpp"
#include "rivals/lapack.hpp"
#include "tiled_qr/task.hpp"

namespace gridloom::tiled_qr::general {

namespace {

/// Runs the tasks of a client under FR4's scheduler or a rival.
template <execution How>
class task_work final : public bench::work<row> {
 public:
  task_work(scene& of, row const& what)
      : app_(of.app),
        machine_(How == execution::in_order ? bench::host_machine() : of.app.machine()),
        // FR4's workers are as many as fit, unless --workers says otherwise.
        settings_{.workers = How == execution::scheduled ? of.app.common().workers : what.blocks,
                  .threads = what.threads,
                  .timeout_s = of.app.common().timeout_s},
        client_(of.make(machine_)),
        graph_(client_->graph().compile(
            what.priority == priority_by_names[0] ? priority_by::critical_path : priority_by::none,
            static_cast<std::uint32_t>(of.classes))),
        executor_(client_->make_ready(graph_, How, settings_)) {}

  void copy_in() override { client_->load(); }
  void run() override { executor_->run(); }
  void copy_out() override { client_->fetch(); }
  void check() override { executor_->require_done(); }
  void verify() override { residual_ = client_->verify(settings_.threads); }
  bool observe() override {
    constexpr std::uint32_t most_events = 1U << 22U;
    trace_ref const events =
        app_.arm_trace(executor_->workers(), std::min(graph_.tasks(), most_events),
                       {graph_.successors, graph_.type_names});
    client_->load();
    executor_->run(events);
    machine_.synchronize();
    return true;
  }
  void record(row& to) const override {
    if (How == execution::scheduled) to.blocks = executor_->workers();
    to.classes = static_cast<int>(graph_.num_classes);
    to.launches = static_cast<std::int64_t>(executor_->launches());
    to.executed = static_cast<std::int64_t>(executor_->finished());
    to.put_backs = static_cast<std::int64_t>(executor_->put_backs());
    to.data_bytes = static_cast<std::int64_t>(client_->bytes());
    to.bytes_per_task =
        static_cast<double>(executor_->bytes()) / static_cast<double>(graph_.tasks());
    to.kernel = executor_->facts();
    to.residual = residual_;
  }

 private:
  bench::program& app_;
  device& machine_;
  executor_settings settings_;
  std::unique_ptr<client> client_;
  compiled_graph graph_;
  std::unique_ptr<executor> executor_;
  double residual_ = bench::missing_real;
};

/// Factorises the client's matrix by OpenBLAS.
class lapack_work final : public bench::work<row> {
 public:
  lapack_work(scene& of, row const& /*what*/)
      : n_(of.rows),
        kind_(*of.kind),
        values_(kind_.matrix(n_, of.app.common().seed)),
        taus_(static_cast<std::size_t>(n_)) {}

  void prepare() override { set_lapack_threads(1); }
  void copy_in() override { factors_ = values_; }
  void run() override { kind_.lapack(n_, factors_.data(), taus_.data()); }
  void record(row& to) const override {
    to.data_bytes = static_cast<std::int64_t>(values_.size() * sizeof(double));
  }

 private:
  std::int64_t n_;
  client_kind const& kind_;
  std::vector<double> values_;
  std::vector<double> taus_;
  std::vector<double> factors_;
};

constexpr client_kind clients[] = {
    {.name = "qr",
     .make =
         [](scene const& of, device& machine) {
           return make_qr_client(machine, of.rows, of.tile, of.app.common().seed);
         },
     .takes = "rows tile",
     .flops =
         [](double n) {
           return flops_of(static_cast<std::int64_t>(n), static_cast<std::int64_t>(n));
         },
     .matrix = [](std::int64_t n,
                  std::uint64_t seed) { return make_matrix<double>("random", n, n, seed); },
     .lapack = [](std::int64_t n, double* factors,
                  double* taus) { lapack_geqrf(n, n, factors, taus); }},
    {.name = "cholesky",
     .make =
         [](scene const& of, device& machine) {
           auto const order =
               of.updates == updates_names[0] ? updates::in_order : updates::any_order;
           return make_cholesky_client(machine, of.rows, of.tile, order, of.app.common().seed);
         },
     .takes = "rows tile updates",
     .threads = 128,
     .flops = [](double n) { return n * n * n / 3; },
     .matrix = make_definite,
     .lapack = [](std::int64_t n, double* factors, double* /*taus*/) { lapack_potrf(n, factors); }},
    {.name = "example",
     .make =
         [](scene const& of, device& machine) {
           return make_example_client(machine, static_cast<std::uint32_t>(of.rows),
                                      of.app.common().seed);
         },
     .takes = "rows"},
};

using enum bench::origin;
constexpr method entries[] = {
    {.name = "general",
     .what = "FR4: the workers schedule tasks of any graph themselves",
     .by = published,
     .takes = "priority classes",
     .traced = true,
     .traits = {.waits = true},
     .make = bench::makes<task_work<execution::scheduled>>},
    {.name = "serial",
     .what = "one host thread runs the tasks in an order that respects the dependences",
     .by = rival,
     .traced = true,
     .host_code = true,
     .make = bench::makes<task_work<execution::in_order>>},
    {.name = "waves",
     .what = "one launch per level of tasks that neither depend on each other nor conflict",
     .by = rival,
     .traced = true,
     .stops = false,
     .traits = {.by_levels = true},
     .make = bench::makes<task_work<execution::waves>>},
    {.name = "waves_graph",
     .what = "the kernels of waves as a CUDA graph",
     .by = rival,
     .traced = true,
     .stops = false,
     .traits = {.by_levels = true},
     .make = bench::makes<task_work<execution::waves_graph>>},
    {.name = "lapack",
     .what = "LAPACKE geqrf or potrf of OpenBLAS, one thread",
     .by = rival,
     .host_code = true,
     .stops = false,
     .goes_with = "qr cholesky",
     .traits = {.by_tasks = false},
     .make = bench::makes<lapack_work>},
};

double gflops(row const& r, double ms) {
  return r.problem->flops == 0 ? bench::missing_real : r.problem->flops / ms * 1e-6;
}
double tasks_per_ms(row const& r, double ms) {
  return r.is->by_tasks ? static_cast<double>(r.problem->tasks) / ms : 0;
}

/// Returns the number of workers; missing if each task has its own block.
int shown_blocks(row const& r) {
  bool const per_task = r.is->by_levels && !r.problem->app.machine().is_host();
  return per_task ? int{bench::missing_integer} : r.blocks;
}

}  // namespace

scene::scene(bench::program& frame, subject of, int tile_size, int class_count)
    : subject(std::move(of)), app(frame), tile(bench::missing_integer), classes(class_count) {
  if (kind->flops != nullptr) flops = kind->flops(static_cast<double>(rows));
  tile = tile_size;
  compiled_graph const compiled = make(bench::host_machine())->graph().compile(priority_by::none);
  tasks = compiled.tasks();
  edges = static_cast<std::int64_t>(compiled.successors.edges());
  uses = static_cast<std::int64_t>(compiled.uses.size());
  depth = levels_of(compiled.successors).groups();
}

std::span<method const> all_methods() { return entries; }
std::span<client_kind const> all_clients() { return clients; }

std::optional<settings> base_of(scene const& of, method const& one) {
  if (!one.is_for(of.client())) return {};
  launch_shape const shape = one.host_code ? launch_shape{1, 1} : of.app.shape(of.kind->threads);
  return settings{.is = &one.traits, .blocks = shape.blocks, .threads = shape.threads};
}

bench::schema<row> columns() {
  auto const task_fact = [](std::int64_t scene::*fact) {
    return [fact](row const& r) { return r.is->by_tasks ? r.problem->*fact : 0; };
  };
  return {
      {"client", "", "client that makes the tasks: qr, cholesky or example", &scene::client},
      {"method", "", "name of the method, as in --method", &row::method},
      {"rows", "1", "rows and columns of the matrix, or chunks of the example", &scene::rows},
      {"tile", "1", "rows and columns of a tile",
       [](row const& r) {
         bool const tiled = r.problem->flops != 0 && r.is->by_tasks;
         return tiled ? r.problem->tile : int{bench::missing_integer};
       }},
      {"updates", "",
       "cholesky: what orders updates of a tile; in-order: dependences; any-order: conflicts",
       &scene::updates},
      {"tasks", "1", "number of tasks; 0: the method has no tasks", task_fact(&scene::tasks)},
      {"edges", "1", "number of dependences", task_fact(&scene::edges)},
      {"uses", "1", "number of resources that tasks use, summed over all tasks",
       task_fact(&scene::uses)},
      {"depth", "1", "tasks on the longest path", task_fact(&scene::depth)},
      {"priority", "", "rule that selects the next ready task", &row::priority},
      {"classes", "1", "number of priority classes; each has a queue of ready tasks",
       &row::classes},
      {"workers", "1",
       "number of workers: thread blocks or host threads; missing if there is one block per task",
       shown_blocks},
      {"threads", "1", "threads per block", &row::threads},
      {"blas_core", "", "lapack: processor type whose kernels OpenBLAS selected",
       [](row const& r) { return r.is->by_tasks ? std::string() : blas_core(); }},
      {"launches", "1", "kernel launches per run", &row::launches},
      {"executed", "1", "number of executed tasks that the scheduler counted", &row::executed},
      {"put_backs", "1", "how often a worker put a task back because of a conflict",
       &row::put_backs},
      {"data_bytes", "bytes", "memory of the data that tasks read and write", &row::data_bytes},
      {"bytes_per_task", "bytes", "memory of the graph, the queues and the scheduler's words",
       &row::bytes_per_task},
      {"registers", "1", "registers per thread of the kernel that executes tasks",
       bench::kernel_fact(&kernel_facts::registers)},
      {"shared_bytes", "bytes", "shared memory per block of that kernel",
       bench::kernel_fact(&kernel_facts::shared_bytes)},
      {"blocks_per_multiprocessor", "1",
       "blocks of that kernel that fit on a multiprocessor at once",
       bench::kernel_fact(&kernel_facts::blocks_per_multiprocessor)},
      {"residual", "1", "cholesky: |A - LL'| / (|A| n eps) of the verified run", &row::residual},
      {"tasks_per_ms", "1/ms", "number of tasks divided by elapsed_ms", tasks_per_ms},
      {"gflops", "Gflop/s", "floating-point operations by LAPACK's count, divided by elapsed_ms",
       gflops},
  };
}

void show_figures(bench::harness<row>& all) {
  all.show("client", [](row const& r, double) {
    scene const& of = *r.problem;
    return std::string(of.client()) + " " + std::to_string(of.rows);
  });
  all.show("blocks", [](row const& r, double) {
    int const blocks = shown_blocks(r);
    return (blocks == bench::missing_integer ? "per task" : std::to_string(blocks)) + " x " +
           std::to_string(r.threads);
  });
  all.show("tasks/ms", tasks_per_ms);
  all.show("Gflop/s", gflops);
}

}  // namespace gridloom::tiled_qr::general
