// The thesis's host loop around its kernels, for each layout.

#include "pets/level_loop.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "gridloom/clock.hpp"
#include "gridloom/error.hpp"
#include "pets/kernels/level_loop.hpp"

namespace gridloom::pets {
namespace {

constexpr std::uint64_t word_bytes = sizeof(std::uint32_t);

// Numbers of visited tasks, and of the predecessors and successors that these visits read.
struct looks_at {
  std::uint64_t tasks = 0;
  std::uint64_t predecessors = 0;
  std::uint64_t successors = 0;
};

// Owners of layouts. Each has ref() for kernels, and counts the bytes that visits read.

template <bool Transposed>
class matrix {
 public:
  matrix(device& machine, task_graph const& graph) : num_tasks_(graph.num_tasks) {
    if (num_tasks_ > most_matrix_tasks) {
      throw usage_error("adjacency, transposed: expected at most " +
                        std::to_string(most_matrix_tasks) + " tasks, got " +
                        std::to_string(num_tasks_));
    }
    std::size_t const n = num_tasks_;
    std::vector<time_value> weights(n * n, no_edge);
    for (std::uint32_t from = 0; from < num_tasks_; ++from) {
      auto const children = graph.successors.of(from);
      auto const data = graph.successors.weights_of(from);
      for (std::size_t i = 0; i < children.size(); ++i) {
        weights[Transposed ? children[i] * n + from : from * n + children[i]] = data[i];
      }
    }
    weights_ = machine.allocate_copy(weights);
    // Entry discovery reads a task's column up to its first predecessor.
    for (std::uint32_t task = 0; task < num_tasks_; ++task) {
      auto const parents = graph.predecessors.of(task);
      entry_bytes_ += sizeof(time_value) * (parents.empty() ? n : parents.front() + 1);
    }
  }
  [[nodiscard]] matrix_ref<Transposed> ref() const { return {num_tasks_, weights_.data()}; }
  [[nodiscard]] std::uint64_t entry_bytes() const { return entry_bytes_; }
  [[nodiscard]] std::uint64_t predecessor_bytes(looks_at const& looks) const {
    return looks.tasks * num_tasks_ * sizeof(time_value);
  }
  [[nodiscard]] std::uint64_t bytes(looks_at const& looks) const {
    return predecessor_bytes(looks) + looks.tasks * num_tasks_ * sizeof(time_value);
  }

 private:
  std::uint32_t num_tasks_;
  buffer<time_value> weights_;
  std::uint64_t entry_bytes_ = 0;
};

class rectangle {
 public:
  rectangle(device& machine, task_graph const& graph)
      : num_tasks_(graph.num_tasks),
        in_rows_(most(graph.predecessors)),
        out_rows_(most(graph.successors)) {
    std::uint64_t const cells = std::uint64_t{num_tasks_} * std::max(in_rows_, out_rows_);
    if (cells > most_cells) {
      throw usage_error("rectangular: expected at most " + std::to_string(most_cells) +
                        " cells, got " + std::to_string(num_tasks_) + " x " +
                        std::to_string(std::max(in_rows_, out_rows_)));
    }
    std::vector<time_value> weights(std::size_t{num_tasks_} * out_rows_, 0);
    for (std::uint32_t task = 0; task < num_tasks_; ++task) {
      auto const data = graph.successors.weights_of(task);
      for (std::size_t row = 0; row < data.size(); ++row) {
        weights[row * num_tasks_ + task] = data[row];
      }
    }
    predecessors_ = machine.allocate_copy(columns_of(graph.predecessors, in_rows_));
    successors_ = machine.allocate_copy(columns_of(graph.successors, out_rows_));
    weights_ = machine.allocate_copy(weights);
  }
  [[nodiscard]] rectangle_ref ref() const {
    return {num_tasks_,           in_rows_,           out_rows_,
            predecessors_.data(), successors_.data(), weights_.data()};
  }
  [[nodiscard]] std::uint64_t entry_bytes() const { return num_tasks_ * word_bytes; }
  // Weights are read only where there are edges.
  [[nodiscard]] std::uint64_t predecessor_bytes(looks_at const& looks) const {
    return looks.tasks * in_rows_ * word_bytes;
  }
  [[nodiscard]] std::uint64_t bytes(looks_at const& looks) const {
    return predecessor_bytes(looks) + looks.tasks * out_rows_ * word_bytes +
           looks.successors * sizeof(time_value);
  }

