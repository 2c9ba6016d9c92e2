#pragma once
// The measurements of the program and their tables: list schedulers on graphs, and several
// implementations of PETS, timed step by step.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graphs.hpp"
#include "gridloom/bench/methods.hpp"
#include "pets/device_order.hpp"
#include "pets/ours/device_selection.hpp"
#include "pets/rivals/list_scheduler.hpp"
#include "pets/support/device_metrics.hpp"

namespace gridloom::pets {

/// Times of one run. A step without its own timing is empty.
struct step_times {
  std::optional<double> entries_ms{};
  std::optional<double> metrics_ms{};
  std::optional<double> sort_ms{};
  std::optional<double> selection_ms{};

  [[nodiscard]] double sum_ms() const {
    return entries_ms.value_or(0) + metrics_ms.value_or(0) + sort_ms.value_or(0) +
           selection_ms.value_or(0);
  }
};

/// The schedule that all implementations of a list scheduler must make.
struct expectation {
  schedule made{};
  quality found{};
  /// The fault that the independent check found; empty if there is none.
  std::string wrong{};
};

/// One graph of the run. Its address does not change.
struct scene : analysed_graph {
  scene(device& on, common_options const& options, named_graph of, bench::trace_log* log = nullptr)
      : analysed_graph(std::move(of)), machine(on), common(options), trace(log) {}

  device& machine;
  common_options const& common;
  /// Where observed schedules go; null without --trace.
  bench::trace_log* trace;
  /// Expected schedules by the name of the list scheduler; filled when they become known.
  std::map<std::string_view, expectation> expected{};
};

/// Makes device_order or a class derived from it, with memory for a number of tasks.
template <class Order>
std::unique_ptr<device_order> make_order(device& machine, std::uint32_t most_tasks, int workers) {
  return std::make_unique<Order>(machine, most_tasks, workers);
}
using order_factory = decltype(make_order<device_order>);

/// Properties of an implementation.
struct traits {
  /// Whether the implementation runs all list schedulers, or PETS only.
  bool any_scheduler = false;
  /// Number of host threads for levels, ranks and order; 0 means all.
  int host_threads = 1;
  /// Make the device's methods for entries, levels and ranks, and for the order. `metrics` is null
  /// on the host.
  metrics_factory* metrics = nullptr;
  order_factory* order = make_order<device_order>;
  bool compressed_rows = false;
  /// Whether the device selects processors. The host still does so for the literal policy and for
  /// links by pair.
  bool selects_on_device = false;
};
struct settings {
  list_scheduler const* by;
  traits const* how;
  /// The requested number of workers; 0 means the implementation's choice.
  int workers;
  int threads;
};
struct counted {
  std::string selection = "host";
  step_times steps{};
  std::uint64_t metrics_bytes = 0;
  std::optional<double> padding{};
  std::uint32_t launches = 0;
  quality found{};
};
using run_row = bench::row_of<scene, settings, counted>;
using method = bench::method<run_row, traits>;

/// All implementations of the steps.
[[nodiscard]] std::span<method const> all_methods();

/// The arms of a graph: each list scheduler with each implementation that supports it.
[[nodiscard]] std::vector<bench::arm<run_row>> arms_of(scene& of,
                                                       std::vector<list_scheduler const*> const& by,
                                                       std::vector<method const*> const& how);

/// The common part of all implementations. A derived class runs the steps, and sets made_ by the
/// end of copy_out().
class scheduling : public bench::work<run_row> {
 public:
  scheduling(scene& of, run_row const& what) : scene_(of), what_(what) {}

  void prepare() override {
    made_ = {};
    steps_ = {};
  }
  /// Starts with the graph in the machine's memory. Ends with the schedule in the memory where it
  /// is made. Throws timeout_error.
  void run() override = 0;
  double timed_run(device& /*machine*/) override {
    run();
    return steps_.sum_ms();
  }
  void check() override;
  void verify() override;
  bool observe() override;
  void record(run_row& to) const override {
    to.steps = steps_;
    to.metrics_bytes = bytes_;
    auto const known = scene_.expected.find(what_.by->name);
    if (known != scene_.expected.end()) to.found = known->second.found;
  }

 protected:
  /// The run's levels and ranks on the host; empty if the run does not compute them.
  [[nodiscard]] virtual std::optional<priorities> found() { return {}; }
  /// Bytes that finding levels and ranks accesses. May repeat these steps.
  [[nodiscard]] virtual std::uint64_t metrics_bytes() { return 0; }

  scene& scene_;
  run_row const what_;
  step_times steps_{};
  schedule made_;

 private:
  [[nodiscard]] expectation expect() const;

  std::uint64_t bytes_ = 0;
};

/// All list schedulers on host threads.
class host_scheduling : public scheduling {
 public:
  using scheduling::scheduling;
  void run() override;
};

/// PETS with levels, ranks and order on a device. Some selections also run on the device.
class device_scheduling : public scheduling {
 public:
  device_scheduling(scene& of, run_row const& what);

  void prepare() override {
    scheduling::prepare();
    metrics_->clear();
    if (selection_) selection_->clear();
  }
  void run() override;
  void copy_out() override {
    if (selection_) selection_->copy_result(made_);
  }
  void record(run_row& to) const override {
    scheduling::record(to);
    if (selection_) to.selection = "device";
    to.launches = metrics_->launches();
    to.padding = metrics_->padding();
  }

 protected:
  [[nodiscard]] std::optional<priorities> found() override { return metrics_->result(); }
  [[nodiscard]] std::uint64_t metrics_bytes() override { return metrics_->estimated_bytes(); }

 private:
  std::optional<device_graph> there_;
  std::unique_ptr<device_metrics> metrics_;
  std::unique_ptr<device_order> order_;
  std::optional<device_selection> selection_;
};

/// A copy within the machine's memory.
struct copy_row {
  std::string backend;
  int repetition;
  std::uint64_t bytes;
  double elapsed_ms;
};

/// A task of a schedule.
struct task_row {
  analysed_graph const* problem;
  std::string_view algorithm;
  std::uint32_t task;
  std::uint32_t place;
  placement at;
};

/// Columns of the tables `runs`, `graphs`, `memory` and `schedules`.
[[nodiscard]] bench::schema<run_row> run_columns();
[[nodiscard]] bench::schema<analysed_graph> graph_columns();
[[nodiscard]] bench::schema<copy_row> copy_columns();
[[nodiscard]] bench::schema<task_row> task_columns();

/// Adds columns to the summary, besides the standard columns.
void show_runs(bench::harness<run_row>& all);

void add_schedule(analysed_graph const& of, std::string_view algorithm, schedule const& made,
                  bench::table<task_row>& to);

/// Adds one row per repetition with the bandwidth of the machine's memory. The bandwidth of
/// metrics_bytes is compared with it.
void add_copies(device& machine, int repetitions, bench::table<copy_row>& to);

}  // namespace gridloom::pets
