#include "gridloom/taskgraph/rivals/omp_graph.hpp"

#include <omp.h>

#include <atomic>

namespace gridloom {

omp_graph::omp_graph(csr_graph const& before, std::vector<std::uint32_t> const& order, int threads)
    : before_(before), order_(order), threads_(threads), marks_(order.size()) {}

void omp_graph::run(execute_task const& execute) {
  std::atomic<bool> stopped{false};
  // Some compilers do not count its uses below.
  [[maybe_unused]] char* const mark = marks_.data();
#pragma omp parallel num_threads(threads_)
#pragma omp single
  for (std::uint32_t const task : order_) {
    if (stopped.load(std::memory_order_relaxed)) break;
    // A dependence must name a task created earlier, so the order is topological.
    auto const from = before_.of(task);
    int const degree = static_cast<int>(from.size());
#pragma omp task depend(iterator(int k = 0                                       \
                                 : degree),                                      \
                        in                                                       \
                        : mark[from[k]]) depend(out                              \
                                                : mark[task]) firstprivate(task) \
    shared(stopped, execute)
    {
      if (!stopped.load(std::memory_order_relaxed) && !execute(task, omp_get_thread_num()))
        stopped.store(true, std::memory_order_relaxed);
    }
  }
}

}  // namespace gridloom
