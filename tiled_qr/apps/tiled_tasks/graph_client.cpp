// A client for any DAG file. Its tasks show whether the scheduler made a mistake.

#include "apps/tiled_tasks/client.hpp"
#include "gridloom/taskgraph/synthetic_graph.hpp"
#include "rivals/graph_executors.hpp"

namespace gridloom::tiled_qr::general {

namespace {

struct graph_body {
  using scratch = no_scratch;

  synthetic_graph_ref data;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block const& block, task_view const& task, scratch&) const {
    data.execute(block, task.number());
  }
};

class graph_client final : public client {
 public:
  graph_client(device& machine, csr_graph const& graph, std::int64_t work_ns)
      : machine_(&machine), data_(machine, graph, work_ns) {
    for (std::uint64_t task = 0; task < graph.tasks(); ++task) graph_.add_task(0);
    for (std::uint32_t from = 0; from < graph.tasks(); ++from) {
      for (std::uint32_t const to : graph.of(from))
        graph_.add_dependency(task_id{from}, task_id{to});
    }
  }

  task_graph const& graph() const override { return graph_; }
  std::unique_ptr<executor> make_ready(compiled_graph const& graph, execution how,
                                       executor_settings const& settings) override {
    return make_executor(*machine_, graph, how, settings, graph_body{data_.ref()});
  }
  void load() override { data_.clear(); }
  void fetch() override { data_.fetch(); }
  double verify(int) override {
    data_.verify();
    return 0;
  }
  std::size_t bytes() const override { return data_.bytes(); }

 private:
  device* machine_;
  task_graph graph_{{{"task", 1}}};
  synthetic_graph data_;
};

}  // namespace

std::unique_ptr<client> make_graph_client(device& machine, csr_graph const& graph,
                                          std::int64_t work_ns) {
  return std::make_unique<graph_client>(machine, graph, work_ns);
}

}  // namespace gridloom::tiled_qr::general
