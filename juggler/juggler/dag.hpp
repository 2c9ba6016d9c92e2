#pragma once
// Tasks and edges without what the tasks are: the graph under app_context.
//
// Two departures from the paper. Its ranges depend on each other where they are the same, and only
// there; here they do where they overlap, and the paper's rule is an option. Its `char` for the number
// of children ends at 127; here one task may have as many as there are edges.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gridloom/sparse/graph_file.hpp"
#include "juggler/array_section.hpp"

namespace gridloom::juggler {

/// Number of a task, in the order of their making.
enum class task_id : std::uint32_t {};

/// Which ranges depend on each other: those that are the same bytes (the paper's), or all that have a
/// byte in common, as OpenMP means it. In a program where `one_to_one` misses an overlap, tasks run in
/// the wrong order, and nothing says so.
enum class range_matching { one_to_one, overlapping };

/// Edges that a graph may have: the device counts them by a signed 32-bit word.
inline constexpr std::uint64_t most_edges = (std::uint64_t{1} << 31U) - 1;

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
/// Used by one thread. What is wrong is a usage_error "task graph: ...", thrown where it is said.
class dag_builder {
 public:
  /// Takes room for as many tasks and edges beforehand. `edge_limit` is for tests.
  dag_builder(std::size_t tasks, std::size_t edges, range_matching matching,
              std::uint64_t edge_limit = most_edges);
  dag_builder(dag_builder&&) noexcept;
  dag_builder& operator=(dag_builder&&) noexcept;
  ~dag_builder();

  task_id add_task(std::uint32_t kernel_type);
  /// An edge by hand, in any direction. Refused: unknown tasks, an edge to itself.
  void add_dependency(task_id source, task_id target);
  /// From now on, sections that leave the array are refused. `name` is for messages. Refused: an empty
  /// array, one that overlaps another declared one.
  void declare_array(array_section const& whole, std::string name);

  /// The task waits for the last writers of the section. Sections are said in the order of the tasks:
  /// once a task has said one, those before it may not. What a task says of itself makes no edge.
  /// Refused: an unknown task, an earlier one, a length below 1, a section that leaves its array, one
  /// edge too many. Cost: see range_map, exact_map.
  void reads(task_id task, array_section const& section);
  /// The task waits for the last writers of the section and for all who read it since. A task that
  /// reads and writes waits for the same.
  void writes(task_id task, array_section const& section);

  /// Makes the graph. Throws usage_error for a cycle, naming an edge on it, and for too many edges.
  /// Cost: linear in tasks and edges; nothing is sorted.
  [[nodiscard]] task_dag build() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace gridloom::juggler
