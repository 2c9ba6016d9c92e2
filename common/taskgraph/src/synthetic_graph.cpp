#include "gridloom/taskgraph/synthetic_graph.hpp"

#include <string>

#include "gridloom/error.hpp"

namespace gridloom {

std::vector<std::uint32_t> synthetic_values(csr_graph const& predecessors) {
  auto const& offsets = predecessors.row_offsets;
  csr_graph const successors = transposed(predecessors);
  std::vector<std::uint32_t> values(predecessors.tasks());
  std::vector<std::uint64_t> open(predecessors.tasks());
  std::vector<std::uint32_t> order;
  order.reserve(values.size());
  for (std::uint32_t task = 0; task < values.size(); ++task) {
    open[task] = offsets[task + 1] - offsets[task];
    if (open[task] == 0) order.push_back(task);
  }
  for (std::size_t at = 0; at < order.size(); ++at) {
    std::uint32_t const task = order[at];
    recurrence result(task);
    for (std::uint64_t e = offsets[task]; e < offsets[task + 1]; ++e)
      result.add(values[predecessors.columns[e]]);
    values[task] = result.value();
    for (std::uint64_t e = successors.row_offsets[task]; e < successors.row_offsets[task + 1];
         ++e) {
      std::uint32_t const next = successors.columns[e];
      if (--open[next] == 0) order.push_back(next);
    }
  }
  return values;
}

synthetic_graph::synthetic_graph(device& machine, csr_graph const& graph, std::int64_t work_ns)
    : machine_(&machine),
      work_ticks_(static_cast<std::uint64_t>(static_cast<double>(work_ns) *
                                             machine.properties().ticks_per_ns)),
      before_(transposed(graph)),
      offsets_(machine.allocate_copy(before_.row_offsets)),
      predecessors_(machine.allocate_copy(before_.columns)),
      values_(machine.allocate<std::uint32_t>(graph.tasks())),
      runs_(machine.allocate<std::uint32_t>(graph.tasks())) {}

synthetic_graph_ref synthetic_graph::ref() const {
  return {work_ticks_, offsets_.data(), predecessors_.data(), values_.data(), runs_.data()};
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
  if (expected_.empty()) expected_ = synthetic_values(before_);
  for (std::size_t task = 0; task < expected_.size(); ++task) {
    if (counts_[task] != 1)
      throw wrong_result("task " + std::to_string(task) + " ran " + std::to_string(counts_[task]) +
                         " times");
    if (found_[task] != expected_[task])
      throw wrong_result("task " + std::to_string(task) + " did not see its predecessors");
  }
}

std::size_t synthetic_graph::bytes() const {
  return offsets_.bytes() + predecessors_.bytes() + values_.bytes() + runs_.bytes();
}

}  // namespace gridloom
