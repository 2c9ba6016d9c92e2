// Host sides of the single queue and the multi queue.

#include "wavefront/locked_stacks.hpp"
#include "wavefront/multi_queue.hpp"
#include "wavefront/single_queue.hpp"
#include "wavefront/support/scheduler_base.hpp"
#include "wavefront/task_hash.hpp"

namespace gridloom::wavefront {

namespace {

template <class Graph>
class queue_scheduler : public kernel_scheduler {
 public:
  template <class Hash>
  queue_scheduler(scheduler_setup const& setup, Graph const& graph, Hash const& hash, int queues)
      : kernel_scheduler(setup),
        graph_(graph),
        stacks_(setup.machine, setup.graph, hash, static_cast<std::uint32_t>(queues)) {}
  void reset() override {
    reset_words();
    count_dependencies(graph_, 0);
    stacks_.reset(setup_.machine);
  }
  std::uint64_t bytes() const override {
    return counter_bytes() + stacks_.bytes() + sizeof(scheduler_words);
  }

 protected:
  Graph graph_;
  locked_stacks stacks_;
};

template <class Graph, class Probe>
class single_queue : public queue_scheduler<Graph> {
 public:
  single_queue(scheduler_setup const& setup, Graph const& graph)
      : queue_scheduler<Graph>(setup, graph, hash_a{}, 1) {}
  void run(any_body const& body, probe_ref const& observer) override {
    auto const& stacks = this->stacks_;
    std::visit(
        [&]<class Body>(Body const& own) {
          this->setup_.machine.launch(
              this->shape(),
              single_queue_kernel<Graph, Probe, Body>{
                  this->graph_, own, this->dependencies(), stacks.words(), stacks.items(),
                  stacks.capacity(), this->words(), this->stopper_, observer});
        },
        body);
  }
};

template <class Graph, class Probe>
class multi_queue : public queue_scheduler<Graph> {
 public:
  multi_queue(scheduler_setup const& setup, Graph const& graph)
      : queue_scheduler<Graph>(setup, graph, setup.hash(), setup.config.queues) {}
  void run(any_body const& body, probe_ref const& observer) override {
    auto const& stacks = this->stacks_;
    auto const& setup = this->setup_;
    std::visit(
        [&]<class Body>(Body const& own) {
          setup.machine.launch(
              this->shape(),
              multi_queue_kernel<Graph, Probe, Body, decltype(setup.hash())>{
                  this->graph_, own, this->dependencies(), stacks.words(), stacks.items(),
                  static_cast<std::uint32_t>(setup.config.queues), stacks.capacity(), setup.hash(),
                  this->words(), this->stopper_, observer});
        },
        body);
  }
};

}  // namespace

std::unique_ptr<scheduler> make_single_queue(scheduler_setup const& setup) {
  return for_graph(setup, [&]<class Graph, class Probe>(Graph const& graph) {
    return std::make_unique<single_queue<Graph, Probe>>(setup, graph);
  });
}

std::unique_ptr<scheduler> make_multi_queue(scheduler_setup const& setup) {
  return for_graph(setup, [&]<class Graph, class Probe>(Graph const& graph) {
    return std::make_unique<multi_queue<Graph, Probe>>(setup, graph);
  });
}

}  // namespace gridloom::wavefront
