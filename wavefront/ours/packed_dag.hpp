#pragma once
// A task graph with a second copy of its successors, in which one load gets up to four successors
// of a task. With compressed rows, a scheduler loads where a row begins, and then the row. Each
// count-down would wait for these two loads, one after the other.

#include <cstdint>

#include "gridloom/backend/types.hpp"
#include "gridloom/each.hpp"
#include "gridloom/group.hpp"
#include "gridloom/taskgraph/graph_view.hpp"

namespace gridloom::wavefront {

/// Up to four successors; unused places hold `none`. If there are more, the last place holds
/// `many`, and the others have no meaning.
struct alignas(16) packed_successors {
  std::uint32_t task[4] = {no_task, no_task, no_task, no_task};
  /// Mark of a task with more successors. No task has this number (see most_tasks).
  static constexpr std::uint32_t many = no_task - 1;
};
static_assert(sizeof(packed_successors) == 16, "one load of a GPU's thread");

/// The successors of a task of a `packed_dag`.
class packed_list {
 public:
  packed_list() = default;
  GRIDLOOM_FN explicit packed_list(packed_successors const& few) : few_(few) {
    GRIDLOOM_UNROLL
    for (int k = 0; k < 4; ++k) size_ += few.task[k] == no_task ? 0U : 1U;
  }
  GRIDLOOM_FN explicit packed_list(index_range many) : size_(many.length), many_(many.first) {}

  GRIDLOOM_FN std::uint32_t size() const { return size_; }
  GRIDLOOM_FN std::uint32_t operator[](std::uint32_t k) const {
    if (many_ != nullptr) return many_[k];
    return k == 0 ? few_.task[0] : k == 1 ? few_.task[1] : k == 2 ? few_.task[2] : few_.task[3];
  }

 private:
  std::uint32_t size_ = 0;
  packed_successors few_;
  std::uint32_t const* many_ = nullptr;
};

struct packed_dag {
  dag_ref rows;
  /// Array of one element per task.
  packed_successors const* packed = nullptr;

  GRIDLOOM_FN std::uint32_t tasks() const { return rows.tasks(); }
  GRIDLOOM_FN std::uint32_t dependencies(std::uint32_t task) const {
    return rows.dependencies(task);
  }
  GRIDLOOM_FN index_range predecessors(std::uint32_t task) const { return rows.predecessors(task); }
  GRIDLOOM_FN packed_list successors(std::uint32_t task) const {
    return successors_in(packed[task], task);
  }
  /// The successors in two steps, as in dag_ref.
  using row = packed_successors;
  GRIDLOOM_FN row successor_row(std::uint32_t task) const { return packed[task]; }
  GRIDLOOM_FN packed_list successors_in(row const& entry, std::uint32_t task) const {
    if (entry.task[3] == packed_successors::many) return packed_list(rows.successors(task));
    return packed_list(entry);
  }
  /// Prefetches the successors of a task that is likely to run soon into the level-2 cache.
  GRIDLOOM_FN void ask_ahead(std::uint32_t task) const {
#if defined(__CUDA_ARCH__)
    asm volatile("prefetch.global.L2 [%0];" : : "l"(packed + task));
    asm volatile("prefetch.global.L2 [%0];" : : "l"(rows.predecessor_offsets + task));
#else
    (void)task;
#endif
  }
};
static_assert(task_graph<packed_dag>);

/// The packed successors of one task.
GRIDLOOM_FN inline packed_successors packed_of(dag_ref const& graph, std::uint32_t task) {
  auto const to = graph.successors(task);
  packed_successors result;
  if (to.size() > 4) {
    result.task[3] = packed_successors::many;
    return result;
  }
  for (std::uint32_t k = 0; k < to.size(); ++k) result.task[k] = to[k];
  return result;
}

/// Packs the successors of a task.
struct pack_successors {
  dag_ref graph;
  packed_successors* packed;

  GRIDLOOM_FN void operator()(std::uint32_t task) const { packed[task] = packed_of(graph, task); }
};

}  // namespace gridloom::wavefront
