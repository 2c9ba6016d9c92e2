#pragma once
// A task graph as OpenMP tasks with `depend` clauses, which the compiler's runtime schedules. The
// loop is in a source of its own, because nvcc does not compile OpenMP.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "gridloom/taskgraph/graph_file.hpp"

namespace gridloom {

/// Used by one thread.
class omp_graph {
 public:
  /// Executes a task on a thread with a number below `threads`. Returns false if time is up.
  using execute_task = std::function<bool(std::uint32_t task, int thread)>;

  /// `before` has the predecessors of each task. `order` is topological. Both must outlive this.
  omp_graph(csr_graph const& before, std::vector<std::uint32_t> const& order, int threads);

  /// Creates one OpenMP task per task, in the order given, and waits for all of them. Calls to
  /// `execute` come from several threads, each after those of the task's predecessors. After it
  /// returns false once, only calls that have begun already are completed.
  void run(execute_task const& execute);

  [[nodiscard]] std::size_t bytes() const { return marks_.size(); }

 private:
  csr_graph const& before_;
  std::vector<std::uint32_t> const& order_;
  int threads_;
  /// The addresses of its elements stand for tasks in `depend`.
  std::vector<char> marks_;
};

}  // namespace gridloom
