#pragma once
// The times of every task, for --trace. The table "trace" has one row per task. The table "traced"
// has one row per traced run, in the same order. "dependences" and "task_types" describe the graphs.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gridloom/bench/result_table.hpp"
#include "gridloom/taskgraph/graph_file.hpp"
#include "gridloom/trace.hpp"

namespace gridloom::bench {

/// What the tasks of a trace are. Each part may be empty.
struct traced_graph {
  /// The graph with the task numbers of the trace.
  csr_graph successors;
  std::vector<std::string> type_names;

  bool operator==(traced_graph const& other) const {
    return successors.row_offsets == other.successors.row_offsets &&
           successors.columns == other.successors.columns && type_names == other.type_names;
  }
};

/// The events of one arm.
struct arm_trace {
  std::string arm;
  /// The tasks, sorted by worker and then by time. Times count from the first begin.
  std::vector<traced_task> tasks;
  /// Number of events for which there was no memory.
  std::uint64_t dropped = 0;
  /// Index of the arm's graph in the log; -1 if it is unknown.
  std::int64_t graph = -1;
};

/// Owner of the traces, and of memory for one arm at a time. Used by one thread, between launches.
class trace_log {
 public:
  /// Allocates memory for `capacity` events per worker, and returns the view for kernels. Events
  /// that have been recorded but not kept are lost. Successive arms with one graph share its copy.
  [[nodiscard]] trace_ref arm(device& machine, int workers, std::uint32_t capacity,
                              traced_graph graph = {});
  /// Keeps the events since arm() under this name. Returns null if arm() was not called.
  arm_trace const* keep(std::string name);
  /// Drops the events since arm().
  void discard() { is_armed_ = false; }
  /// Frees the memory.
  void release();

  [[nodiscard]] std::vector<arm_trace> const& kept() const { return kept_; }
  /// The table "trace": one row per task.
  [[nodiscard]] result_table tasks() const;
  /// The table "traced": one row per arm.
  [[nodiscard]] result_table arms() const;
  /// The tables "dependences" and "task_types", without those that would be empty.
  [[nodiscard]] std::vector<result_table> graphs() const;

 private:
  struct room {
    int workers;
    std::uint32_t capacity;
    trace_buffer events;
  };
  std::optional<room> room_;
  bool is_armed_ = false;
  std::vector<arm_trace> kept_;
  std::vector<traced_graph> graphs_;
  std::int64_t armed_graph_ = -1;
};

}  // namespace gridloom::bench
