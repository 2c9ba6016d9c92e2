// Host rival: a loop over the tasks in a topological order, in one thread.

#include "support/scheduler.hpp"

namespace gridloom::wavefront {

namespace {

template <class Graph>
class serial : public scheduler {
 public:
  /// `order` is topological; null if the tasks' numbers are a topological order.
  serial(Graph const& graph, std::vector<std::uint32_t> const* order)
      : graph_(graph), order_(order) {}

  void reset() override { executed_ = 0; }
  void run(any_body const& body, probe_ref const& /*observer*/) override {
    std::visit([&](auto const& own) { run_all(own); }, body);
  }
  std::uint64_t executed() override { return executed_; }
  std::uint64_t bytes() const override { return order_ == nullptr ? 0 : 4 * order_->size(); }
  int units() const override { return 1; }
  int observers() const override { return 1; }

 private:
  template <class Body>
  void run_all(Body const& body) {
    Graph const graph = graph_;
    thread_of_one const self(0, 1);
    for (std::uint32_t i = 0; i < graph.tasks(); ++i) {
      std::uint32_t const task = order_ == nullptr ? i : (*order_)[i];
      body(self, graph, task);
    }
    executed_ = graph.tasks();
  }

  Graph graph_;
  std::vector<std::uint32_t> const* order_;
  std::uint64_t executed_ = 0;
};

}  // namespace

std::unique_ptr<scheduler> make_serial(scheduler_setup const& setup) {
  if (setup.graph.is_lattice())
    return std::make_unique<serial<lattice>>(setup.graph.shape(), nullptr);
  auto const graph = std::get<dag_ref>(setup.graph.view());
  bool const rises = !setup.graph.edge_against_numbers();
  return std::make_unique<serial<dag_ref>>(graph, rises ? nullptr : &setup.graph.levels().tasks);
}

}  // namespace gridloom::wavefront
