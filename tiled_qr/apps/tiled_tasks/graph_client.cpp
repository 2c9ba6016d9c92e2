// Any DAG file as a client. Tasks do nothing for a while; what they leave shows the scheduler's
// faults: a value of the predecessors' values, and a count of runs, both by plain accesses.

#include "apps/tiled_tasks/client.hpp"
#include "gridloom/sparse/synthetic_task.hpp"
#include "tiled_qr/general/launch.hpp"

namespace gridloom::tiled_qr::general {

namespace {

struct graph_body {
  using scratch = no_scratch;

  std::uint64_t work_ticks;
  std::uint64_t const* predecessor_offsets;
  std::uint32_t const* predecessors;
  std::uint32_t* values;
  std::uint32_t* runs;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block const& block, task_view const& task, scratch&) const {
    if (work_ticks != 0) keep_busy(work_ticks);
    if (block.thread_rank() != 0) return;
    std::uint32_t const number = task.number();
    recurrence result(number);
    for (std::uint64_t e = predecessor_offsets[number]; e < predecessor_offsets[number + 1]; ++e)
      result.add(values[predecessors[e]]);
    values[number] = result.value();
    ++runs[number];
  }
};

class graph_client final : public client {
 public:
  graph_client(device& machine, csr_graph const& graph, std::int64_t work_ns)
      : machine_(&machine),
        work_ticks_(static_cast<std::uint64_t>(static_cast<double>(work_ns) *
                                               machine.properties().ticks_per_ns)),
        before_(transposed(graph)),
        offsets_(machine.allocate_copy(before_.row_offsets)),
        predecessors_(machine.allocate_copy(before_.columns)),
        values_(machine.allocate<std::uint32_t>(graph.tasks())),
        runs_(machine.allocate<std::uint32_t>(graph.tasks())) {
    for (std::uint64_t task = 0; task < graph.tasks(); ++task) graph_.add_task(0);
    for (std::uint32_t from = 0; from < graph.tasks(); ++from) {
      for (std::uint64_t e = graph.row_offsets[from]; e < graph.row_offsets[from + 1]; ++e)
        graph_.add_dependency(task_id{from}, task_id{graph.columns[e]});
    }
  }

  task_graph const& graph() const override { return graph_; }
  std::unique_ptr<executor> make_ready(compiled_graph const& graph,
                                       execution_settings const& how) override {
    order_ = graph.order;
    return make_executor(*machine_, graph, how,
                         graph_body{work_ticks_, offsets_.data(), predecessors_.data(),
                                    values_.data(), runs_.data()});
  }
  void load() override {
    machine_->fill_bytes(values_, 0xff);
    machine_->fill_bytes(runs_, 0);
  }
  void fetch() override {
    found_ = machine_->copy_to_host(values_);
    counts_ = machine_->copy_to_host(runs_);
  }
  double verify(int) override {
    std::vector<std::uint32_t> expected(found_.size());
    for (std::uint32_t const task : order_) {
      recurrence result(task);
      for (std::uint64_t e = before_.row_offsets[task]; e < before_.row_offsets[task + 1]; ++e)
        result.add(expected[before_.columns[e]]);
      expected[task] = result.value();
      if (counts_[task] != 1)
        throw wrong_result("task " + std::to_string(task) + " ran " +
                           std::to_string(counts_[task]) + " times");
      if (found_[task] != expected[task])
        throw wrong_result("task " + std::to_string(task) + " did not see its predecessors");
    }
    return 0;
  }
  std::size_t bytes() const override {
    return offsets_.bytes() + predecessors_.bytes() + values_.bytes() + runs_.bytes();
  }

 private:
  device* machine_;
  std::uint64_t work_ticks_;
  csr_graph before_;
  task_graph graph_{{{"task", 1}}};
  buffer<std::uint64_t> offsets_;
  buffer<std::uint32_t> predecessors_;
  buffer<std::uint32_t> values_;
  buffer<std::uint32_t> runs_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> found_;
  std::vector<std::uint32_t> counts_;
};

}  // namespace

std::unique_ptr<client> make_graph_client(device& machine, csr_graph const& graph,
                                          std::int64_t work_ns) {
  return std::make_unique<graph_client>(machine, graph, work_ns);
}

}  // namespace gridloom::tiled_qr::general
