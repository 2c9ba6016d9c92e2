// Host rival with one OpenMP task per task of the graph. Dependences are `depend` clauses, and the
// OpenMP runtime schedules the tasks.

#include "wavefront/rivals/omp_scheduler.hpp"

namespace gridloom::wavefront {

namespace {

template <class Graph>
class omp_tasks : public omp_scheduler {
 public:
  omp_tasks(scheduler_setup const& setup, Graph const& graph,
            std::vector<std::uint32_t> const* order)
      : omp_scheduler(setup), graph_(graph), order_(order) {
    marks_.resize(graph.tasks());
  }

  [[nodiscard]] std::size_t bytes() const override { return marks_.size(); }

 private:
  void launch() override {
    std::visit([&](auto const& own) { run_all(own); }, body_);
  }
  template <class Body>
  void run_all(Body const& body) {
    char* const mark = marks_.data();
    begin_run(body.takes_long());
    Graph const graph = graph_;
    std::uint32_t const n = graph.tasks();
#pragma omp parallel num_threads(workers_)
#pragma omp single
    for (std::uint32_t i = 0; i < n && !stops_creating(i); ++i) {
      // A dependence must name a task created earlier, so any topological order works.
      std::uint32_t const task = order_ == nullptr ? i : (*order_)[i];
      auto const from = graph.predecessors(task);
      int const degree = static_cast<int>(from.size());
#pragma omp task depend(iterator(int k = 0                                                 \
                                 : degree),                                                \
                        in                                                                 \
                        : mark[from[static_cast <std::uint32_t>(k)]]) depend(out           \
                                                                             : mark[task]) \
    firstprivate(task)
      {
        if (!stopped()) {
          body(thread_of_one(0, 1), graph, task);
          count(1);
        }
      }
    }
  }

  Graph graph_;
  /// A topological order; null if the tasks' own numbers are a topological order.
  std::vector<std::uint32_t> const* order_;
  /// One mark per task. The addresses of the marks stand in the `depend` clauses.
  std::vector<char> marks_;
};

}  // namespace

std::unique_ptr<body_executor> make_omp_tasks(scheduler_setup const& setup) {
  if (setup.graph.is_lattice())
    return std::make_unique<omp_tasks<lattice>>(setup, setup.graph.shape(), nullptr);
  return std::make_unique<omp_tasks<dag_ref>>(setup, std::get<dag_ref>(setup.graph.view()),
                                              &setup.graph.levels().tasks);
}

}  // namespace gridloom::wavefront
