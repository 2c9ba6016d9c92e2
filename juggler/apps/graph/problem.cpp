// Any DAG file as an application. Tasks do nothing for a while; what they leave shows the faults of
// who schedules them: a value of the parents' values, and a count of runs, both by plain accesses.

#include <string>

#include "apps/juggler/methods.hpp"
#include "apps/juggler/problem.hpp"
#include "gridloom/error.hpp"
#include "gridloom/sparse/synthetic_task.hpp"

namespace gridloom::juggler {

namespace {

struct graph_app {
  struct task_data {
    std::uint32_t number;
  };
  using scratch = no_scratch;
  static constexpr int max_threads = 256;

  std::uint64_t work_ticks;
  std::uint64_t const* parent_offsets;
  std::uint32_t const* parents;
  std::uint32_t* values;
  std::uint32_t* runs;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block const& block, std::uint32_t, task_data const& of,
                              scratch&) const {
    if (work_ticks != 0) keep_busy(work_ticks);
    if (block.thread_rank() != 0) return;
    recurrence result(of.number);
    for (std::uint64_t e = parent_offsets[of.number]; e < parent_offsets[of.number + 1]; ++e)
      result.add(values[parents[e]]);
    values[of.number] = result.value();
    ++runs[of.number];
  }
};

/// All tasks, with the edges said by hand (addDependency).
inspected<graph_app::task_data> inspect_graph(csr_graph const& graph) {
  using context_type = app_context<graph_app::task_data>;
  auto const tasks = static_cast<std::uint32_t>(graph.tasks());
  return inspect<graph_app::task_data>(tasks, graph.edges(), [&](context_type& context) {
    for (std::uint32_t task = 0; task < tasks; ++task) context.add_task(0, {task});
    for (std::uint32_t from = 0; from < tasks; ++from) {
      for (std::uint64_t e = graph.row_offsets[from]; e < graph.row_offsets[from + 1]; ++e)
        context.add_dependency(task_id{from}, task_id{graph.columns[e]});
    }
  });
}

class graph_problem final : public problem {
 public:
  graph_problem(device& machine, csr_graph const& graph, std::int64_t work_ns)
      : machine_(&machine),
        work_ticks_(static_cast<std::uint64_t>(static_cast<double>(work_ns) *
                                               machine.properties().ticks_per_ns)),
        before_(transposed(graph)),
        graph_(inspect_graph(graph)),
        offsets_(machine.allocate_copy(before_.row_offsets)),
        parents_(machine.allocate_copy(before_.columns)),
        values_(machine.allocate<std::uint32_t>(graph.tasks())),
        runs_(machine.allocate<std::uint32_t>(graph.tasks())) {}

  task_dag const& dag() const override { return graph_.context.dag(); }
  inspection_times const& inspection() const override { return graph_.times; }
  std::unique_ptr<executor> make_ready(std::string_view method,
                                       execution_settings const& how) override {
    return make_method(
        method, *machine_, dag(), graph_.context.data(), how,
        graph_app{work_ticks_, offsets_.data(), parents_.data(), values_.data(), runs_.data()});
  }
  void load() override {
    machine_->fill_bytes(values_, 0xff);
    machine_->fill_bytes(runs_, 0);
  }
  void fetch() override {
    found_ = machine_->copy_to_host(values_);
    counts_ = machine_->copy_to_host(runs_);
  }
  double verify() override {
    std::vector<std::uint32_t> expected(found_.size());
    for (std::uint32_t const task : serial_order(dag())) {
      recurrence result(task);
      for (std::uint64_t e = before_.row_offsets[task]; e < before_.row_offsets[task + 1]; ++e)
        result.add(expected[before_.columns[e]]);
      expected[task] = result.value();
      if (counts_[task] != 1)
        throw wrong_result("task " + std::to_string(task) + " ran " +
                           std::to_string(counts_[task]) + " times");
      if (found_[task] != expected[task])
        throw wrong_result("task " + std::to_string(task) + " did not see its parents");
    }
    return 0;
  }
  std::size_t bytes() const override {
    return offsets_.bytes() + parents_.bytes() + values_.bytes() + runs_.bytes();
  }

 private:
  device* machine_;
  std::uint64_t work_ticks_;
  csr_graph before_;
  inspected<graph_app::task_data> graph_;
  buffer<std::uint64_t> offsets_;
  buffer<std::uint32_t> parents_, values_, runs_;
  std::vector<std::uint32_t> found_, counts_;
};

}  // namespace

std::unique_ptr<problem> make_graph(device& machine, csr_graph const& graph, std::int64_t work_ns) {
  return std::make_unique<graph_problem>(machine, graph, work_ns);
}

}  // namespace gridloom::juggler
