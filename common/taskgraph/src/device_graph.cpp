#include "gridloom/taskgraph/device_graph.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "gridloom/taskgraph/task_body.hpp"

namespace gridloom {

namespace {

lattice checked(lattice_size size) {
  auto const require_side = [](char const* option, std::int64_t value) {
    if (value < 1)
      throw usage_error(std::string(option) + ": expected at least 1, got " +
                        std::to_string(value));
    // Without this check the products below could overflow.
    if (static_cast<std::uint64_t>(value) > most_tasks) {
      throw usage_error(std::string(option) + ": expected at most " + std::to_string(most_tasks) +
                        ", got " + std::to_string(value));
    }
  };
  require_side("--rows", size.rows);
  require_side("--cols", size.cols);
  require_side("--depth", size.depth);
  // A product of two numbers up to most_tasks fits 64 bits.
  auto const area = static_cast<std::uint64_t>(size.rows) * static_cast<std::uint64_t>(size.cols);
  if (area > most_tasks || area * static_cast<std::uint64_t>(size.depth) > most_tasks) {
    throw usage_error("--rows × --cols × --depth: " + std::to_string(size.rows) + " × " +
                      std::to_string(size.cols) + " × " + std::to_string(size.depth) +
                      " cells are more than the " + std::to_string(most_tasks) + " that fit");
  }
  return {static_cast<std::uint32_t>(size.rows), static_cast<std::uint32_t>(size.cols),
          static_cast<std::uint32_t>(size.depth)};
}

/// Adds the time from construction to destruction to a sum.
class added_time {
 public:
  explicit added_time(double& sum_ms) : sum_ms_(sum_ms) {}
  added_time(added_time const&) = delete;
  added_time& operator=(added_time const&) = delete;
  ~added_time() {
    sum_ms_ += std::chrono::duration<double, std::milli>(clock::now() - begin_).count();
  }

