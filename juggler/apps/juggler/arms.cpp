#include "arms.hpp"

#include <algorithm>
#include <memory>
#include <tuple>

#include "apps/grid/tiling.hpp"
#include "gridloom/clock.hpp"
#include "gridloom/taskgraph/worker_placing.hpp"
#include "juggler/ours/int_hist/carries.hpp"
#include "juggler/ours/sat/carries.hpp"
#include "juggler/rivals/jacobi/temporal.hpp"
#include "juggler/rivals/sat/look_back.hpp"

namespace gridloom::juggler {

void scene::describe(task_dag const& dag) {
  if (tasks != 0) return;
  shape = shape_of(dag.children);
  tasks = dag.tasks();
  edges = static_cast<std::int64_t>(dag.children.edges());
}

std::string at_once_text(graph_shape const& shape) {
  std::string const most = std::to_string(shape.widest_level);
  return shape.narrowest_level == shape.widest_level
             ? most
             : std::to_string(shape.narrowest_level) + " to " + most;
}

std::pair<std::shared_ptr<problem>, double> scene::shared_on(device& machine) {
  shared_problem& known = problems_[&machine];
  if (auto made = known.made.lock()) return {made, known.made_ms};
  std::uint64_t const begin = now_ns();
  std::shared_ptr<problem> made = is->make(machine, *this, app.common().seed);
  known = {made, static_cast<double>(now_ns() - begin) * 1e-6};
  return {made, 0};
}

namespace {

/// Runs a method. Methods take turns, and each run loads the data anew.
class task_work final : public bench::work<row> {
 public:
  task_work(scene& of, row const& what)
      : scene_(of),
        what_(what),
        machine_(what.as->host_code ? bench::host_machine() : of.app.machine()) {
    if (what.as->traits.own_data) {
      problem_ = of.is->make(machine_, of, of.app.common().seed);
    } else {
      std::tie(problem_, shared_setup_ms_) = of.shared_on(machine_);
    }
    scene_.describe(problem_->dag());
    executor_ = problem_->make_ready(what.method, what);
  }

  double shared_setup_ms() const override { return shared_setup_ms_; }
  bool has_copies() const override { return scene_.how == checking::all; }
  /// Repeats and times the set-up before each run. Frees its memory before the run.
  void prepare() override {
    if (!what_.as->traits.tasks) return;
    facts_.inspection = problem_->inspect(what_.matching);
    auto const another = problem_->make_ready(what_.method, what_);
    facts_.graph_init_ms = another->set_up().graph_ms;
    facts_.runtime_init_ms = another->set_up().state_ms;
  }
  void copy_in() override { problem_->load(); }
  void run() override { executor_->run(); }
  void copy_out() override { problem_->fetch(); }
  void check() override { executor_->require_done(); }
  void verify() override { facts_.residual = problem_->verify(); }
  bool observe() override {
    if (!what_.as->traits.tasks) return false;
    trace_ref const events = scene_.app.arm_trace(executor_->workers(), most_events(),
                                                  {problem_->dag().children, scene_.is->types});
    problem_->load();
    executor_->run(events);
    machine_.synchronize();
    return true;
  }
  void record(row& to) const override {
    counted found = facts_;
    // Only GPU libraries do not run on a host. They choose their own launches and threads.
    if (what_.as->on_host) {
      found.blocks = executor_->workers();
      found.run_launches = static_cast<std::int64_t>(executor_->launches());
    }
    if (what_.as->takes_option("placing")) found.placed = executor_->placing();
    found.executed = static_cast<std::int64_t>(executor_->finished());
    if (load_range const loads = executor_->loads(); loads.max != 0) {
      found.max_load = loads.max;
      found.min_load = loads.min;
    }
    found.data_bytes = static_cast<std::int64_t>(problem_->bytes());
    found.bytes_per_task =
        static_cast<double>(executor_->bytes()) / static_cast<double>(scene_.tasks);
    found.kernel = executor_->facts();
    static_cast<result_facts&>(found) = problem_->results();
    static_cast<counted&>(to) = found;
  }

