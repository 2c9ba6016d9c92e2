// Runs any DAG file as an application, with tasks that reveal scheduling errors.

#include "apps/juggler/problem.hpp"
#include "apps/juggler/methods.hpp"
#include "gridloom/taskgraph/synthetic_graph.hpp"
#include "juggler/graph_app.hpp"

namespace gridloom::juggler {

namespace {

using app = graph_app<synthetic_graph_ref>;

inspected<app::task_data> inspect_graph(csr_graph const& graph) {
  return inspect<app::task_data>(
      graph.tasks(), graph.edges(),
      [&](app_context<app::task_data>& context) { add_graph(context, graph); });
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
    return make_method(method, *machine_, dag(), graph_.context.data(), how, app{data_.ref()});
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
  inspected<app::task_data> graph_;
  synthetic_graph data_;
};

}  // namespace

std::unique_ptr<problem> make_graph(device& machine, csr_graph const& graph, std::int64_t work_ns) {
  return std::make_unique<graph_problem>(machine, graph, work_ns);
}

}  // namespace gridloom::juggler