 private:
  using clock = std::chrono::steady_clock;
  double& sum_ms_;
  clock::time_point begin_ = clock::now();
};

template <class Result, class Graph, class Value>
void run_serially(Graph const& graph, std::uint32_t task, std::vector<Value>& values) {
  Result result(task);
  auto const from = graph.predecessors(task);
  for (std::uint32_t k = 0; k < from.size(); ++k) result.add(values[from[k]]);
  values[task] = result.value();
}

}  // namespace

device_graph::device_graph(device& machine, lattice_size size)
    : machine_(&machine), view_(checked(size)) {}

device_graph::device_graph(device& machine, csr_graph graph)
    : machine_(&machine), successors_(std::move(graph)), predecessors_(transposed(successors_)) {
  if (successors_.tasks() == 0) throw usage_error("--graph: the graph has no tasks");
  successor_offsets_ = machine.allocate_copy(successors_.row_offsets);
  successor_tasks_ = machine.allocate_copy(successors_.columns);
  predecessor_offsets_ = machine.allocate_copy(predecessors_.row_offsets);
  predecessor_tasks_ = machine.allocate_copy(predecessors_.columns);
  view_ = dag_ref{static_cast<std::uint32_t>(successors_.tasks()), successor_offsets_.data(),
                  successor_tasks_.data(), predecessor_offsets_.data(), predecessor_tasks_.data()};
}

std::uint32_t device_graph::tasks() const {
  return std::visit([](auto const& graph) { return graph.tasks(); }, view_);
}

std::uint64_t device_graph::edges() const {
  if (!is_lattice()) return successors_.edges();
  auto const g = std::get<lattice>(view_);
  std::uint64_t const n = g.tasks();
  return 3 * n - n / g.rows() - n / g.cols() - n / g.depth();
}

lattice device_graph::shape() const {
  if (is_lattice()) return std::get<lattice>(view_);
  return lattice(1, tasks(), 1);
}

std::uint32_t device_graph::row_length() const {
  if (is_lattice()) return std::get<lattice>(view_).cols();
  return static_cast<std::uint32_t>(std::ceil(std::sqrt(static_cast<double>(tasks()))));
}

std::uint32_t device_graph::width_bound() const {
  if (!is_lattice()) return tasks();
  // The lines along the longest side are chains that cover the lattice. At most one task of each
  // chain is ready at a time.
  auto const g = std::get<lattice>(view_);
  return g.tasks() / std::max({g.rows(), g.cols(), g.depth()});
}

std::uint32_t device_graph::depth() {
  if (!is_lattice()) return levels().groups();
  auto const g = std::get<lattice>(view_);
  return g.rows() + g.cols() + g.depth() - 2;
}

std::vector<std::uint32_t> device_graph::entries() const {
  if (is_lattice()) return {0};
  std::vector<std::uint32_t> result;
  for (std::uint32_t task = 0; task < tasks(); ++task) {
    if (predecessors_.row_offsets[task] == predecessors_.row_offsets[task + 1])
      result.push_back(task);
  }
  return result;
}

graph_view device_graph::host_view() const {
  if (is_lattice()) return view_;
  return dag_ref{tasks(), successors_.row_offsets.data(), successors_.columns.data(),
                 predecessors_.row_offsets.data(), predecessors_.columns.data()};
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> device_graph::edge_against_numbers() const {
  // Edges of a lattice go to larger numbers. In other graphs, the last predecessor of a task has
  // the largest number of all its predecessors.
  auto const& offsets = predecessors_.row_offsets;
  for (std::uint32_t task = 0; task + 1U < offsets.size(); ++task) {
    if (offsets[task] == offsets[task + 1U]) continue;
    std::uint32_t const largest = predecessors_.columns[offsets[task + 1U] - 1];
    if (largest > task) return std::pair{largest, task};
  }
  return {};
}

task_groups device_graph::find_levels() const {
  return std::visit(
      [](auto const& graph) {
        std::vector<std::uint32_t> open(graph.tasks());
        for (std::uint32_t task = 0; task < graph.tasks(); ++task)
          open[task] = graph.dependencies(task);
        return breadth_first(std::move(open), [&](auto task) { return graph.successors(task); });
      },
      host_view());
}

task_groups const& device_graph::levels() {
  if (levels_) return *levels_;
  added_time const time(levels_ms_);
  return levels_.emplace(find_levels());
}

buffer<std::uint32_t> const& device_graph::level_offsets() {
  if (level_offsets_.size() != 0) return level_offsets_;
  auto const& offsets = levels().first;
  added_time const time(levels_ms_);
  return level_offsets_ = machine_->allocate_copy(offsets);
}

buffer<std::uint32_t> const& device_graph::level_tasks() {
  if (level_tasks_.size() != 0) return level_tasks_;
  auto const& tasks = levels().tasks;
  added_time const time(levels_ms_);
  return level_tasks_ = machine_->allocate_copy(tasks);
}

template <class Result, class Value>
std::vector<Value> const& device_graph::computed_once(std::vector<Value>& values) {
  if (!values.empty()) return values;
  values.resize(tasks());
  if (is_lattice()) {
    auto const graph = std::get<lattice>(view_);
    // The numbers of a lattice's tasks are a topological order.
    for (std::uint32_t task = 0; task < graph.tasks(); ++task)
      run_serially<Result>(graph, task, values);
  } else {
    dag_ref const graph{tasks(), nullptr, nullptr, predecessors_.row_offsets.data(),
                        predecessors_.columns.data()};
    for (std::uint32_t task : levels().tasks) run_serially<Result>(graph, task, values);
  }
  return values;
}

std::vector<std::uint32_t> const& device_graph::reference() {
  return computed_once<recurrence>(reference_);
}

std::vector<wide_value> const& device_graph::wide_reference() {
  return computed_once<wide_body::gathers>(wide_reference_);
}

}  // namespace gridloom
