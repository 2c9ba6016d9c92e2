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
#include "juggler/tile_map.hpp"

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

  task_id add_task(std::uint32_t kernel_type) {
    if (tasks_.size() == tasks_.capacity()) make_room_for_task();
    tasks_.push_back({kernel_type, 0, 0, no_task});
    return static_cast<task_id>(tasks_.size() - 1);
  }
  /// Adds an explicit edge in any direction. Refuses unknown tasks and self edges.
  void add_dependency(task_id source, task_id target);
  /// Later calls refuse sections that leave this array. Messages use `name`. Refuses an empty
  /// array, and one that overlaps another declared array.
  void declare_array(array_section const& whole, std::string name);

  /// The task waits for the last writers of the section, but never for itself. Once a task has a
  /// section, earlier tasks cannot get more. Refuses an unknown task, an earlier task, a length
  /// below 1, a section that leaves its array, and edges above the limit. Cost: see tile_map,
  /// range_map and exact_map.
  void reads(task_id task, array_section const& section) {
    if (!names_tile<false>(task, section)) reads_range(task, section);
  }
  /// The task waits for the last writers of the section and for all its readers since then. A task
  /// that reads and writes the section calls only writes().
  void writes(task_id task, array_section const& section) {
    if (!names_tile<true>(task, section)) writes_range(task, section);
  }

  /// Makes the graph. Throws usage_error for too many edges, and for a cycle, naming one of its
  /// edges. Cost: linear in tasks and edges, without sorting.
  [[nodiscard]] task_dag build() const;

 private:
  struct state;
  /// A task with its numbers of parents and children by edges that follow from ranges.
  struct note {
    std::uint32_t kernel_type;
    std::uint32_t parents;
    std::uint32_t children;
    /// The child of the task's last edge, to recognise a repeated edge.
    std::uint32_t last_target;
  };

  // The usual case is inline, because a program names several ranges per task: the section is a tile
  // that was named before.

  template <bool Writes>
  bool names_tile(task_id task, array_section const& section) {
    auto const target = static_cast<std::uint32_t>(task);
    if (target != now_ && (target >= tasks_.size() || target < now_)) return false;
    // Without tasks, there is no tile.
    tile_map::tile* const tile = tiles_.find(section);
    if (tile == nullptr) return false;
    now_ = target;
    access<Writes>(*tile, target);
    return true;
  }
  template <bool Writes>
  void access(tile_map::tile& tile, std::uint32_t task) {
    auto const follow = [this, task](std::uint32_t source) { add_edge(source, task); };
    Writes ? tiles_.write(tile, task, follow) : tiles_.read(tile, task, follow);
  }
  void add_edge(std::uint32_t source, std::uint32_t target) {
    note& from = tasks_[source];
    if (source == target || from.last_target == target) return;
    if (sources_.size() == sources_.capacity()) make_room_for_edge();
    from.last_target = target;
    ++from.children;
    sources_.push_back(source);
    ++tasks_[target].parents;
  }

  void reads_range(task_id task, array_section const& section);
  void writes_range(task_id task, array_section const& section);
  template <bool Writes>
  void names_range(task_id task, array_section const& section);
  template <bool Writes, class Map>
  void access(Map& ranges, byte_range bytes, std::uint32_t task);
  [[nodiscard]] std::uint32_t checked(task_id task) const;
  // Capacities never exceed the limits, so limits are only checked here.
  void make_room_for_task();
  void make_room_for_edge();
  /// Calls visit(source, target) once per edge, in ascending order of targets.
  template <class Visit>
  void for_each_edge(csr_graph const& hand, Visit const& visit) const;

  std::vector<note> tasks_;
  /// Sources of the edges that follow from ranges, without repeats, grouped by ascending target.
  std::vector<std::uint32_t> sources_;
  /// The last task for which a section was given.
  std::uint32_t now_ = 0;
  /// With range_matching::overlapping, a range is here or in the state's range_map.
  tile_map tiles_;
  std::unique_ptr<state> state_;
};

// The order in which a serial program executes the tasks.

/// All tasks, each after its parents. Among tasks whose parents are done, the one with the lowest
/// number comes first. If all edges lead to later tasks, this is the order in which they were
/// added.
[[nodiscard]] std::vector<std::uint32_t> serial_order(task_dag const& dag);

}  // namespace gridloom::juggler
