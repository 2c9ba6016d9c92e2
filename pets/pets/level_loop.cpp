// The thesis's loop for each of its layouts.

#include "pets/level_loop.hpp"

#include "pets/host_loop.hpp"

namespace gridloom::pets {
namespace {

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
  // A cell of the matrix is both a predecessor and a successor.
  [[nodiscard]] std::uint64_t room() const { return std::uint64_t{2} * num_tasks_ * num_tasks_; }
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
  [[nodiscard]] std::uint64_t room() const {
    return std::uint64_t{num_tasks_} * (in_rows_ + out_rows_);
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

}  // namespace gridloom::pets
