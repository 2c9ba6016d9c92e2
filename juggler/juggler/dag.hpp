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
#include "juggler/limited_list.hpp"
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
    auto const made = static_cast<std::uint32_t>(tasks_.size());
    tasks_.push({kernel_type, 0, 0, made});
    return static_cast<task_id>(made);
  }
  /// Adds an explicit edge in any direction. Refuses unknown tasks and self edges.
  void add_dependency(task_id source, task_id target);
  /// Later calls refuse sections that leave this array. Messages use `name`. Refuses an empty
  /// array, and one that overlaps another declared array.
  void declare_array(array_section const& whole, std::string name);
  /// Declares an array of `tiles` tiles, each as long as `tile`, the first one. reads() and
  /// writes() take tiles by their numbers, which costs less than a section.
  [[nodiscard]] tiled_array declare_tiles(array_section const& tile, std::int64_t tiles,
                                          std::string name);

  /// The task waits for the last writers of the section, but never for itself. Once a task has a
  /// section, earlier tasks cannot get more. Refuses an unknown task, an earlier task, a length
  /// below 1, a section that leaves its array, and edges above the limit. Cost: see tile_map,
  /// range_map and exact_map.
  void reads(task_id task, array_section section) {
    if (!names_tile<false>(task, section)) name_range<false>(task, section);
  }
  void reads(task_id task, tiled_array const& of, std::int64_t tile) {
    if (!names_tile<false>(task, of, tile)) name_range<false>(task, of.tile(tile));
  }
  /// The task waits for the last writers of the section and for all its readers since then. A task
  /// that reads and writes the section calls only writes().
  void writes(task_id task, array_section section) {
    if (!names_tile<true>(task, section)) name_range<true>(task, section);
  }
  void writes(task_id task, tiled_array const& of, std::int64_t tile) {
    if (!names_tile<true>(task, of, tile)) name_range<true>(task, of.tile(tile));
  }

  /// Makes the graph. Throws usage_error for too many edges, and for a cycle, naming one of its
  /// edges. Cost: linear in tasks and edges, without sorting.
  [[nodiscard]] task_dag build();

 private:
  struct state;
  /// A task with its numbers of parents and children by edges that follow from ranges.
  struct note {
    std::uint32_t kernel_type;
    /// Counted by move_to().
    std::uint32_t parents;
    std::uint32_t children;
    /// The child of the task's last edge, to recognise a repeated edge; at first the task itself,
    /// which it never follows.
    std::uint32_t last_target;
  };

  // The usual case is inline, because a program names several ranges per task: the section is a tile
  // that was named before.

  template <bool Writes, class... Index>
  bool names_tile(task_id task, Index const&... index) {
    auto const target = static_cast<std::uint32_t>(task);
    // Without tasks, there is no tile.
    tile_map::tile* tile = nullptr;
    if (!finds(index..., tile)) return false;
    if (target != now_) {
      if (target >= tasks_.size() || target < now_) return false;
      move_to(target);
    }
    access<Writes>(*tile, target);
    return true;
  }
  bool finds(array_section const& section, tile_map::tile*& tile) {
    return tiles_.find(section, tile);
  }
  bool finds(tiled_array const& of, std::int64_t index, tile_map::tile*& tile) {
    return tiles_.find(of.number, static_cast<std::uint64_t>(index),
                       static_cast<std::size_t>(of.length) * of.element_bytes, tile);
  }
  template <bool Writes>
  void name_range(task_id task, array_section const& of) {
    names_range<Writes>(task, of.array, of.element_bytes, of.begin, of.length);
  }
  template <bool Writes>
  void access(tile_map::tile& tile, std::uint32_t task) {
    auto const follow = [this, task](std::uint32_t source) { add_edge(source, task); };
    Writes ? tiles_.write(tile, task, follow) : tiles_.read(tile, task, follow);
  }
  /// Counts the parents of the task now_, and makes `task` the task of later sections. There is one.
  void move_to(std::uint32_t task) {
    tasks_[now_].parents += static_cast<std::uint32_t>(sources_.size() - first_source_);
    first_source_ = sources_.size();
    now_ = task;
  }
  void add_edge(std::uint32_t source, std::uint32_t target) {
    note& from = tasks_[source];
    if (from.last_target == target) return;
    from.last_target = target;
    ++from.children;
    sources_.push(source);
  }

  /// Members of the section are arguments: a section in memory would be stored before each call
  /// that is not made.
  template <bool Writes>
  void names_range(task_id task, void const* array, std::size_t element_bytes, std::int64_t begin,
                   std::int64_t length);
  template <bool Writes, class Map>
  void access(Map& ranges, byte_range bytes, std::uint32_t task);
  [[nodiscard]] std::uint32_t checked(task_id task) const;
  /// Calls visit(source, target) once per edge, in ascending order of targets.
  template <class Visit>
  void for_each_edge(csr_graph const& hand, Visit const& visit) const;

  limited_list<note> tasks_;
  /// Sources of the edges that follow from ranges, without repeats, grouped by ascending target.
  limited_list<std::uint32_t> sources_;
  /// The last task for which a section was given.
  std::uint32_t now_ = 0;
  /// Its first source in sources_ that is not yet counted.
  std::size_t first_source_ = 0;
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
