#pragma once
// The times of every task, as --trace stores them: the table "trace", and "traced", which says of
// each arm how many events there were and how many found no room.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gridloom/bench/result_table.hpp"
#include "gridloom/trace.hpp"

namespace gridloom::bench {

/// The events of one arm.
struct arm_trace {
  std::string arm;
  /// By worker and then in order of time; times from the first begin.
  std::vector<traced_task> tasks;
  /// Events that found no room.
  std::uint64_t dropped = 0;
};

/// Owns the memory that arms are traced in, one arm at a time, and what they left. Used by one
/// thread, between launches.
class trace_log {
 public:
  /// Makes room for `capacity` events of each of `workers` workers, and returns the kernels' view.
  /// What was recorded before and not kept is lost.
  [[nodiscard]] trace_ref arm(device& machine, int workers, std::uint32_t capacity);
  /// Keeps what was recorded since arm(), under this name; null where nothing was armed.
  arm_trace const* keep(std::string name);
  /// Forgets what was recorded since arm().
  void discard() { is_armed_ = false; }
  /// Gives the memory back.
  void release();

  [[nodiscard]] std::vector<arm_trace> const& kept() const { return kept_; }
  /// The table "trace": a row a task.
  [[nodiscard]] result_table tasks() const;
  /// The table "traced": a row an arm.
  [[nodiscard]] result_table arms() const;

 private:
  struct room {
    int workers;
    std::uint32_t capacity;
    trace_buffer events;
  };
  std::optional<room> room_;
  bool is_armed_ = false;
  std::vector<arm_trace> kept_;
};

}  // namespace gridloom::bench
