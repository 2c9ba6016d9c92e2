#pragma once
// Ways to hand a chain of tasks on: a scheduler runs it, or a kernel without a scheduler.

#include <memory>
#include <string_view>
#include <vector>

#include "gridloom/device.hpp"

namespace gridloom::schedulers {

struct hand_off {
  /// From the end of a task to the start of its successor.
  double ns;
  /// From the start of the task to its end; NaN if unknown.
  double task_ns;
  /// Whether the successor ran on another worker.
  bool moves;
};

/// A chain, ready to run. Used by one thread; the machine outlives it.
class chain {
 public:
  virtual ~chain() = default;
  /// Resets what a run changes.
  virtual void prepare() = 0;
  /// Runs the chain once. May return before the device is done.
  virtual void run() = 0;
  /// Called after run(), and may run again. Throws timeout_error, or wrong_result if a task was not
  /// executed or did not see its predecessor's value.
  [[nodiscard]] virtual std::vector<hand_off> hand_offs() = 0;
  [[nodiscard]] virtual int workers() const = 0;
};

/// Longest chain.
inline constexpr int most_tasks = 2000;

/// Hand-offs without a scheduler.
struct primitive {
  std::string_view name, about;
  /// Smallest compute capability on CUDA; 90 means 9.0.
  int needs;
  std::unique_ptr<chain> (*make)(device&, launch_shape, int tasks, double timeout_s);
};
[[nodiscard]] std::vector<primitive> const& all_primitives();

}  // namespace gridloom::schedulers
