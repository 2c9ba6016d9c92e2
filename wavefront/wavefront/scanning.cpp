#include "wavefront/scanning.hpp"

#include "wavefront/support/scheduler_base.hpp"

namespace gridloom::wavefront {

namespace {

template <class Graph, class Probe>
class scanning : public kernel_scheduler {
 public:
  scanning(scheduler_setup const& setup, Graph const& graph)
      : kernel_scheduler(setup), graph_(graph) {
    auto& locks = setup.memory.locks;
    if (locks.size() == 0) locks = setup.machine.allocate<std::uint32_t>(setup.graph.tasks());
  }
  void reset() override {
    reset_words();
    count_dependencies(graph_, 0);
    setup_.machine.fill_bytes(setup_.memory.locks, 0);
  }
  void run(any_body const& body, probe_ref const& observer) override {
    std::visit(
        [&]<class Body>(Body const& own) {
          setup_.machine.launch(
              shape(), scanning_kernel<Graph, Probe, Body>{graph_, own, dependencies(),
                                                           setup_.memory.locks.data(), words(),
                                                           stopper_, observer});
        },
        body);
  }
  std::uint64_t bytes() const override { return 2 * counter_bytes() + sizeof(scheduler_words); }

 private:
  Graph graph_;
};

}  // namespace

std::unique_ptr<scheduler> make_scanning(scheduler_setup const& setup) {
  return for_graph(setup, [&]<class Graph, class Probe>(Graph const& graph) {
    return std::make_unique<scanning<Graph, Probe>>(setup, graph);
  });
}

}  // namespace gridloom::wavefront
