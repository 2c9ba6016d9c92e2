#pragma once
// The graph under app_context: tasks and edges, without the data of tasks.
//
// The code departs from the paper twice. In the paper, two ranges depend on each other only if they
// are equal. Here overlapping ranges do, and the paper's rule is an option. The paper counts
// children in a `char`, which ends at 127. Here any number of children is allowed.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gridloom/taskgraph/graph_file.hpp"
#include "juggler/array_section.hpp"

namespace gridloom::juggler {

/// Number of a task. Tasks are numbered in the order in which they are added.
enum class task_id : std::uint32_t {};

/// Which ranges depend on each other: equal ones (the paper), or all that share a byte (OpenMP).
/// With `one_to_one`, overlapping ranges that differ have no order, and no error is reported.
enum class range_matching { one_to_one, overlapping };

/// The largest number of edges in a graph: the device counts edges in a signed 32-bit word.
inline constexpr std::uint64_t most_edges = (std::uint64_t{1} << 31U) - 1;

/// A graph that has passed all checks.
struct task_dag {
  std::vector<std::uint32_t> kernel_types;
  /// The children of each task, ascending, without repeats.
  csr_graph children;
  std::vector<std::uint32_t> parents;
  /// Tasks without parents, ascending.
  std::vector<std::uint32_t> ready;

  [[nodiscard]] std::uint32_t tasks() const {
    return static_cast<std::uint32_t>(kernel_types.size());
  }
};

/// Collects tasks and edges, and merges repeated edges. Used by one thread. A wrong call throws
/// usage_error "task graph: ...".
class dag_builder {
 public:
  /// Reserves room for this number of tasks and edges. A graph that exceeds a limit is refused.
  dag_builder(std::size_t tasks, std::size_t edges, range_matching matching,
              std::uint64_t edge_limit = most_edges, std::uint64_t task_limit = most_tasks);
  dag_builder(dag_builder&&) noexcept;
  dag_builder& operator=(dag_builder&&) noexcept;
  ~dag_builder();

  task_id add_task(std::uint32_t kernel_type);
  /// Adds an explicit edge in any direction. Refuses unknown tasks and self edges.
  void add_dependency(task_id source, task_id target);
  /// Later calls refuse sections that leave this array. Messages use `name`. Refuses an empty
  /// array, and one that overlaps another declared array.
  void declare_array(array_section const& whole, std::string name);

  /// The task waits for the last writers of the section, but never for itself. Once a task has a
  /// section, earlier tasks cannot get more. Refuses an unknown task, an earlier task, a length
  /// below 1, a section that leaves its array, and edges above the limit. Cost: see range_map and
  /// exact_map.
  void reads(task_id task, array_section const& section);
  /// The task waits for the last writers of the section and for all its readers since then. A task
  /// that reads and writes the section calls only writes().
  void writes(task_id task, array_section const& section);

  /// Makes the graph. Throws usage_error for too many edges, and for a cycle, naming one of its
  /// edges. Cost: linear in tasks and edges, without sorting.
  [[nodiscard]] task_dag build() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

// The order in which a serial program executes the tasks.

/// All tasks, each after its parents. Among tasks whose parents are done, the one with the lowest
/// number comes first. If all edges lead to later tasks, this is the order in which they were
/// added.
[[nodiscard]] std::vector<std::uint32_t> serial_order(task_dag const& dag);

}  // namespace gridloom::juggler
