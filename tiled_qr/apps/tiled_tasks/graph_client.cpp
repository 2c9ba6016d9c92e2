// A client for any DAG file. Its tasks show whether the scheduler made a mistake.

#include "apps/tiled_tasks/client.hpp"
#include "gridloom/taskgraph/synthetic_graph.hpp"
#include "rivals/graph_executors.hpp"
#include "tiled_qr/general/graph_body.hpp"

namespace gridloom::tiled_qr::general {

namespace {

class graph_client final : public client {
 public:
  graph_client(device& machine, csr_graph const& graph, std::int64_t work_ns)
      : machine_(&machine), graph_(graph_of(graph)), data_(machine, graph, work_ns) {}

  task_graph const& graph() const override { return graph_; }
  std::unique_ptr<executor> make_ready(compiled_graph const& graph, execution how,
                                       executor_settings const& settings) override {
    return make_executor(*machine_, graph, how, settings,
                         graph_body<synthetic_graph_ref>{data_.ref()});
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
  task_graph graph_;
  synthetic_graph data_;
};

}  // namespace

std::unique_ptr<client> make_graph_client(device& machine, csr_graph const& graph,
                                          std::int64_t work_ns) {
  return std::make_unique<graph_client>(machine, graph, work_ns);
}

}  // namespace gridloom::tiled_qr::general
