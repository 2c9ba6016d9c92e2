#pragma once
// The thesis's host loop around its kernels (4.3.1, 4.3.2): one launch per level, over any layout.
// Included by sources that launch kernels.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "gridloom/clock.hpp"
#include "gridloom/error.hpp"
#include "pets/kernels/level_loop.hpp"
#include "pets/support/device_metrics.hpp"

namespace gridloom::pets {

inline constexpr std::uint64_t word_bytes = sizeof(std::uint32_t);

/// Numbers of visited tasks, and of the predecessors and successors that these visits read.
struct looks_at {
  std::uint64_t tasks = 0;
  std::uint64_t predecessors = 0;
  std::uint64_t successors = 0;
};

/// `Owner` owns the memory of a layout and has ref() for kernels. It counts the bytes that visits
/// read, and the predecessors and successors that the layout has room for.
template <class Owner, int Each, reaching How>
class level_loop final : public device_metrics {
 public:
  level_loop(device& machine, task_graph const& graph, Owner owner, launch_limits const& limits)
      : device_metrics(machine, graph.num_tasks, limits),
        graph_(&graph),
        owner_(std::move(owner)),
        averages_(machine.allocate<time_value>(num_tasks_)),
        queue_(machine.allocate<std::uint32_t>(padded(num_tasks_))),
        next_(machine.allocate<std::uint32_t>(padded(num_tasks_))),
        missing_(machine.allocate<std::uint32_t>(How == reaching::counts ? num_tasks_ : 1)),
        reached_(machine.allocate<std::uint32_t>(1)) {
    // The thesis stores each task's average cost with the graph.
    auto const sums = gridloom::pets::cost_sums(graph);
    std::vector<time_value> averages(num_tasks_);
    std::transform(sums.begin(), sums.end(), averages.begin(),
                   [&](time_value sum) { return rounded_mean(sum, graph.num_processors); });
    machine.copy_to_device(cost_sums_, std::span<time_value const>(sums));
    machine.copy_to_device(averages_, std::span<time_value const>(averages));
  }

  void discover_entries() override {
    machine_->fill_bytes(queue_, 0);
    machine_->fill_bytes(next_, 0);
    machine_->fill_bytes(reached_, 0);
    machine_->launch(everywhere(*machine_, limits_.workers),
                     each(num_tasks_, discover_entries_of<layout, How>{
                                          owner_.ref(), words(), ranks_.data(), levels_.data()}));
  }
  void compute() override {
    std::uint64_t const begin_ns = now_ns();
    for (launches_ = 1;; ++launches_) {
      machine_->launch(
          everywhere(*machine_, limits_.workers),
          compute_metrics_kernel<layout, Each, How>{
              owner_.ref(), words(), launches_, averages_.data(), ranks_.data(), levels_.data()});
      std::swap(queue_, next_);
      if (machine_->copy_to_host(reached_.data()) != launches_) return;
      if (static_cast<double>(now_ns() - begin_ns) * 1e-9 < limits_.timeout_s) continue;
      throw timeout_error("timeout: levels and ranks: " + std::to_string(launches_) +
                          " launches were not enough");
    }
  }
  [[nodiscard]] std::uint32_t launches() const override { return launches_ + 1; }
  [[nodiscard]] double padding() const override {
    return static_cast<double>(owner_.room()) / static_cast<double>(2 * graph_->num_edges());
  }
  [[nodiscard]] std::uint64_t estimated_bytes() override {
    // Repeats the run to count the visits of each task.
    counting_ = machine_->allocate<std::uint32_t>(num_tasks_);
    machine_->fill_bytes(counting_, 0);
    discover_entries();
    compute();
    auto const looks = machine_->copy_to_host(counting_);
    counting_ = {};
    looks_at sum;
    for (std::uint32_t task = 0; task < num_tasks_; ++task) {
      sum.tasks += looks[task];
      sum.predecessors += looks[task] * graph_->predecessors.of(task).size();
      sum.successors += looks[task] * graph_->successors.of(task).size();
    }
    std::uint64_t const n = num_tasks_;
    std::uint64_t const metrics = sizeof(time_value) + word_bytes;
    // A launch reads every word of the queue, and a visit clears its task's word. A visit writes
    // marks and counts of successors, and reads levels and ranks of predecessors.
    std::uint64_t const per_successor = How == reaching::counts ? 2 * word_bytes : word_bytes;
    std::uint64_t discovery = owner_.entry_bytes();
    if (How == reaching::counts) {
      // Discovery visits every task once and counts its predecessors.
      looks_at const all{n, graph_->num_edges(), 0};
      discovery += n * word_bytes + owner_.predecessor_bytes(all);
    }
    // 3 words per task: discovery clears both queues, and then writes the first.
    return discovery + n * (3 * word_bytes + metrics) + std::uint64_t{launches_} * n * word_bytes +
           owner_.bytes(sum) + sum.tasks * (word_bytes + sizeof(time_value) + metrics) +
           sum.predecessors * metrics + sum.successors * per_successor;
  }

 private:
  using layout = decltype(std::declval<Owner const&>().ref());

  static std::size_t padded(std::uint32_t n) { return (std::size_t{n} + 7) / 8 * 8; }
  [[nodiscard]] level_words words() const {
    return {queue_.data(), next_.data(), missing_.data(), reached_.data(), counting_.data()};
  }

  task_graph const* graph_;
  Owner owner_;
  buffer<time_value> averages_;
  buffer<std::uint32_t> queue_;
  buffer<std::uint32_t> next_;
  buffer<std::uint32_t> missing_;
  buffer<std::uint32_t> reached_;
  /// Number of visits of each task; empty unless visits are counted.
  buffer<std::uint32_t> counting_;
  std::uint32_t launches_ = 0;
};

template <int Each, reaching How, class Owner>
std::unique_ptr<device_metrics> loop_over(Owner owner, device& machine, task_graph const& graph,
                                          launch_limits const& limits) {
  return std::make_unique<level_loop<Owner, Each, How>>(machine, graph, std::move(owner), limits);
}

}  // namespace gridloom::pets
