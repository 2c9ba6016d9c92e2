#include "gridloom/taskgraph/synthetic_graph.hpp"

#include <string>
#include <utility>

#include "gridloom/error.hpp"
#include "gridloom/taskgraph/device_graph.hpp"
#include "gridloom/taskgraph/orders.hpp"

namespace gridloom {

std::vector<std::uint32_t> synthetic_values(csr_graph const& predecessors) {
  std::vector<std::uint32_t> values(predecessors.tasks());
  for (std::uint32_t const task : levels_of(transposed(predecessors)).tasks) {
    recurrence result(task);
    for (std::uint32_t const before : predecessors.of(task)) result.add(values[before]);
    values[task] = result.value();
  }
  return values;
}

synthetic_graph::synthetic_graph(device& machine, csr_graph const& graph, std::int64_t work_ns)
    : synthetic_graph(machine, std::make_shared<device_graph>(machine, graph), work_ns) {}

synthetic_graph::synthetic_graph(device& machine, std::shared_ptr<device_graph> graph,
                                 std::int64_t work_ns)
    : machine_(&machine),
      graph_(std::move(graph)),
      values_(machine.allocate<std::uint32_t>(graph_->tasks())),
      runs_(machine.allocate<std::uint32_t>(graph_->tasks())) {
  set_work(work_ns, task_durations::constant, 0);
}

void synthetic_graph::set_work(std::int64_t mean_ns, task_durations kind, std::uint32_t seed) {
  double const ticks = static_cast<double>(mean_ns) * machine_->properties().ticks_per_ns;
  work_ = {static_cast<std::uint64_t>(ticks), kind, seed};
  multiples_ = {};
}

void synthetic_graph::set_work(std::int64_t mean_ns, std::vector<float> const& multiples) {
  set_work(mean_ns, task_durations::constant, 0);
  multiples_ = machine_->allocate_copy(multiples);
}

synthetic_graph_ref synthetic_graph::ref() const {
  auto const graph = std::get<dag_ref>(graph_->view());
  return {work_,          multiples_.data(), graph.predecessor_offsets, graph.predecessor_tasks,
          values_.data(), runs_.data()};
}

void synthetic_graph::clear() {
  machine_->fill_bytes(values_, 0xff);
  machine_->fill_bytes(runs_, 0);
}

void synthetic_graph::fetch() {
  found_ = machine_->copy_to_host(values_);
  counts_ = machine_->copy_to_host(runs_);
}

void synthetic_graph::verify() {
  std::vector<std::uint32_t> const& expected = graph_->reference();
  for (std::size_t task = 0; task < expected.size(); ++task) {
    if (counts_[task] != 1)
      throw wrong_result("task " + std::to_string(task) + " ran " + std::to_string(counts_[task]) +
                         " times");
    if (found_[task] != expected[task])
      throw wrong_result("task " + std::to_string(task) + " did not see its predecessors");
  }
}

}  // namespace gridloom
