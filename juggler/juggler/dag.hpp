#pragma once
// Tasks and edges without what the tasks are: the graph under app_context.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "gridloom/sparse/graph_file.hpp"

namespace gridloom::juggler {

/// Number of a task, in the order of their making.
enum class task_id : std::uint32_t {};

/// Which ranges of one array depend on each other: those that are the same (the paper's), or all that
/// have an element in common, as OpenMP means it.
enum class range_matching { one_to_one, overlapping };

/// Elements [begin, end) of an array.
struct range {
  std::int64_t begin;
  std::int64_t end;
};

/// A graph that was checked.
struct task_dag {
  /// One a task.
  std::vector<std::uint32_t> kernel_types;
  /// Ascending for each task, none twice.
  csr_graph children;
  /// Of each task.
  std::vector<std::uint32_t> parents;
  /// Tasks without parents, ascending.
  std::vector<std::uint32_t> ready;

  [[nodiscard]] std::uint32_t tasks() const {
    return static_cast<std::uint32_t>(kernel_types.size());
  }
};

/// Collects tasks and edges. An edge that is said twice, or that follows from two ranges, is one edge.
/// Used by one thread. Throws usage_error: an unknown task, an edge to itself, an empty range or one
/// outside a declared array, more than 2³¹ - 1 edges.
class dag_builder {
 public:
  dag_builder(std::size_t tasks, std::size_t edges, range_matching matching);
  dag_builder(dag_builder&&) noexcept;
  dag_builder& operator=(dag_builder&&) noexcept;
  ~dag_builder();

  task_id add_task(std::uint32_t kernel_type);
  void add_dependency(task_id source, task_id target);
  void declare_array(void const* array, std::int64_t length);
  /// Of the elements of `array`, which is a name for them and is not read. Ranges of a task are said
  /// before those of the next one; what one task says of itself makes no edge.
  void reads(task_id task, void const* array, range elements);
  void writes(task_id task, void const* array, range elements);

  /// Throws usage_error for a cycle, naming a task on it. Cost: linear in tasks and edges, but for
  /// sorting the edges.
  [[nodiscard]] task_dag build() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace gridloom::juggler
