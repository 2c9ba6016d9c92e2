#pragma once
// The graphs of FR4: tasks, dependencies and conflicts. The scheduler is in dispatch.hpp. The
// report asks for "a system which would enable a developer to simply integrate their tasks in to
// our scheduler, specify the dependencies and the process would work as expected".
//
// A task that depends on another runs after it. Two tasks that conflict run in either order, but
// not at the same time ("the thread locks the data", report, I.A). They conflict if they use the
// same resource, as in QuickSched (Gonnet, Chalk, Schaller, 2016).

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gridloom/taskgraph/graph_file.hpp"

namespace gridloom::tiled_qr::general {

/// A kind of task. Its number is its index in the list that is passed to the graph's constructor.
struct task_type {
  std::string name;
  /// Cost of one task, in any unit; the critical path is measured in it.
  double cost = 1;
};

/// Handles of tasks and resources, numbered in the order of creation.
enum class task_id : std::uint32_t {};
enum class resource_id : std::uint32_t {};

/// Which ready task runs first: the one with the longest path to an end of the graph, or the
/// oldest.
enum class priority_by { critical_path, none };

inline constexpr char const* priority_by_names[] = {"critical-path", "none"};

/// Largest number of classes of priority. Each has one queue of ready tasks.
inline constexpr std::uint32_t most_classes = 32;

/// A checked graph, in the form that is copied to the device. Tasks are numbered from 0.
struct compiled_graph {
  std::vector<std::string> type_names;
  std::vector<std::uint32_t> types;
  csr_graph successors;
  /// Number of predecessors of each task.
  std::vector<std::uint32_t> dependences;
  /// `payload_bytes` bytes per task; `payload_bytes` is 0 if no type has a payload.
  std::vector<std::byte> payloads;
  std::uint32_t payload_bytes = 0;
  /// Task t uses the resources uses[use_offsets[t]] to uses[use_offsets[t + 1] - 1], in ascending
  /// order.
  std::vector<std::uint64_t> use_offsets;
  std::vector<std::uint32_t> uses;
  std::uint32_t resources = 0;
  /// Cost of the longest path from the start of a task to an end of the graph, or the user's
  /// priority.
  std::vector<double> priorities;
  /// Class of each task; class 0 runs first.
  std::vector<std::uint32_t> classes;
  std::uint32_t num_classes = 1;
  /// All tasks, in an order that keeps the dependences.
  std::vector<std::uint32_t> order;

  [[nodiscard]] std::uint32_t tasks() const { return static_cast<std::uint32_t>(types.size()); }
};

/// Builds a graph. Used by one thread. Errors are usage_errors that begin with "task graph:". The
/// faulty call throws them, and `compile` throws them for a cycle.
class task_graph {
 public:
  /// Task types are numbered from 0 to types.size() - 1.
  explicit task_graph(std::vector<task_type> types);

  /// Adds a task without data of its own.
  task_id add_task(std::uint32_t type) { return add(type, nullptr, 0); }
  /// Adds a task with data, which the body reads as task_view::payload<Payload>(). All tasks of a
  /// type have payloads of one size.
  template <class Payload>
  task_id add_task(std::uint32_t type, Payload const& payload) {
    static_assert(std::is_trivially_copyable_v<Payload> && alignof(Payload) <= 16);
    return add(type, &payload, sizeof(Payload));
  }
  /// Makes `after` begin when `before` is finished, and see its writes. Repetitions have no effect.
  void add_dependency(task_id before, task_id after);

  /// Adds a resource, which one task at a time may use.
  resource_id add_resource();
  /// Makes a task use a resource. Two tasks that use it run one after the other, in either order;
  /// the second sees what the first wrote.
  void uses(task_id task, resource_id resource);
  /// Adds a resource that both tasks use.
  void add_conflict(task_id one, task_id other);

  /// Sets the priority of a task. The default is the cost of the longest path from the task's start
  /// to an end of the graph. Tasks of larger priority run first.
  void set_priority(task_id task, double priority);

  [[nodiscard]] std::uint32_t tasks() const { return static_cast<std::uint32_t>(types_.size()); }

  /// Checks the graph, and divides the tasks evenly into at most `classes` classes of priority.
  /// Tasks of equal priority stay together. Cost: linear in tasks and dependencies, plus sorting
  /// the priorities.
  [[nodiscard]] compiled_graph compile(priority_by order = priority_by::critical_path,
                                       std::uint32_t classes = 8) const;

 private:
  task_id add(std::uint32_t type, void const* payload, std::size_t bytes);
  [[nodiscard]] std::uint32_t checked(task_id task, char const* where) const;
  void set_ranks(compiled_graph& graph) const;

  std::vector<task_type> kinds_;
  /// Bytes of each type's payload; unknown before the first task of the type.
  std::vector<std::size_t> payload_bytes_;
  std::vector<std::uint32_t> types_;
  /// Where the payload of each task begins.
  std::vector<std::size_t> payload_offsets_;
  std::vector<std::byte> payloads_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> dependencies_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> uses_;
  std::vector<std::pair<std::uint32_t, double>> priorities_;
  std::uint32_t resources_ = 0;
};

}  // namespace gridloom::tiled_qr::general
