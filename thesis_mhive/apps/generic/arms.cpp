#include "arms.hpp"

#include <algorithm>
#include <utility>

#include "gridloom/error.hpp"
#include "gridloom/parse.hpp"

namespace gridloom::mhive::generic {
namespace {

constexpr std::int64_t most_events = std::int64_t{1} << 24U;   // of a trace, with empty room
constexpr std::int64_t most_workers = std::int64_t{1} << 20U;  // that a trace tells apart

}  // namespace

/// The tree under one scheduler.
class tree_work final : public bench::work<row> {
 public:
  tree_work(tree_scene& scene, way const& how)
      : scene_(scene), how_(how), runner_(scene.runners_[how.dependencies]) {
    runner_.reset();  // the memory of one is enough
    runner_ = scene.make(how.dependencies);
  }

  void prepare() override { done_ = {}; }
  double timed_run(device& /*machine*/) override {
    done_ = runner_->run(how_.scheduler, {});
    return done_.elapsed_ms;
  }
  void verify() override {
    run_probe probe;
    probe.certificate = scene_.certified().arm();
    (void)runner_->run(how_.scheduler, probe);
    // The launches keep more than the order of the edges, but not that of the phases.
    auto const kind =
        how_.dependencies == "phases" ? dependencies::phases : dependencies::individual;
    auto const faults = scene_.certified().faults(scene_.run_.seed, kind);
    if (!faults.empty()) throw wrong_result(joined(faults, "\n  "));
  }
  void record(row& to) const override { to.run = done_; }

  bool observe() override {
    run_probe probe;
    probe.trace = scene_.arm_trace();
    (void)runner_->run(how_.scheduler, probe);
    return true;
  }

 private:
  tree_scene& scene_;
  way const& how_;
  std::unique_ptr<tree_runner>& runner_;
  report done_;
};

std::vector<way> ways_of(request const& wanted) {
  std::vector<way> ways;
  for (std::string const& scheduler : wanted.schedulers) {
    if (scheduler == "graph") {
      ways.push_back({scheduler, "launches"});
      continue;
    }
    for (std::string const& kind : wanted.dependencies) ways.push_back({scheduler, kind});
  }
  return ways;
}

tree_scene::tree_scene(bench::program& app, execution_tree const& tree,
                       std::string const& tree_name, request const& wanted)
    : app_(app),
      machine_(app.machine()),
      tree_(tree),
      ways_(ways_of(wanted)),
      run_{&tree, static_cast<std::uint32_t>(wanted.instances), app.common().seed,
           app.common().workers, app.common().timeout_s} {
  facts_.experiment = wanted.tree_file.empty() ? wanted.preset : "custom";
  facts_.tree = tree_name;
  facts_.instances = run_.instances;
  facts_.seed = run_.seed;
  facts_.workers = run_.workers;
  for (std::uint64_t const n : count_tasks(tree, run_.seed, run_.instances)) facts_.tasks += n;
}

std::vector<bench::arm<row>> tree_scene::arms() {
  std::vector<bench::arm<row>> made;
  for (way const& how : ways_) {
    row facts = facts_;
    facts.scheduler = how.scheduler;
    facts.dependencies = how.dependencies;
    made.push_back({how.label(), std::move(facts),
                    [this, &how] { return std::make_unique<tree_work>(*this, how); }});
  }
  return made;
}

std::unique_ptr<tree_runner> tree_scene::make(std::string const& dependencies) {
  if (dependencies == "phases") return make_phases_runner(machine_, run_);
  if (dependencies == "individual") return make_individual_runner(machine_, run_);
  return make_graph_runner(machine_, run_);
}

certificate& tree_scene::certified() {
  if (!certificate_) certificate_.emplace(machine_, tree_, run_.instances);
  return *certificate_;
}

trace_ref tree_scene::arm_trace() {
  std::int64_t const workers = workers_traced();
  if (workers > most_workers) {
    throw usage_error("--trace, --perfetto: expected a run of at most " +
                      std::to_string(most_workers) + " warps, got " + std::to_string(workers) +
                      "; take fewer --instances");
  }
  std::int64_t const room = std::max(most_events / workers, std::int64_t{16});
  auto const tasks = std::max(facts_.tasks, std::uint64_t{1});
  return app_.arm_trace(static_cast<int>(workers), static_cast<std::uint32_t>(std::min(
                                                       static_cast<std::uint64_t>(room), tasks)));
}

std::int64_t tree_scene::workers_traced() const {
  auto const& properties = machine_.properties();
  if (machine_.is_host()) return std::max(run_.workers, properties.multiprocessors) + 1;
  std::int64_t const warps =
      std::int64_t{properties.multiprocessors} * properties.threads_per_multiprocessor / 32;
  std::map<int, std::int64_t> blocks;  // of 256 threads, by worker size
  std::int64_t most = std::max(2 * warps, 8 * (std::int64_t{run_.workers} + 1));
  for (task_definition const& task : tree_.tasks()) {
    std::int64_t& sum = blocks[task.worker_size];
    sum += std::int64_t{run_.instances} * task.worker_size / 256 + 1;
    most = std::max(most, 8 * sum);
  }
  return most;
}

}  // namespace gridloom::mhive::generic