 private:
  /// The largest number of events per worker: all tasks, or fewer if a wave has one block per task.
  [[nodiscard]] std::uint32_t most_events() const {
    constexpr std::int64_t limit = 1 << 22;
    bool const per_task =
        what_.as->traits.waves && executor_->workers() >= scene_.shape.widest_level;
    return static_cast<std::uint32_t>(per_task ? scene_.shape.depth
                                               : std::min(scene_.tasks, limit));
  }

  scene& scene_;
  row const what_;
  device& machine_;
  std::shared_ptr<problem> problem_;
  std::unique_ptr<executor> executor_;
  double shared_setup_ms_ = 0;
  counted facts_;
};

constexpr bench::factory<row> by_problem = bench::makes<task_work>;
using enum bench::origin;

constexpr method_entry policy(std::string_view name, std::string_view what, bench::origin by) {
  return {.name = name,
          .what = what,
          .by = by,
          .takes = "queue-length placing cofactor matching",
          .traced = true,
          .traits = {.loops = true},
          .make = by_problem};
}
constexpr method_entry by_waves(std::string_view name, std::string_view what, bench::origin by,
                                bool stops_on_cuda = true) {
  return {.name = name,
          .what = what,
          .by = by,
          .traced = true,
          .stops_on_cuda = stops_on_cuda,
          .traits = {.waves = true},
          .make = by_problem};
}
/// A method in one launch, without queues.
constexpr method_entry resident(std::string_view name, std::string_view what, bench::origin by) {
  return {.name = name,
          .what = what,
          .by = by,
          .takes = "placing cofactor",
          .traced = true,
          .make = by_problem};
}
/// A method of methods_of_called_bodies.
constexpr method_entry with_body(method_entry one, std::string_view takes) {
  one.takes = takes;
  return one;
}

/// A method that does not execute tasks of the graph.
constexpr method_entry whole(std::string_view name, std::string_view what, bench::origin by,
                             std::string_view apps, bool (*fits)(scene const&) = nullptr) {
  return {.name = name,
          .what = what,
          .by = by,
          .goes_with = apps,
          .traits = {.tasks = false, .fits = fits},
          .make = by_problem};
}
/// A method that runs on other data than the tasks.
constexpr method_entry apart(std::string_view name, std::string_view what, bench::origin by,
                             std::string_view apps, bool (*fits)(scene const&) = nullptr) {
  method_entry one = whole(name, what, by, apps, fits);
  one.traits.own_data = true;
  return one;
}
/// A GPU library's method for lud.
constexpr method_entry library(std::string_view name, std::string_view what, bench::origin by,
                               bool (*fits)(scene const&) = nullptr) {
  method_entry one = apart(name, what, by, "lud", fits);
  one.on_host = false;
  one.stops = false;
  return one;
}

bool has_updates(scene const& of) { return of.tile < of.rows; }
bool fits_look_back(scene const& of) { return of.tile <= sat::largest_look_back_tile; }
bool fits_carries(scene const& of) {
  return of.bins == 0 ? of.tile <= sat::largest_carried_tile
                      : int_hist::fits_carries(of.tile, of.bins);
}
bool fits_temporal(scene const& of) {
  auto const side = tiling{of.rows, of.rows, of.tile}.tile_rows();
  int const workers = of.app.common().workers;
  return of.tile <= jacobi::largest_kept_tile && (workers == 0 || workers == side * side) &&
         side * side <= of.app.machine().properties().multiprocessors;
}

constexpr method_entry entries[] = {
    policy("lrr", "LRR: a worker deals the tasks that it frees to all workers in turn", published),
    with_body(policy("grr", "GRR: like LRR, with one counter for all workers", published),
              "queue-length placing cofactor matching body"),
    policy("grr-block", "GRR, with k threads of a block that read k tasks of its queue", published),
    policy(
        "lf",
        "LF by work cycle: its first freed task stays with the worker, the others go to the next "
        "workers",
        published),
    policy("lf-task", "LF by task: the first task that each task frees stays with the worker",
           published),
    policy("lts", "the first freed task needs no queue; the others go to the shorter of two queues",
           ours),
    policy("lts-slots", "like lts, with queues whose owner polls each entry", ours),
    by_waves("barriers_sync",
             "global barriers: one launch per wave and kernel type; the host waits for each",
             published),
    with_body(
        by_waves("barriers", "one launch per wave of independent tasks, without waits of the host",
                 rival),
        "body"),
    by_waves("graph", "the launches of barriers as a CUDA graph", rival, false),
    by_waves("graph_pdl", "the CUDA graph with programmatic dependent launch", rival, false),
    resident("grid_sync", "one launch with a grid barrier after each wave", rival),
    resident("static_lists",
             "the host deals the tasks to one list per worker; one word per task marks it done",
             rival),
    resident(
        "ticket",
        "one list of tasks for all workers; a worker takes the next task with an atomic addition",
        rival),
    with_body(
        resident("chains", "one list per worker, which continues with children of its tasks", ours),
        "placing cofactor body"),
    {.name = "diagonal",
     .what = "dtw, sw: one launch; each block processes columns of tiles, with one counter per "
             "column",
     .by = rival,
     .traced = true,
     .goes_with = "dtw sw",
     .make = by_problem},
    whole("look_back",
          "sat: one pass with flags; each block looks back along the tiles before its own", rival,
          "sat", fits_look_back),
    whole("carries",
          "sat, int_hist: one pass along diagonals; a tile adds up its own numbers before it waits "
          "for its neighbours",
          ours, "sat int_hist", fits_carries),
    whole("temporal",
          "jacobi: each block keeps a tile in shared memory over all steps and exchanges borders; "
          "always one worker per tile",
          rival, "jacobi", fits_temporal),
    library("cusolver", "lud: cuSOLVER's getrf without pivoting, on the whole matrix", rival),
    apart("updates",
          "lud: only the trailing updates of the first step, by the tiles' kernel in one launch",
          unsaid, "lud", has_updates),
    library("dgemm",
            "lud: cuBLAS's product of two matrices of the same size, for comparison with updates",
            unsaid),
    library("dgemm_update",
            "lud: the trailing updates of the first step by cuBLAS, in place on the whole matrix",
            unsaid, has_updates),
    {.name = "serial",
     .what = "one host thread, in the order of the serial program",
     .traced = true,
     .host_code = true,
     .traits = {.loops = true},
     .make = by_problem},
    apart("floor", "dtw, sw: only the tiles' kernel, on strips that never wait",
          bench::origin::floor, "dtw sw"),
};

template <class Names>
auto index_of(Names const& names, std::string const& name) {
  return std::find(names.begin(), names.end(), name) - names.begin();
}

/// Whether a method has an arm for this subject.
bool has_arm(method_entry const& one, scene const& of) {
  if (!one.is_for(of.is->name)) return false;
  if (of.kernels == kernel_kind::loops && !one.traits.loops) return false;
  bool const needs_more_room = one.traits.own_data || one.host_code;
  if (of.how == checking::sampled && needs_more_room && !of.app.line().given("method"))
    return false;
  return of.app.line().given("method") || one.traits.fits == nullptr || one.traits.fits(of);
}

// Values of columns: missing_real if the application or the method has no such number.
double gflops(row const& r, double ms) {
  auto const n = static_cast<double>(r.problem->rows);
  double const lu_operations = r.problem->is->by_cube ? 2.0 / 3 * n * n * n : bench::missing_real;
  return r.flops.value_or(lu_operations) / ms * 1e-6;
}
/// Cells of the result over all steps.
double elements(scene const& of) {
  if (of.is->by_cube) return bench::missing_real;
  return static_cast<double>(of.rows) * static_cast<double>(of.cols) * std::max(of.steps, 1);
}
/// Missing for the method `floor`, which computes other elements and reports their number.
double elements_per_s(row const& r, double ms) {
  return r.floor_elements ? bench::missing_real : elements(*r.problem) / ms * 1e3;
}
double bytes_per_s(row const& r, double ms) {
  app_entry const& is = *r.problem->is;
  double const bytes_per_cell = is.cell_bytes + static_cast<double>(is.bin_bytes) * r.problem->bins;
  return bytes_per_cell == 0 ? bench::missing_real
                             : elements(*r.problem) * bytes_per_cell / ms * 1e3;
}
double floor_elements_per_s(row const& r, double ms) {
  return r.floor_elements.value_or(bench::missing_real) / ms * 1e3;
}
double tasks_per_ms(row const& r, double ms) {
  auto const executed = static_cast<double>(r.executed.value_or(0));
  return executed == 0 ? bench::missing_real : executed / ms;
}

}  // namespace

std::span<method_entry const> all_methods() { return entries; }

std::vector<bench::arm<row>> arms_of(bench::methods<row, traits> const& methods, scene& of,
                                     method_request const& wanted) {
  auto const base = [&](method_entry const& one) -> std::optional<settings> {
    if (!has_arm(one, of)) return {};
    settings made;
    made.threads = one.host_code ? 1 : of.app.shape(of.is->threads(of)).threads;
    made.workers = of.app.common().workers;
    made.queue_length = static_cast<std::uint32_t>(wanted.queue_length);
    made.timeout_s = of.app.common().timeout_s;
    made.as = &one;
    return made;
  };
  bench::sweep<settings> over;
  over.over("placing", wanted.placings,
            [](settings& to, std::string const& name) {
              to.placing = static_cast<worker_placing>(index_of(worker_placing_names, name));
            })
      .over("cofactor", wanted.cofactors,
            [&](settings& to, std::int64_t factor) {
              to.workers = static_cast<int>(factor) * of.app.machine().properties().multiprocessors;
            })
      .over("matching", wanted.matchings,
            [](settings& to, std::string const& name) {
              to.matching = static_cast<range_matching>(index_of(matching_names, name));
            })
      .over("body", wanted.bodies,
            [](settings& to, std::string const& name) { to.calls_body = name == body_names[1]; });
  return methods.arms(of, base, over);
}

bench::schema<row> columns() {
  // Missing if the application has no such number.
  auto const size = [](auto subject::*member) {
    return [member](scene const& of) {
      return of.*member > 0 ? std::int64_t{of.*member} : bench::missing_integer;
    };
  };
  return {
      {"app", "", "the application, as --app names it", &scene::is, &app_entry::name},
      {"method", "", "the method, as --method names it", &row::method},
      {"kernels", "", "the tile kernels, as --kernels names them",
       [](scene const& of) { return of.kernels == kernel_kind::loops ? "loops" : "own"; }},
      {"check", "", "how results were checked, as --check names it",
       [](scene const& of) { return of.how == checking::sampled ? "sampled" : "all"; }},
      {"input", "", "names of the input's files; empty for a random input", &scene::input,
       &app_input::name},
      {"rows", "1", "rows of the matrix or image", size(&subject::rows)},
      {"cols", "1", "columns of the matrix or image", size(&subject::cols)},
      {"tile", "1", "rows and columns of a tile", size(&subject::tile)},
      {"bins", "1", "int_hist: bins of the histogram", size(&subject::bins)},
      {"steps", "1", "heat, jacobi: time steps", size(&subject::steps)},
      {"tasks", "1", "tasks of the graph", &scene::tasks},
      {"edges", "1", "edges of the graph", &scene::edges},
      {"depth", "1", "tasks on the longest path", &scene::shape, &graph_shape::depth},
      {"widest_level", "1", "tasks of the widest level", &scene::shape, &graph_shape::widest_level},
      {"workers", "1", "thread blocks or host threads", &row::blocks},
      {"threads", "1", "threads per block",
       [](row const& r) { return r.as->on_host ? r.threads : int{bench::missing_integer}; }},
      {"placing", "", "how workers are numbered, as --placing names it; empty: no resident workers",
       &row::placed},
      {"queue_length", "1", "entries per queue",
       [](row const& r) {
         std::int64_t const all = r.problem->tasks;
         if (!r.as->takes_option("queue-length")) return bench::missing_integer;
         return r.queue_length == 0 ? all : std::min<std::int64_t>(r.queue_length, all);
       }},
      {"matching", "",
       "which ranges depend on each other in the timed inspection; empty: not a policy",
       [](row const& r) {
         return std::string(r.as->takes_option("matching")
                                ? matching_names[static_cast<std::size_t>(r.matching)]
                                : "");
       }},
      {"body", "", "how the kernel has the tasks' body, as --body names it; empty: always inlined",
       [](row const& r) {
         return std::string(r.as->takes_option("body") ? body_names[r.calls_body ? 1 : 0] : "");
       }},
      {"init_app_context_h_ms", "ms", "initAppContext_H: room on the host for tasks and edges",
       &row::inspection, &inspection_times::init_ms},
      {"inspection_ms", "ms", "the inspection loop: tasks and what they depend on",
       &row::inspection, &inspection_times::loop_ms},
      {"build_csr_ms", "ms", "buildCSR: the graph", &row::inspection,
       &inspection_times::build_csr_ms},
      {"init_app_context_d_ms", "ms", "initAppContext_D: tasks and graph to the device",
       &row::graph_init_ms},
      {"init_rt_context_d_ms", "ms", "initRtContext_D: queues and words of a run",
       &row::runtime_init_ms},
      {"overhead_ms", "ms", "the sum of the five times above", &row::overhead_ms},
      {"with_overhead_ms", "ms", "elapsed_ms + overhead_ms: the time that the paper reports",
       [](row const& r, double ms) { return ms + r.overhead_ms(); }},
      {"launches", "1", "launches per run", &row::run_launches},
      {"executed", "1",
       "tasks executed, by the scheduler's own count; look_back, carries, temporal: tiles",
       &row::executed},
      {"max_task_load", "1", "tasks of the busiest worker", &row::max_load},
      {"min_task_load", "1", "tasks of the least busy worker", &row::min_load},
      {"data_bytes", "bytes", "the application's data", &row::data_bytes},
      {"bytes_per_task", "bytes", "graph, queues and words of a run", &row::bytes_per_task},
      {"registers", "1",
       "registers per thread of the kernel that executes tasks, or of the largest of several",
       bench::kernel_fact(&kernel_facts::registers)},
      {"shared_bytes", "bytes", "shared memory per block of that kernel",
       bench::kernel_fact(&kernel_facts::shared_bytes)},
      {"blocks_per_multiprocessor", "1", "blocks of that kernel per multiprocessor",
       bench::kernel_fact(&kernel_facts::blocks_per_multiprocessor)},
      {"residual", "1", "lud: |A - LU| / (n |A| eps) of the verified run", &row::residual},
      {"tasks_per_ms", "1/ms", "executed divided by elapsed_ms; missing if nothing is counted",
       tasks_per_ms},
      {"gflops", "Gflop/s",
       "lud: operations as LAPACK counts them, divided by elapsed_ms; for updates, dgemm and "
       "dgemm_update those of their products",
       gflops},
      {"score", "1", "sw: the highest score", &row::score},
      {"end_row", "1",
       "sw: row of the highest score, counted from 1, the smallest of several; 0: no score is "
       "above 0",
       &row::end_row},
      {"end_col", "1", "sw: column of the highest score, the smallest of several in that row",
       &row::end_col},
      {"distance", "1", "dtw: the cost of the whole match", &row::distance},
      {"elements_per_s", "1/s", "elements or pixels of the result in all steps per second",
       elements_per_s},
      {"bytes_per_s", "bytes/s",
       "inputs and results, each moved once per step, divided by elapsed_ms; to compare with "
       "floor_copy_gbs",
       bytes_per_s},
      {"floor_elements_per_s", "1/s",
       "floor: its elements divided by elapsed_ms, for comparison with elements_per_s",
       floor_elements_per_s},
  };
}

void show_figures(bench::harness<row>& all) {
  all.show("app", [](scene const& of) {
    std::string const size = std::to_string(of.rows) + "/" + std::to_string(of.tile);
    return std::string(of.is->name) + " " + size;
  });
  all.show("tasks", &scene::tasks);
  all.show("at once", &scene::shape, at_once_text);
  all.show("workers", [](row const& r, double) {
    if (!r.blocks) return std::string();
    return std::to_string(*r.blocks) + " x " + std::to_string(r.threads);
  });
  all.show("load", [](row const& r, double) {
    if (!r.max_load) return std::string();
    return std::to_string(*r.min_load) + " to " + std::to_string(*r.max_load);
  });
  all.show_median("overhead ms", &row::overhead_ms);
  all.show("tasks/ms", tasks_per_ms);
  all.show("Gflop/s", gflops);
  all.show("Gelement/s", [](row const& r, double ms) {
    return (r.floor_elements ? floor_elements_per_s(r, ms) : elements_per_s(r, ms)) * 1e-9;
  });
  all.show("GB/s", [](row const& r, double ms) { return bytes_per_s(r, ms) * 1e-9; });
}

}  // namespace gridloom::juggler
