// Runs any DAG file as an application, with tasks that reveal scheduling errors.

#include "apps/juggler/problem.hpp"
#include "apps/juggler/methods.hpp"
#include "gridloom/taskgraph/synthetic_graph.hpp"

namespace gridloom::juggler {

namespace {

struct graph_app {
  struct task_data {
    std::uint32_t number;
  };
  using scratch = no_scratch;
  static constexpr int max_threads = 256;

  synthetic_graph_ref data;

  /// Executes a task of synthetic_graph_ref with one warp. Each lane reads one parent's value at a
  /// time. So most tasks wait for three accesses in a row: offset, parent's number, value.
  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block const& block, std::uint32_t, task_data const& of,
                              scratch&) const {
    if (data.work_ticks != 0) keep_busy(data.work_ticks);
    auto const warp = block.warp();
    // The first warp executes the task.
    if (block.thread_rank() != warp.thread_rank()) return;
    auto const lanes = static_cast<std::uint64_t>(warp.num_threads());
    auto const lane = static_cast<std::uint64_t>(warp.thread_rank());
    std::uint32_t const runs = data.runs[of.number];
    std::uint64_t const end = data.predecessor_offsets[of.number + 1];
    recurrence result(of.number);
    for (std::uint64_t first = data.predecessor_offsets[of.number]; first < end; first += lanes) {
      std::uint32_t value = 0;
      if (first + lane < end) value = data.values[data.predecessors[first + lane]];
      for (std::uint64_t k = 0; k < lanes && first + k < end; ++k)
        result.add(warp.shuffle(value, static_cast<int>(k)));
    }
    if (lane != 0) return;
    data.values[of.number] = result.value();
    data.runs[of.number] = runs + 1;
  }
};

/// Adds all tasks, with explicit edges (addDependency).
inspected<graph_app::task_data> inspect_graph(csr_graph const& graph) {
  using context_type = app_context<graph_app::task_data>;
  auto const tasks = static_cast<std::uint32_t>(graph.tasks());
  return inspect<graph_app::task_data>(tasks, graph.edges(), [&](context_type& context) {
    for (std::uint32_t task = 0; task < tasks; ++task) context.add_task(0, {task});
    for (std::uint32_t from = 0; from < tasks; ++from) {
      for (std::uint32_t const to : graph.of(from))
        context.add_dependency(task_id{from}, task_id{to});
    }
  });
}

class graph_problem final : public problem {
 public:
  graph_problem(device& machine, csr_graph const& graph, std::int64_t work_ns)
      : machine_(&machine),
        given_(&graph),
        graph_(inspect_graph(graph)),
        data_(machine, graph, work_ns) {}

  task_dag const& dag() const override { return graph_.context.dag(); }
  inspection_times inspect() const override { return inspect_graph(*given_).times; }
  std::unique_ptr<executor> make_ready(std::string_view method,
                                       execution_settings const& how) override {
    return make_method(method, *machine_, dag(), graph_.context.data(), how,
                       graph_app{data_.ref()});
  }
  void load() override { data_.clear(); }
  void fetch() override { data_.fetch(); }
  double verify() override {
    data_.verify();
    return 0;
  }
  std::size_t bytes() const override { return data_.bytes(); }

 private:
  device* machine_;
  csr_graph const* given_;
  inspected<graph_app::task_data> graph_;
  synthetic_graph data_;
};

}  // namespace

std::unique_ptr<problem> make_graph(device& machine, csr_graph const& graph, std::int64_t work_ns) {
  return std::make_unique<graph_problem>(machine, graph, work_ns);
}

}  // namespace gridloom::juggler
