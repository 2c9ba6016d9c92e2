#include "arms.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include "graph_shape.hpp"
#include "method_table.hpp"

namespace gridloom::juggler {

namespace {

/// The host, whatever the machine is.
device& host() {
  static device machine("host", 0);
  return machine;
}

class task_work final : public bench::work<row> {
 public:
  task_work(bench::program& app, subject const& what, method const& how,
            execution_settings const& settings)
      : app_(app),
        machine_(how.name == "serial" ? host() : app.machine()),
        how_(how),
        settings_(settings),
        problem_(make_problem(machine_, what, app.common().seed)),
        executor_(problem_->make_ready(how.name, settings)) {}

  /// Times the set-up once more for each run. Everything allocated for it is freed before the run.
  void prepare() override {
    if (!how_.tasks) return;
    inspection_ = problem_->inspect();
    auto const another = problem_->make_ready(how_.name, settings_);
    graph_init_ms_ = another->graph_init_ms();
    runtime_init_ms_ = another->runtime_init_ms();
  }
  void copy_in() override { problem_->load(); }
  void run() override { executor_->run(); }
  void copy_out() override { problem_->fetch(); }
  void check() override { executor_->require_done(); }
  void verify() override { residual_ = problem_->verify(); }
  bool observe() override {
    if (!how_.tasks) return false;
    trace_ref const events = app_.arm_trace(executor_->workers(), most_events());
    problem_->load();
    executor_->run(events);
    machine_.synchronize();
    return true;
  }
  void record(row& to) const override {
    if (how_.tasks) {
      to.init_app_context_h_ms = inspection_.init_ms;
      to.inspection_ms = inspection_.loop_ms;
      to.build_csr_ms = inspection_.build_csr_ms;
      to.init_app_context_d_ms = graph_init_ms_;
      to.init_rt_context_d_ms = runtime_init_ms_;
    }
    if (!how_.needs_gpu) {
      to.workers = executor_->workers();
      to.launches = static_cast<std::int64_t>(executor_->launches());
    }
    if (how_.places) to.placing = name_of(executor_->placing());
    to.finished = static_cast<std::int64_t>(executor_->finished());
    load_range const loads = executor_->loads();
    if (loads.max != 0) {
      to.max_task_load = loads.max;
      to.min_task_load = loads.min;
    }
    to.data_bytes = static_cast<std::int64_t>(problem_->bytes());
    to.graph_bytes = static_cast<std::int64_t>(executor_->bytes());
    if (kernel_facts const facts = executor_->facts(); facts.registers != 0) {
      to.registers = facts.registers;
      to.shared_bytes = facts.shared_bytes;
      to.blocks_per_multiprocessor = facts.blocks_per_multiprocessor;
    }
    if (residual_) to.residual = *residual_;
    result_facts const results = problem_->results();
    to.score = results.score.value_or(to.score);
    to.end_row = results.end_row.value_or(to.end_row);
    to.end_col = results.end_col.value_or(to.end_col);
    to.distance = results.distance.value_or(to.distance);
    to.flops = results.flops.value_or(to.flops);
    to.floor_elements = results.floor_elements.value_or(to.floor_elements);
  }

 private:
  /// The largest number of events of a worker: all tasks, unless a wave has one block per task.
  [[nodiscard]] std::uint32_t most_events() const {
    constexpr std::uint32_t limit = 1U << 22U;
    task_dag const& dag = problem_->dag();
    if (how_.waves) {
      graph_shape const shape = shape_of(dag);
      if (executor_->workers() >= shape.widest_wave)
        return static_cast<std::uint32_t>(shape.longest_path);
    }
    return std::min(dag.tasks(), limit);
  }