 private:
  static constexpr std::uint64_t most_cells = std::uint64_t{1} << 31U;

  static std::uint32_t most(adjacency const& edges) {
    std::uint32_t rows = 0;
    for (std::size_t task = 0; task + 1 < edges.offsets.size(); ++task) {
      rows = std::max(rows, edges.offsets[task + 1] - edges.offsets[task]);
    }
    return rows;
  }
  [[nodiscard]] std::vector<std::uint32_t> columns_of(adjacency const& edges,
                                                      std::uint32_t rows) const {
    std::vector<std::uint32_t> cells(std::size_t{num_tasks_} * rows, no_task);
    for (std::uint32_t task = 0; task < num_tasks_; ++task) {
      auto const others = edges.of(task);
      for (std::size_t row = 0; row < others.size(); ++row) {
        cells[row * num_tasks_ + task] = others[row];
      }
    }
    return cells;
  }

  std::uint32_t num_tasks_;
  std::uint32_t in_rows_;
  std::uint32_t out_rows_;
  buffer<std::uint32_t> predecessors_;
  buffer<std::uint32_t> successors_;
  buffer<time_value> weights_;
};

class compressed {
 public:
  explicit compressed(device_graph const& there) : there_(&there) {}
  [[nodiscard]] compressed_ref ref() const {
    device_graph_ref const of = there_->ref();
    return {of.num_tasks, of.predecessors, of.successors};
  }
  [[nodiscard]] std::uint64_t entry_bytes() const { return there_->ref().num_tasks * word_bytes; }
  [[nodiscard]] std::uint64_t predecessor_bytes(looks_at const& looks) const {
    return (looks.tasks + looks.predecessors) * word_bytes;
  }
  [[nodiscard]] std::uint64_t bytes(looks_at const& looks) const {
    return predecessor_bytes(looks) + looks.tasks * word_bytes +
           looks.successors * (word_bytes + sizeof(time_value));
  }

 private:
  device_graph const* there_;
};

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
    machine_->launch(
        everywhere(*machine_, limits_.workers),
        discover_entries_kernel<layout, How>{owner_.ref(), words(), ranks_.data(), levels_.data()});
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
      // Discovery counts all predecessors.
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

}  // namespace

std::unique_ptr<device_metrics> make_adjacency(device& machine, task_graph const& graph,
                                               device_graph const* /*there*/,
                                               launch_limits const& limits) {
  return loop_over<1, reaching::marks>(matrix<false>(machine, graph), machine, graph, limits);
}
std::unique_ptr<device_metrics> make_transposed(device& machine, task_graph const& graph,
                                                device_graph const* /*there*/,
                                                launch_limits const& limits) {
  return loop_over<1, reaching::marks>(matrix<true>(machine, graph), machine, graph, limits);
}
std::unique_ptr<device_metrics> make_rectangular(device& machine, task_graph const& graph,
                                                 device_graph const* /*there*/,
                                                 launch_limits const& limits) {
  return loop_over<1, reaching::marks>(rectangle(machine, graph), machine, graph, limits);
}
std::unique_ptr<device_metrics> make_rectangular_vectorised(device& machine,
                                                            task_graph const& graph,
                                                            device_graph const* /*there*/,
                                                            launch_limits const& limits) {
  return loop_over<8, reaching::counts>(rectangle(machine, graph), machine, graph, limits);
}
std::unique_ptr<device_metrics> make_csr(device& machine, task_graph const& graph,
                                         device_graph const* there, launch_limits const& limits) {
  return loop_over<1, reaching::counts>(compressed(*there), machine, graph, limits);
}

}  // namespace gridloom::pets
