#include "pipeline.hpp"

#include <stdexcept>

#include "gridloom/clock.hpp"
#include "gridloom/error.hpp"
#include "gridloom/host_time_limit.hpp"
#include "ours/device_selection.hpp"
#include "pets/device_order.hpp"
#include "pets/pets.hpp"

namespace gridloom::pets {
namespace {

constexpr implementation all[] = {
    {.name = "host",
     .what = "one thread of the host, the reference",
     .on_device = false,
     .any_scheduler = true},
    {.name = "host_4",
     .what = "four threads of the host find levels, ranks and order, one selects",
     .on_device = false,
     .host_threads = 4},
    {.name = "host_all",
     .what = "the same with all threads of the host",
     .on_device = false,
     .host_threads = 0},
    {.name = "adjacency",
     .what = "the thesis's loop over a matrix of weights",
     .sorts_bitonic = true},
    {.name = "transposed", .what = "the same over its transpose", .sorts_bitonic = true},
    {.name = "rectangular",
     .what = "the same over predecessors, successors and weights, one column per task",
     .sorts_bitonic = true},
    {.name = "rectangular_vectorised",
     .what = "the same with 8 tasks per thread",
     .sorts_bitonic = true},
    {.name = "csr", .what = "the same over compressed rows", .sorts_bitonic = true},
    {.name = "hand_over",
     .what = "one launch: tasks pass through a queue; radix sort, selection on the device",
     .selects_on_device = true,
     .one_launch = true},
    {.name = "in_order",
     .what = "one launch without a queue, for edges from smaller to larger numbers; the rest as "
             "above",
     .selects_on_device = true,
     .one_launch = true},
};

double ms_since(std::uint64_t begin_ns) { return static_cast<double>(now_ns() - begin_ns) * 1e-6; }

class host_pipeline final : public pipeline {
 public:
  host_pipeline(list_scheduler const& by, task_graph const& graph, double timeout_s, int threads)
      : by_(by), graph_(&graph), timeout_s_(timeout_s), threads_(threads) {}

  step_times run() override {
    host_time_limit const limit(timeout_s_);
    if (by_.run != pets) {
      made_ = by_.run(*graph_, by_.how);
      return {};
    }
    step_times times;
    std::uint64_t const begin = now_ns();
    priorities const found = priorities_of(*graph_, threads_);
    times.metrics_ms = ms_since(begin);
    auto const order = order_of(*graph_, found, threads_);
    times.sort_ms = ms_since(begin) - *times.metrics_ms;
    made_ = select_processors(*graph_, order, by_.how);
    times.selection_ms = ms_since(begin) - *times.metrics_ms - *times.sort_ms;
    return times;
  }
  schedule const& fetch() override { return made_; }
  // Giving back memory is no part of the next run.
  void clear() override { made_ = {}; }

 private:
  list_scheduler by_;
  task_graph const* graph_;
  double timeout_s_;
  int threads_;
  schedule made_;
};

class device_pipeline final : public pipeline {
 public:
  device_pipeline(policy how, implementation const& by, device& machine, task_graph const& graph,
                  launch_limits const& limits)
      : how_(how),
        sort_(by.sorts_bitonic ? sort_method::bitonic : sort_method::radix),
        machine_(&machine),
        graph_(&graph),
        timeout_s_(limits.timeout_s) {
    bool const selects = by.selects_on_device && how != policy::literal && !graph.links;
    if (selects || reads_compressed_rows(by.name)) there_.emplace(machine, graph);
    metrics_ = make_device_metrics(by.name, machine, graph, there_ ? &*there_ : nullptr, limits);
    order_.emplace(machine, graph.num_tasks, limits.workers);
    if (selects) {
      selection_.emplace(machine, graph.num_tasks, there_->num_edges(), limits.timeout_s,
                         limits.threads, how);
    }
  }

  step_times run() override {
    step_times times;
    times.entries_ms = machine_->time_ms([&] { metrics_->discover_entries(); });
    times.metrics_ms = machine_->time_ms([&] { metrics_->compute(); });
    metrics_->require_done();
    times.sort_ms = machine_->time_ms([&] { order_->sort(metrics_->found(), sort_); });
    if (selection_) {
      times.selection_ms =
          machine_->time_ms([&] { selection_->select(*there_, order_->found(), &made_); });
    }
    if (!selection_) {
      host_time_limit const limit(timeout_s_);
      std::uint64_t const begin = now_ns();
      made_ = select_processors(*graph_, order_->result(), how_);
      times.selection_ms = ms_since(begin);
    }
    return times;
  }
  schedule const& fetch() override {
    if (selection_) selection_->copy_result(made_);
    return made_;
  }

  [[nodiscard]] std::optional<priorities> found() override { return metrics_->result(); }
  void clear() override {
    made_ = {};
    metrics_->clear();
    if (selection_) selection_->clear();
  }

  [[nodiscard]] bool selects_on_device() const override { return selection_.has_value(); }
  [[nodiscard]] std::uint64_t metrics_bytes() override { return metrics_->estimated_bytes(); }
  [[nodiscard]] std::uint32_t launches() const override { return metrics_->launches(); }

 private:
  policy how_;
  sort_method sort_;
  device* machine_;
  task_graph const* graph_;
  double timeout_s_;
  std::optional<device_graph> there_;
  std::unique_ptr<device_metrics> metrics_;
  std::optional<device_order> order_;
  std::optional<device_selection> selection_;
  schedule made_;
};

}  // namespace

std::span<implementation const> implementations() { return all; }

std::unique_ptr<pipeline> make_pipeline(list_scheduler const& by, implementation const& how,
                                        device& machine, task_graph const& graph,
                                        launch_limits const& limits) {
  if (!how.on_device) {
    return std::make_unique<host_pipeline>(by, graph, limits.timeout_s, how.threads_of_host());
  }
  if (by.run != pets) throw std::invalid_argument("only PETS has implementations on a device");
  return std::make_unique<device_pipeline>(by.how, how, machine, graph, limits);
}

}  // namespace gridloom::pets
