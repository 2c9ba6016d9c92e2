#pragma once
// The host side of an application (Listing 7): its tasks, their dependences, and the graph made
// from both. An inspection loop visits the tasks in the order of a serial program. It names what
// each task reads and writes, and executes nothing.

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "juggler/dag.hpp"
#include "juggler/task.hpp"

namespace gridloom::juggler {

/// The tasks of an application; each task carries a `TaskData`. Used by one thread. A wrong call
/// throws usage_error; build_csr() throws usage_error for a cycle.
template <class TaskData>
class app_context {
  static_assert(std::is_trivially_copyable_v<TaskData>);

 public:
  /// Reserves room for this number of tasks and edges (`initAppContext_H`).
  explicit app_context(std::size_t tasks = 0, std::size_t edges = 0,
                       range_matching matching = range_matching::overlapping,
                       std::uint64_t edge_limit = most_edges, std::uint64_t task_limit = most_tasks)
      : dag_(tasks, edges, matching, edge_limit, task_limit) {
    data_.reserve(tasks);
  }

  /// Adds a task (`addTask`).
  task_id add_task(std::uint32_t kernel_type, TaskData const& data = {}) {
    task_id const made = dag_.add_task(kernel_type);
    data_.push_back(data);
    return made;
  }
  /// Adds an explicit edge (`addDependency`): `target` begins after `source` has finished.
  void add_dependency(task_id source, task_id target) { dag_.add_dependency(source, target); }

  /// Declares the length of an array. Later calls refuse ranges that leave it. Messages use `name`.
  template <class T>
  void declare_array(T const* array, std::int64_t length, std::string name = "without a name") {
    dag_.declare_array(section_of(array, 0, length), std::move(name));
  }
  /// Declares an array of `tiles` tiles of `length` elements. The functions below take such an array
  /// and the number of a tile instead of a range, which costs less.
  template <class T>
  [[nodiscard]] tiled_array declare_tiles(T const* array, std::int64_t length, std::int64_t tiles,
                                          std::string name = "without a name") {
    return dag_.declare_tiles(section_of(array, 0, length), tiles, std::move(name));
  }
  /// The task reads `length` elements from array[begin] on (`processInDep`): it waits for the last
  /// writer of each element. Two ranges depend on each other if they share bytes, whatever their
  /// pointers and types. Ranges must be added in the order of task numbers.
  template <class T>
  void process_in_dep(task_id task, T const* array, std::int64_t begin, std::int64_t length) {
    dag_.reads(task, section_of(array, begin, length));
  }
  void process_in_dep(task_id task, tiled_array const& of, std::int64_t tile) {
    dag_.reads(task, of, tile);
  }
  /// The task writes `length` elements from array[begin] on (`processOutDep`). It waits for their
  /// last writer and for all tasks that have read them since.
  template <class T>
  void process_out_dep(task_id task, T const* array, std::int64_t begin, std::int64_t length) {
    dag_.writes(task, section_of(array, begin, length));
  }
  void process_out_dep(task_id task, tiled_array const& of, std::int64_t tile) {
    dag_.writes(task, of, tile);
  }
  /// The task reads and writes these elements. It waits like a writer, which already waits for all
  /// tasks that a reader waits for.
  template <class T>
  void process_inout_dep(task_id task, T const* array, std::int64_t begin, std::int64_t length) {
    dag_.writes(task, section_of(array, begin, length));
  }
  void process_inout_dep(task_id task, tiled_array const& of, std::int64_t tile) {
    dag_.writes(task, of, tile);
  }

  /// Builds the graph (`buildCSR`) and the list of tasks that are ready at the start.
  void build_csr() { compiled_ = dag_.build(); }

  /// The graph, after build_csr().
  [[nodiscard]] task_dag const& dag() const { return compiled_; }
  [[nodiscard]] std::vector<TaskData> const& data() const { return data_; }
  [[nodiscard]] std::size_t tasks() const { return data_.size(); }

 private:
  dag_builder dag_;
  std::vector<TaskData> data_;
  task_dag compiled_;
};

}  // namespace gridloom::juggler