  bench::program& app_;
  device& machine_;
  method const& how_;
  execution_settings settings_;
  std::unique_ptr<problem> problem_;
  std::unique_ptr<executor> executor_;
  inspection_times inspection_;
  double graph_init_ms_ = 0;
  double runtime_init_ms_ = 0;
  std::optional<double> residual_;
};

/// The value for a name of --placing.
worker_placing placing_of(std::string const& name) {
  auto const& names = worker_placing_names;
  return static_cast<worker_placing>(std::find(names.begin(), names.end(), name) - names.begin());
}

/// The columns that are known before anything runs.
row facts_of(subject const& what, std::uint64_t seed) {
  row facts;
  facts.experiment = what.experiment;
  facts.app = what.app;
  facts.input = what.input;
  if (what.kernels == kernel_kind::loops) facts.kernels = "loops";
  if (what.app == "graph") {
    facts.work_ns = what.work_ns;
  } else {
    facts.rows = what.rows;
    facts.cols = what.cols;
    facts.tile = what.tile;
  }
  auto const n = static_cast<double>(what.rows);
  double const cells = n * static_cast<double>(what.cols);
  if (what.app == "lud") facts.flops = 2.0 / 3 * n * n * n;
  if (what.app == "dtw" || what.app == "sw") facts.elements = cells;
  if (what.app == "sat") facts.set_elements(cells, 8);
  if (what.bins > 0) {
    facts.bins = what.bins;
    facts.set_elements(cells, 1 + 4.0 * what.bins);
  }
  if (what.steps > 0) {
    facts.steps = what.steps;
    facts.set_elements(cells * what.steps, 16);
  }
  auto const made = make_problem(host(), what, seed);
  graph_shape const shape = shape_of(made->dag());
  facts.tasks = made->dag().tasks();
  facts.edges = static_cast<std::int64_t>(made->dag().children.edges());
  facts.longest_path = shape.longest_path;
  facts.widest_wave = shape.widest_wave;
  facts.narrowest_wave = shape.narrowest_wave;
  return facts;
}

/// The requested methods that the application has.
std::vector<method const*> methods_for(bench::program& app, request const& wanted,
                                       subject const& what) {
  std::vector<method const*> found;
  for (std::string const& name : wanted.methods) {
    method const& how = method_of(name);
    if (!how.is_for(what.app)) continue;
    if (what.kernels == kernel_kind::loops && !how.takes_loops()) continue;
    if (wanted.all_methods && !can_take(app.machine(), how, what, wanted.workers)) continue;
    found.push_back(&how);
  }
  return found;
}

}  // namespace

std::size_t count_arms(bench::program& app, request const& wanted, subject const& what) {
  std::size_t arms = 0;
  for (method const* how : methods_for(app, wanted, what))
    arms += how->places ? wanted.placings.size() : 1;
  return arms;
}

std::vector<bench::arm<row>> arms_of(bench::program& app, request const& wanted,
                                     subject const& what) {
  row const known = facts_of(what, app.common().seed);
  launch_shape const shape = app.shape(usual_threads(what));
  std::vector<bench::arm<row>> made;
  for (method const* one : methods_for(app, wanted, what)) {
    method const& how = *one;
    std::string const name(how.name);
    bool const serial = name == "serial";
    execution_settings settings{serial ? 1 : shape.threads, wanted.workers,
                                static_cast<std::uint32_t>(wanted.queue_length),
                                app.common().timeout_s};
    row facts = known;
    facts.method = name;
    // A library chooses its own threads.
    facts.threads = how.needs_gpu ? bench::missing_integer : settings.threads;
    // The floor visits other elements, whose number its result has.
    if (name == "floor") facts.elements = 0;
    if (how.queues) {
      facts.queue_length = wanted.queue_length == 0
                               ? known.tasks
                               : std::min<std::int64_t>(wanted.queue_length, known.tasks);
    }
    for (std::string const& placing : wanted.placings) {
      settings.placing = placing_of(placing);
      bool const is_one_of_several = how.places && wanted.placings.size() > 1;
      made.push_back(
          {is_one_of_several ? name + " " + placing : name, facts, [&app, what, &how, settings] {
             return std::make_unique<task_work>(app, what, how, settings);
           }});
      made.back().on_host = serial;
      if (!how.places) break;
    }
  }
  return made;
}

}  // namespace gridloom::juggler
