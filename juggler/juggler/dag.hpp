#pragma once
// The graph under app_context: tasks and edges, without the data of tasks.
//
// Two departures from the paper. In the paper, two ranges depend on each other only if they are
// equal; here they do if they overlap, and the paper's rule is an option. The paper counts children
// in a `char`, which ends at 127; here a task may have as many children as the graph has edges.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gridloom/sparse/graph_file.hpp"
#include "juggler/array_section.hpp"

namespace gridloom::juggler {

/// Number of a task. Tasks are numbered in the order in which they are added.
enum class task_id : std::uint32_t {};

/// Which ranges depend on each other: equal ones (the paper), or all that have a byte in common
/// (OpenMP). If `one_to_one` misses an overlap, tasks run in the wrong order without an error.
enum class range_matching { one_to_one, overlapping };

/// Edges that a graph may have: the device counts them in a signed 32-bit word.
inline constexpr std::uint64_t most_edges = (std::uint64_t{1} << 31U) - 1;

/// A graph whose checks are done.
struct task_dag {
  /// The kernel type of each task.
  std::vector<std::uint32_t> kernel_types;
  /// The children of each task, ascending, without repeats.
  csr_graph children;
  /// Number of parents of each task.
  std::vector<std::uint32_t> parents;
  /// Tasks without parents, ascending.
  std::vector<std::uint32_t> ready;

  [[nodiscard]] std::uint32_t tasks() const {
    return static_cast<std::uint32_t>(kernel_types.size());
  }
};

/// Collects tasks and edges. An edge that is added twice, or that follows from two ranges, is one
/// edge. Used by one thread. Errors are usage_error "task graph: ...", thrown by the call that is
/// wrong.
class dag_builder {
 public:
  /// Reserves room for this number of tasks and edges. The limits bound graphs of unknown size.
  dag_builder(std::size_t tasks, std::size_t edges, range_matching matching,
              std::uint64_t edge_limit = most_edges, std::uint64_t task_limit = most_tasks);
  dag_builder(dag_builder&&) noexcept;
  dag_builder& operator=(dag_builder&&) noexcept;
  ~dag_builder();

  task_id add_task(std::uint32_t kernel_type);
  /// Adds an explicit edge, in any direction. Refused: unknown tasks, an edge from a task to
  /// itself.
  void add_dependency(task_id source, task_id target);
  /// From now on, sections that leave the array are refused. `name` is for messages. Refused: an
  /// empty array, and one that overlaps another declared array.
  void declare_array(array_section const& whole, std::string name);

  /// The task waits for the last writers of the section. Sections are named in the order of the
  /// tasks: once a task has named one, earlier tasks must not name any. A task does not wait for
  /// itself. Refused: an unknown task, an earlier task, a length below 1, a section that leaves its
  /// array, one edge too many. Cost: see range_map, exact_map.
  void reads(task_id task, array_section const& section);
  /// The task waits for the last writers of the section and for all its readers since. Used also
  /// for a task that reads and writes the section.
  void writes(task_id task, array_section const& section);

  /// Makes the graph. Throws usage_error for a cycle, naming an edge on it, and for too many edges.
  /// Cost: linear in tasks and edges; nothing is sorted.
  [[nodiscard]] task_dag build() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace gridloom::juggler
