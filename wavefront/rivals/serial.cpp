// Host rival: a loop over the tasks in a topological order, in one thread.

#include <algorithm>

#include "wavefront/support/scheduler.hpp"

namespace gridloom::wavefront {

namespace {

template <class Graph>
class serial final : public body_executor {
 public:
  /// `order` is topological; null if the tasks' numbers are a topological order.
  serial(scheduler_setup const& setup, Graph const& graph, std::vector<std::uint32_t> const* order)
      : body_executor(setup), graph_(graph), order_(order) {}

  [[nodiscard]] std::uint64_t finished() override { return executed_; }
  [[nodiscard]] std::size_t bytes() const override {
    return order_ == nullptr ? 0 : 4 * order_->size();
  }

 private:
  void reset_state() override { executed_ = 0; }
  void launch() override {
    std::visit([&](auto const& own) { run_all(own); }, body_);
  }
  template <class Body>
  void run_all(Body const& body) {
    Graph const graph = graph_;
    thread_of_one const self(0, 1);
    direct_memory memory;
    watch patience(stopper_, 0, true);
    // Short tasks run in batches, because reading the clock may take longer than such a task.
    std::uint32_t const stretch = body.takes_long() ? 1 : 4096;
    while (executed_ < graph.tasks()) {
      auto const begin = static_cast<std::uint32_t>(executed_);
      if (patience.stop(memory, wait_kind::own_work, begin, 0, 0)) return;
      std::uint32_t const end = std::min(graph.tasks() - begin, stretch) + begin;
      for (std::uint32_t i = begin; i < end; ++i) {
        std::uint32_t const task = order_ == nullptr ? i : (*order_)[i];
        body(self, graph, task);
      }
      executed_ = end;
    }
  }

  Graph graph_;
  std::vector<std::uint32_t> const* order_;
  std::uint64_t executed_ = 0;
};

}  // namespace

std::unique_ptr<body_executor> make_serial(scheduler_setup const& setup) {
  if (setup.graph.is_lattice())
    return std::make_unique<serial<lattice>>(setup, setup.graph.shape(), nullptr);
  auto const graph = std::get<dag_ref>(setup.graph.view());
  bool const rises = !setup.graph.edge_against_numbers();
  return std::make_unique<serial<dag_ref>>(setup, graph,
                                           rises ? nullptr : &setup.graph.levels().tasks);
}

}  // namespace gridloom::wavefront
